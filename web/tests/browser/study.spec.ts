// Trees, reviews and files: what a person who studies a game does.

import AxeBuilder from '@axe-core/playwright';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { touch } from './place';

// Solved at once: three mistakes, each of which turns the game.
const REVIEW = '/#mode=review&game=tictactoe&moves=a1~b1~c1~b2~a3~b3&movers=x~o~x~o~x~o&seats=person,person';
const ANALYSE = '/#mode=analyse&game=connect4&moves=4~4&movers=first~second&seats=person,person';

test('the tree of a search by playouts grows, several plies deep', async ({ page }) => {
  await page.goto(ANALYSE);
  await page.getByLabel('Algorithm').first().selectOption('uct');
  await expect(page.locator('.icicle')).toBeVisible();
  await expect(page.locator('.search').getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 20_000 });
  const said = page.locator('.tree-view [role=status]');
  await expect(said).toContainText('visits');
  await expect(page.locator('.tree-view .controls span')).toHaveText('600 / 600');
  // The last one shown is the least visited, deep in the tree.
  expect((await said.locator('strong').textContent())!.split(' ').length).toBeGreaterThan(2);
  await page.locator('.tree-view input[type=range]').fill('0');
  expect((await said.locator('strong').textContent())!.split(' ')).toHaveLength(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('what cut a branch is drawn beside it and said', async ({ page }) => {
  await page.goto(ANALYSE);
  await page.getByRole('button', { name: 'Trace a search' }).click();
  await expect(page.locator('.icicle')).toBeVisible();
  const said = page.locator('.tree-view [role=status]');
  const range = page.locator('.tree-view input[type=range]');
  const last = Number(await range.getAttribute('max'));
  let cut = '';
  for (let at = 0; at <= last && !cut; at++) {
    await range.fill(String(at));
    const text = (await said.textContent())!;
    if (text.includes('✂')) cut = text;
  }
  expect(cut).toMatch(/beta|alpha/);
});

test('a game is kept with its review as comments, in the format of its players', async ({ page }) => {
  await page.goto('/#mode=review&game=xiangqi&moves=h2e2~h9g7~e2e6&movers=red~black~red&seats=person,person');
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
    return { name: download.suggestedFilename(), text: await readFile((await download.path())!, 'utf8') };
  };
  const plain = await save();
  expect(plain.name).toBe('xiangqi.json');
  expect(JSON.parse(plain.text)).toMatchObject({ game: 'xiangqi', moves: ['h2e2', 'h9g7', 'e2e6'] });
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.locator('.chart')).toBeVisible({ timeout: 30_000 });
  const reviewed = await save();
  expect(reviewed.name).toBe('xiangqi.pgn');
  expect(reviewed.text).toMatch(/\{[\d.]+ %, /);
  await page.getByText('Paste or drop a game').click();
  await page.getByRole('textbox').fill(reviewed.text);
  await page.getByRole('button', { name: 'Read' }).click();
  // It is the same game, whose review is known.
  await expect(page.locator('.move')).toHaveText([/^1 C2=5 \d/, /^2 H8\+7 \d/, /^3 C5\+4 \d/]);
});

test('mistakes are practised one after another', async ({ page }) => {
  await page.goto(REVIEW);
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.locator('.move small').first()).toHaveText(/^ ?\d+\.\d$/, { timeout: 30_000 });
  await expect(page.locator('.turning-points').first()).toContainText('answered by');
  const mistakes = page.locator('.review h3 + .controls button');
  const count = await mistakes.count();
  expect(count).toBeGreaterThan(1);
  const second = (await mistakes.nth(1).textContent())!.split(' ')[0]!;
  await mistakes.first().click();
  await page.route('**/v1/rate', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '{}' }));
  await touch(page, 0, 0);
  await expect(page.getByRole('alert')).toContainText('The service is busy.');
  await page.unroute('**/v1/rate');
  await page.route('**/v1/rate', async (route) => {
    const answered = await route.fetch();
    await route.fulfill({ response: answered, json: { ...(await answered.json()), class: 'correct' } });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await touch(page, 0, 0);
  await expect(page.locator('p.right')).toContainText('Right');
  // Back before both tries, each of which was set up and played, the review is as it was.
  for (let step = 0; step < 4; step++) await page.goBack();
  await expect(page.locator('.chart')).toBeVisible();
  for (let step = 0; step < 4; step++) await page.goForward();
  await page.getByRole('button', { name: 'Next mistake' }).click();
  const plies = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('moves')!.split('~').length);
  await expect.poll(plies).toBe(Number(second) - 1);
  await page.getByRole('button', { name: 'Back to the review' }).click();
  await expect(page.locator('.chart')).toBeVisible();
});

test('a review that nobody waits for any more is ended', async ({ page }) => {
  await page.goto('/#mode=review&game=tictactoe&moves=b2~a1~c3&movers=x~o~x&seats=person,person');
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/review'));
  await page.route('**/v1/review', () => undefined);
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.locator('progress')).toBeVisible();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await ended;
});

test('what cannot be read of a pasted game is selected', async ({ page }) => {
  await page.goto('/#mode=review&game=othello&seats=person,3');
  await page.getByText('Paste or drop a game').click();
  await page.getByRole('textbox').fill('f5d6\nc3a8');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.getByRole('alert')).toContainText('line 2');
  const selected = await page.getByRole('textbox').evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
  expect(selected).toBe('a8');
});

test('a file is dropped on the review, and one of its games chosen', async ({ page }) => {
  await page.goto('/#mode=review&game=othello&seats=person,3');
  await expect(page.locator('section.review')).toBeVisible();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[gg];W[gh];B[hi])'], 'games.sgf'));
    return transfer;
  });
  await page.locator('section.review').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.locator('.game-title')).toHaveText('Gomoku');
  await expect(page.locator('.move')).toHaveCount(2);
  await page.getByLabel('Game in the file').selectOption({ label: '2' });
  await expect(page.locator('.move')).toHaveCount(3);
});

test('the end of a game in Chinese', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('bestmove.language', 'zh'));
  await page.goto('/#mode=play&game=tictactoe&moves=a1~a2~b1~b2~c1&movers=x~o~x~o~x&seats=person,person');
  await expect(page.locator('.status.over')).toContainText('三连');
});

test('the reference shows parameters, answers and nested types', async ({ page }) => {
  await page.goto('/docs');
  const cancel = page.locator('.operation', { has: page.locator('code', { hasText: /^DELETE$/ }) }).first();
  await cancel.locator('summary').first().click();
  await expect(cancel).toContainText('path: string');
  await expect(cancel.locator('.statuses')).toContainText('404');
  const best = page.locator('.operation', { has: page.getByText('/v1/bestmove', { exact: true }) });
  await best.locator('summary').first().click();
  await best.locator('details > summary', { hasText: /^Stats/ }).click();
  await expect(best).toContainText('rated_depth');
  await page.goto('/docs#methods/uct');
  await expect(page.locator('article')).toContainText('simulations');
});

test('no violation of WCAG AA before the games are known', async ({ page }) => {
  await page.route('**/v1/games', () => {});
  await page.goto('/#mode=play&game=tictactoe&moves=a1&movers=x&seats=person,person');
  await expect(page.locator('.bar-frame')).toBeAttached();
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

for (const [name, address, then] of [
  ['marks', '/#mode=analyse&game=connect4&moves=4&movers=first&seats=person,person', '.lines li >> nth=4'],
  ['the end of a game', '/#mode=play&game=tictactoe&moves=a1~a2~b1~b2~c1&movers=x~o~x~o~x&seats=person,person', '.status.over'],
  ['a hint', '/#mode=play&game=connect4&seats=person,3', 'hint'],
  ['a tree', '/#mode=analyse&game=tictactoe&seats=person,person', 'tree'],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no violation of WCAG AA on a phone: ${name}, ${colorScheme}`, async ({ browser }) => {
      const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 }, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(address);
      if (then === 'hint') for (let step = 0; step < 3; step++) {
        await page.getByRole('button', { name: 'Hint' }).tap();
        await expect(page.locator('.ring.hint, .arrow').first()).toBeVisible();
      } else if (then === 'tree') {
        await page.getByRole('button', { name: 'Trace a search' }).tap();
        await expect(page.locator('.icicle')).toBeVisible();
      } else await expect(page.locator(then)).toBeVisible({ timeout: 20_000 });
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('; ')}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await context.close();
    });
  }
}
