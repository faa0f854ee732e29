import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [preact({ prefreshEnabled: false, devToolsEnabled: false })],
  build: {
    target: 'es2022',
    // The policy of the server allows no inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: { input: { index: 'index.html', docs: 'docs.html' } },
  },
  server: { proxy: { '/v1': service, '/openapi.json': service } },
});
