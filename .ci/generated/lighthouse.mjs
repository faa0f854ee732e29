// Lighthouse's accessibility and best practices: at least 95 each. Its other categories ask for what only a public site
// has, or measure time.

import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const LEAST = 0.95;
const PAGES = ['/', '/#mode=analyse&game=connect4&moves=4&movers=first&seats=person,person', '/#mode=learn&game=tree&seats=person,person', '/docs'];
const service = process.argv[2];

const chrome = await launch({ chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium', chromeFlags: ['--headless=new', '--no-sandbox'] });
let failed = 0;
try {
  for (const page of PAGES) {
    const { lhr } = await lighthouse(service + page, { port: chrome.port, onlyCategories: ['accessibility', 'best-practices'], logLevel: 'error' });
    for (const { id, score } of Object.values(lhr.categories)) {
      const passes = score !== null && score >= LEAST;
      failed += passes ? 0 : 1;
      console.log(`${passes ? 'passed' : 'FAILED'} ${page} ${id} ${score}`);
    }
    for (const { id, title, score } of Object.values(lhr.audits)) if (score !== null && score < 1) console.log(`  ${id}: ${title}`);
  }
} finally {
  await chrome.kill();
}
process.exitCode = failed === 0 ? 0 : 1;
