// The pictures of docs/page.md: node pictures.mjs http://127.0.0.1:8080

import { chromium } from '@playwright/test';

const service = process.argv[2] ?? 'http://127.0.0.1:8080';
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

async function picture(name, fragment, act = async () => {}, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1180, height: 800 }, locale: 'en-GB', ...options });
  await page.goto(`${service}/${fragment}`);
  await page.waitForLoadState('networkidle');
  await act(page);
  await page.screenshot({ path: `../docs/page/${name}.png` });
  await page.close();
}

const moves = (list, sides) => `moves=${list.join('~')}&movers=${list.map((_, index) => sides[index % 2]).join('~')}`;

await picture('play', `#mode=play&game=xiangqi&${moves(['h2e2', 'h9g7', 'h0g2', 'i9h9'], ['red', 'black'])}&seats=person,3`);
await picture('analyse', `#mode=analyse&game=connect4&${moves(['4', '4', '5', '5'], ['first', 'second'])}&seats=person,person`, (page) => page.waitForTimeout(3500));
await picture('review', `#mode=review&game=connect4&${moves(['4', '4', '4', '4', '4', '5', '2', '3', '6'], ['first', 'second'])}&seats=person,person`, async (page) => {
  await page.getByRole('button', { name: 'Review this game' }).click();
  await page.locator('.chart').waitFor();
});
await picture('learn', '#mode=learn&game=tree&seats=person,person', async (page) => {
  await page.locator('.learn nav button').nth(1).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForTimeout(500);
});
await picture('phone', '#mode=play&game=gomoku&seats=person,3', async (page) => page.waitForTimeout(300), { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'zh-CN' });
await browser.close();
