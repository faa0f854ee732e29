// What is around the game: analysis, tree, review, lessons, language, trouble, and how fast and accessible it is.

import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { touch } from './place';

// Solved at once, however short the search: three mistakes, each of which turns the game.
const GAME = '#mode=review&game=tictactoe&moves=a1~b1~c1~b2~a3~b3&movers=x~o~x~o~x~o&seats=person,person';

async function violations(page: Page) {
  const { violations: found } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

test('analysis rates every legal move on the board', async ({ page }) => {
  await page.goto('/#mode=analyse&game=tictactoe&seats=person,person');
  await expect(page.locator('.rated')).toHaveCount(9);
  await expect(page.locator('.verdict')).toContainText('draw');
  await page.locator('.lines .line').first().click();
  await expect(page.locator('.move')).toHaveCount(1);
  // A line under the pointer is drawn in place of ratings.
  await page.mouse.move(0, 0);
  await expect(page.locator('.rated')).toHaveCount(8);
});

test('a tree search shows where it looks, wider the more it does', async ({ page }) => {
  await page.goto('/#mode=analyse&game=connect4&moves=4&movers=first&seats=person,person');
  await page.getByLabel('Algorithm').first().selectOption('uct');
  const segments = page.locator('.visit-strip span');
  await expect(segments).toHaveCount(7);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 10_000 });
  const shown = await segments.evaluateAll((all) => all.map((one) => ({ width: one.getBoundingClientRect().width, visits: Number(one.getAttribute('title')!.split(' ')[1]!.replaceAll(',', '')) })));
  const sum = (of: 'width' | 'visits') => shown.reduce((whole, one) => whole + one[of], 0);
  for (const { width, visits } of shown) expect(Math.abs(width / sum('width') - visits / sum('visits'))).toBeLessThan(0.03);
});

test('a search can be stopped', async ({ page }) => {
  await page.goto('/#mode=play&game=othello&seats=alphabeta:10000,alphabeta:10000');
  await page.getByRole('button', { name: 'Stop' }).click();
  // The best move so far is played, and the other side thinks.
  await expect(page.locator('.move').first()).toBeVisible();
});

test('a search stopped before its first answer plays the first move that comes', async ({ page }) => {
  await page.route('**/v1/bestmove', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => undefined);
  });
  await page.goto('/#mode=play&game=othello&seats=alphabeta:10000,alphabeta:10000');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.move').first()).toBeVisible();
});

test('the tree of a traced search is walked step by step', async ({ page }) => {
  await page.goto('/#mode=analyse&game=tictactoe&moves=b2&movers=x&seats=person,person');
  await page.getByRole('button', { name: 'Trace a search' }).click();
  await expect(page.locator('.icicle')).toBeVisible();
  const said = page.locator('.tree-view [role=status]');
  const last = await said.textContent();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  expect(await said.textContent()).not.toBe(last);
  await expect(said).toContainText('window');
});

test('a large tree is drawn without a long task', async ({ page }) => {
  await page.goto('/#mode=analyse&game=xiangqi&seats=person,person');
  await page.getByLabel('depth').fill('4');
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });
  await page.getByRole('button', { name: 'Trace a search' }).click();
  await expect(page.locator('.icicle')).toBeVisible({ timeout: 20_000 });
  for (let count = 0; count < 30; count++) await page.getByRole('button', { name: 'Back', exact: true }).click();
  const nodes = Number((await page.locator('.tree-view .controls span').textContent())!.split('/')[1]);
  const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { seen: number[] }).seen));
  console.log(`${nodes} nodes, longest task ${longest} ms`);
  expect(nodes).toBe(5000);
});

test('a review shows chart, classes and turning points, and mistakes are retried', async ({ page }) => {
  await page.goto(`/${GAME}`);
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.locator('.chart')).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('.move.mistake').first()).toBeVisible();
  await expect(page.locator('.turning-points li').first()).toContainText('better');
  // The bar is the review's, and nothing can be played until a mistake is retried.
  await page.getByRole('button', { name: 'First position' }).click();
  await expect(page.getByRole('meter')).toHaveAttribute('aria-label', /\d+ % expected/);
  await page.getByRole('button', { name: 'Last position' }).click();
  await expect(page.getByRole('meter')).toHaveAttribute('aria-label', /\d+ % expected/);
  await expect(page.locator('.target')).toHaveCount(0);
  await page.locator('.review h3 + .controls button').first().click();
  await expect(page.getByRole('heading', { name: /find a better move/ })).toBeVisible();
  await touch(page, 1, 1);
  await expect(page.locator('section.review [role=status]')).toHaveText(/Right/, { timeout: 20_000 });
  await page.getByRole('button', { name: 'Back to the review' }).click();
  await expect(page.locator('.move')).toHaveCount(6);
});

test('the better line of a review is written as its players write it', async ({ page }) => {
  const moves = 'a0a1~h9g7~a1d1~b9c7~d1d5~a9a8~d5d8~a8d8';
  await page.goto(`/#mode=review&game=xiangqi&moves=${moves}&movers=${'red~black~'.repeat(4).slice(0, -1)}&seats=person,person`);
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.locator('.turning-points span').first()).toContainText(/ [CHREAKP][1-9][+=-][1-9] /, { timeout: 30_000 });
});

test('a game is pasted, and a wrong one says where', async ({ page }) => {
  await page.goto('/#mode=review&game=othello&seats=person,3');
  await page.getByText('Paste or drop a game').click();
  await page.getByRole('textbox').fill('f5d6c3d3c4');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.locator('.move')).toHaveCount(5);
  await page.getByRole('textbox').fill('f5d6c3a8');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.getByRole('alert')).toContainText('a8');
});

/** Answers worked out by hand, by lesson; the two others are the service's own. */
const WORKED_OUT: Record<string, string[]> = {
  Minimax: ['A'], 'Alpha-beta': ['H', 'I'], 'The father and his sons': ['22'], Negamax: ['22'], 'Equal values': ['H', 'J'],
  'Move order: best first': ['5'], 'Move order: worst first': ['8'], 'Chance nodes': ['B'],
};

test('every lesson knows its answer, and a wrong one is not right', async ({ page }) => {
  await page.goto('/#mode=learn&game=tree&seats=person,person');
  const lessons = page.locator('.learn nav button');
  await expect(lessons.first()).toBeVisible();
  const judged = new Set<string>();
  for (let index = 0; index < (await lessons.count()); index++) {
    await lessons.nth(index).click();
    const choices = page.locator('.tree-node[role=button], .learn p.controls button[aria-pressed]');
    await expect(choices.first()).toBeVisible();
    const [check, show] = ['Check', 'Show'].map((name) => page.getByRole('button', { name, exact: true }));
    await show!.click();
    const right = choices.and(page.locator('[aria-pressed=true]'));
    await expect(right.first()).toBeVisible();
    const names = await right.evaluateAll((all) => all.map((one) => (one.getAttribute('aria-label') ?? one.textContent)!.split(' ')[0]!));
    const offered = await page.locator('.learn p.controls button[aria-pressed]').allTextContents();
    expect(new Set(offered).size).toBe(offered.length);
    const title = (await page.locator('.learn h2').textContent())!;
    if (WORKED_OUT[title]) judged.add(title) && expect(names, title).toEqual(WORKED_OUT[title]);
    // Alone or beside the right ones, it is wrong.
    await choices.and(page.locator('[aria-pressed=false]')).first().press('Enter');
    await check!.click();
    await expect(page.locator('.learn [role=status].wrong').first()).toContainText('Not yet');
    await show!.click();
    await check!.click();
    await expect(page.locator('.learn p.right')).toContainText('Right');
  }
  expect([...judged]).toEqual(Object.keys(WORKED_OUT));
});

test('English and Chinese, light and dark', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=person,3');
  await page.locator('.settings [lang=zh]').click();
  await expect(page.getByRole('button', { name: '新对局' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(page.locator('.game-title')).toContainText('象棋');
  await page.getByRole('button', { name: '配色' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a live analysis goes on to its end; its longest task is told', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: PerformanceEntry[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: 'longtask' });
  });
  await page.goto('/#mode=analyse&game=gomoku&moves=h8~i9&movers=black~white&seats=person,person');
  await expect(page.locator('.search .figures')).toBeVisible();
  await expect(page.locator('.search').getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 20_000 });
  const [loading, streaming] = await page.evaluate(() => {
    const begun = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/v1/bestmove'))!.startTime;
    const { seen } = window as unknown as { seen: PerformanceEntry[] };
    const longest = (tasks: PerformanceEntry[]) => Math.max(0, ...tasks.map(({ duration }) => duration));
    return [longest(seen.filter(({ startTime }) => startTime < begun)), longest(seen.filter(({ startTime }) => startTime >= begun))];
  });
  console.log(`longest task while loading ${loading} ms, while streaming ${streaming} ms`);
  await expect(page.locator('.lines li')).toHaveCount(5);
});

test('moves of a loaded game are written as its players write them, in the language of the page', async ({ page }) => {
  await page.goto('/#mode=analyse&game=xiangqi&moves=h2e2~h9g7&movers=red~black&seats=person,person');
  await expect(page.locator('.moves .move')).toHaveText(['1 C2=5', '2 H8+7']);
  await page.evaluate(() => localStorage.setItem('bestmove.language', 'zh'));
  await page.reload();
  await expect(page.locator('.moves .move')).toHaveText(['1 炮二平五', '2 马８进７']);
});

test('arrow keys move the snake', async ({ page }) => {
  await page.goto('/#mode=play&game=snake_go&seats=person,person');
  await expect(page.locator('main[data-turn="person"]')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('.moves .move')).toHaveText(['1 +y']);
});

for (const [name, address] of [['play', '/#mode=play&game=xiangqi&seats=person,3'], ['analyse', '/#mode=analyse&game=tictactoe&seats=person,person'], ['review', `/${GAME}`], ['learn', '/#mode=learn&game=tree&seats=person,person'], ['docs', '/docs'], ['game page', '/docs#games/xiangqi'], ['duel', '/#mode=play&game=genius&seats=person,3']] as const) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`no violation of WCAG AA: ${name}, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      expect(await violations(page)).toEqual([]);
    });
  }
}

test('the dialog for a new game has no violation and starts what was chosen', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: 'Nim' }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('.heap')).toHaveCount(3);
});

test('offline is said, and the game goes on when the service is back', async ({ page, context }) => {
  await page.goto('/#mode=play&game=tictactoe&seats=person,3');
  await expect(page.locator('main[data-turn=person]')).toBeVisible();
  await context.setOffline(true);
  await touch(page, 1, 1);
  await expect(page.getByRole('alert')).toContainText('cannot be reached');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator('.move')).toHaveCount(2);
});

test('busy is counted down, and tried once more', async ({ page }) => {
  let asked = 0;
  await page.route('**/v1/bestmove', (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '{}' }) : route.continue();
  });
  await page.goto('/#mode=play&game=tictactoe&moves=b2&movers=x&seats=person,3');
  await expect(page.getByRole('alert')).toContainText('busy');
  await expect(page.locator('.move')).toHaveCount(2);
});

test('an answer for another position is dropped', async ({ page }) => {
  await page.route('**/v1/bestmove', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue().catch(() => undefined);
  });
  await page.goto('/#mode=play&game=tictactoe&seats=person,3');
  await touch(page, 1, 1);
  await page.keyboard.press('u');
  await expect(page.locator('.move')).toHaveCount(0);
  await touch(page, 0, 0);
  await expect(page.locator('.move')).toHaveCount(2);
  await expect(page.locator('.move').first()).toContainText('a3');
});

test('first paint within 300 ms and 120 KB', async ({ page }) => {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  // Files of the page as they came over the wire, on a first visit.
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => !name.includes('/v1/'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
  );
  // The browser itself is warm on the second.
  await page.reload();
  await expect(page.getByRole('grid')).toBeVisible();
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime);
  console.log(`first contentful paint ${Math.round(paint)} ms, ${bytes} bytes of files`);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(120_000);
});

test('the API page runs an example', async ({ page }) => {
  await page.goto('/docs');
  await page.locator('summary', { hasText: '/v1/bestmove' }).first().click();
  await page.locator('details[open]').getByRole('button', { name: 'Run' }).click();
  await expect(page.locator('details[open] pre')).toContainText('best_move');
  for (const place of ['#games/gomoku', '#methods/uct', '#snippets']) {
    await page.goto(`/docs${place}`);
    await expect(page.locator('h2').first()).toBeVisible();
  }
});
