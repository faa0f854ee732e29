import preact from '@preact/preset-vite';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const service = 'http://127.0.0.1:8080';

/** Names the build in the service worker: browsers install it anew only when its text has changed. */
function namedBuild(): Plugin {
  let folder = '';
  return {
    name: 'named-build',
    configResolved: ({ build }) => void (folder = build.outDir),
    closeBundle() {
      // The pages name their files by hashes of what is in them.
      const pages = ['index.html', 'docs.html'].map((name) => readFileSync(join(folder, name)));
      const hash = createHash('sha256').update(Buffer.concat(pages)).digest('hex').slice(0, 12);
      const worker = join(folder, 'service-worker.js');
      writeFileSync(worker, readFileSync(worker, 'utf8').replace('BUILD', hash));
    },
  };
}

export default defineConfig({
  plugins: [preact({ prefreshEnabled: false, devToolsEnabled: false }), namedBuild()],
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
