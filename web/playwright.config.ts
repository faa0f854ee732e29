import { defineConfig } from '@playwright/test';

// The service is started by whoever runs the tests; its address is in BESTMOVE_URL.
export default defineConfig({
  testDir: 'tests/browser',
  outputDir: '../target/browser-tests',
  timeout: 120_000,
  retries: 0,
  workers: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    baseURL: process.env.BESTMOVE_URL ?? 'http://127.0.0.1:8080',
    locale: 'en-GB',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
});
