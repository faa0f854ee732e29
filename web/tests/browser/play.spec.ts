// Whole games of each family as a person plays them: by mouse, by keyboard, by touch.

import { expect, test, type Page } from '@playwright/test';
import { touch } from './place';

/** Console errors fail a test. */
test.beforeEach(({ page }) => {
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(message.text());
  });
  page.on('pageerror', (error) => {
    throw error;
  });
});

const over = (page: Page) => page.locator('.status.over');

// A game has many moves, and an assertion looks again only after 100 ms, then after 250: these two look at every frame.

/** Waits until the address is another one. */
const left = (page: Page, before: string) => page.waitForFunction((before) => location.hash !== before, before, { timeout: 30_000 });

/** Waits until it is the person's turn or the game is over. */
async function turn(page: Page): Promise<'over' | 'turn'> {
  await page.locator('main[data-turn="person"], main[data-turn="over"]').waitFor({ timeout: 30_000 });
  return (await page.locator('main').getAttribute('data-turn')) === 'over' ? 'over' : 'turn';
}

/** The moves that can be made on the board, from the page's own marks for tests. */
const moves = (page: Page) => page.locator('main').evaluate((main) => JSON.parse((main as HTMLElement).dataset.gestures ?? '[]') as string[][]);
const cell = (page: Page, place: string) => page.locator(`#${place}`);

/** Makes a move, or presses the button of one. */
async function move(page: Page, how: 'click' | 'tap', count: number) {
  const gestures = await moves(page);
  if (gestures.length > 0) {
    for (const place of gestures[(count * 7) % gestures.length]!) await cell(page, place).locator('.place')[how]({ force: true });
  } else {
    const buttons = page.locator('.word-moves button, .heap-stone:not(:disabled)');
    await buttons.nth((count * 5) % (await buttons.count()))[how]();
  }
}

async function playOut(page: Page, how: 'click' | 'tap', most: number) {
  for (let count = 0; count < most; count++) {
    if ((await turn(page)) === 'over') return;
    const before = await page.evaluate(() => location.hash);
    await move(page, how, count);
    await left(page, before);
  }
}

const GAMES = ['tictactoe', 'connect4', 'nim', 'two_eat_one', 'othello', 'gomoku', 'easycard', 'xiangqi', 'snake_go', 'genius', 'gomoku_swap2'];
// Every game ends before so many moves of a person.
const MOST = 1000;

for (const game of GAMES) {
  test(`${game}: against level 3 with the mouse`, async ({ page }) => {
    await page.goto(`/#mode=play&game=${game}&seats=person,3`);
    await playOut(page, 'click', MOST);
    await expect(over(page)).toBeVisible();
  });
}

test('a first visitor is in a game after one click', async ({ page }) => {
  await page.goto('/');
  await turn(page);
  const [first] = await moves(page);
  await cell(page, first![0]!).locator('.place').click({ force: true });
  await expect(page.locator('.move')).toHaveCount(2, { timeout: 20_000 });
});

test('flipping the board leaves the search of the opponent alone', async ({ page }) => {
  let searches = 0;
  page.on('request', (request) => (searches += Number(request.url().endsWith('/v1/bestmove'))));
  await page.goto('/#mode=play&game=xiangqi&seats=selective:1500,person');
  await expect.poll(() => searches).toBe(1);
  for (let count = 0; count < 4; count++) await page.keyboard.press('f');
  await turn(page);
  await expect(page.locator('.move')).toHaveCount(1);
  expect(searches).toBe(1);
});

/** Takes the cursor to a place by arrow keys, and presses Enter. */
async function press(page: Page, place: string) {
  const [column, row] = place.match(/\d+/g)!.map(Number);
  for (;;) {
    const at = (await page.getByRole('grid').getAttribute('aria-activedescendant'))!.match(/\d+/g)!.map(Number);
    const key = at[0]! < column! ? 'ArrowRight' : at[0]! > column! ? 'ArrowLeft' : at[1]! < row! ? 'ArrowDown' : at[1]! > row! ? 'ArrowUp' : 'Enter';
    await page.keyboard.press(key);
    if (key === 'Enter') return;
    await expect(page.getByRole('grid')).not.toHaveAttribute('aria-activedescendant', `place-${at.join('-')}`);
  }
}

// One of each family: a stone is placed, a piece is moved, a column is filled, a word is chosen.
for (const game of ['tictactoe', 'two_eat_one', 'connect4', 'nim']) {
  test(`${game} with the keyboard alone`, async ({ page }) => {
    await page.goto(`/#mode=play&game=${game}&seats=person,1`);
    for (let count = 0; count < MOST && (await turn(page)) === 'turn'; count++) {
      const before = await page.evaluate(() => location.hash);
      const gestures = await moves(page);
      if (gestures.length > 0) {
        await page.getByRole('grid').focus();
        for (const place of gestures[(count * 7) % gestures.length]!) await press(page, place);
      } else {
        await page.locator('.heap-stone:not(:disabled)').nth(0).focus();
        await page.keyboard.press('Enter');
      }
      await left(page, before);
    }
    await expect(over(page)).toBeVisible();
  });

  test(`${game} by touch on a phone, without sideways scrolling`, async ({ browser }) => {
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await page.goto(`/#mode=play&game=${game}&seats=person,1`);
    await playOut(page, 'tap', MOST);
    await expect(over(page)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await context.close();
  });
}

test('on a phone the moves are in a sheet that slides up', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto('/#mode=play&game=tictactoe&moves=b2~a1&movers=x~o&seats=person,person');
  const [move, opens] = [page.locator('.move').first(), page.getByRole('button', { name: 'Moves' })];
  await expect(move).toBeHidden();
  await opens.tap();
  await expect(opens).toHaveAttribute('aria-expanded', 'true');
  await expect(move).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.getByRole('button', { name: 'Close' }).tap();
  await expect(move).toBeHidden();
  await expect(opens).toBeFocused();
  await context.close();
});

test('a clock runs for the side to move until its time is over', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: 'Tic-tac-toe' }).click();
  await page.getByRole('radio', { name: 'Two people' }).check();
  await page.getByLabel('Clock').selectOption('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click();
  await touch(page, 1, 1);
  await expect(page.locator('.status')).toHaveText('O to move');
  await page.clock.runFor(20_000);
  await expect(page.locator('.clock span').nth(0)).toContainText('1:00');
  await expect(page.locator('.clock span').nth(1)).toContainText(/0:(40|3\d)/);
  await page.clock.runFor(41_000);
  await expect(page.locator('.status')).toContainText('has no time left');
});

for (const [device, draws, shown] of [['without', false, /^[A-Z]$/], ['with', true, /^\p{Script=Han}$/u]] as const) {
  test(`pieces on a device ${device} a font for their characters`, async ({ page }) => {
    await page.addInitScript((draws) => {
      // What has no font is a box as for the character that is none.
      CanvasRenderingContext2D.prototype.fillText = function (text) {
        this.fillRect(0, 0, /[A-Z]/.test(text) || (draws && text !== '\u{10fffe}') ? 6 : 5, 1);
      };
    }, draws);
    await page.goto('/#mode=play&game=xiangqi&seats=person,person');
    const written = page.locator('.piece .glyph');
    await expect(written).toHaveCount(32);
    for (const text of await written.allTextContents()) expect(text).toMatch(shown);
  });
}

test('a piece can be dragged', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=person,1');
  await turn(page);
  await cell(page, 'place-1-7').locator('.place').dragTo(cell(page, 'place-4-7').locator('.place'), { force: true });
  await expect(page.locator('.move').first()).toContainText('C8=5');
});

test('undo, flip, steps of a hint, and the browser\'s back', async ({ page }) => {
  await page.goto('/#mode=play&game=connect4&seats=person,2');
  await turn(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('.ring.hint')).toBeVisible();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('.arrow').first()).toBeVisible();
  await move(page, 'click', 0);
  await expect(page.locator('.move')).toHaveCount(2);
  await page.keyboard.press('u');
  await expect(page.locator('.move')).toHaveCount(0);
  await page.getByRole('button', { name: 'Flip' }).click();
  await turn(page);
  await move(page, 'click', 1);
  await expect(page.locator('.move')).toHaveCount(2);
  await page.reload();
  await expect(page.locator('.move')).toHaveCount(2);
  await page.goBack();
  await expect(page.locator('.move')).toHaveCount(0);
});

test('the hand of an opponent is hidden', async ({ page }) => {
  await page.goto('/#mode=play&game=genius&seats=person,3');
  const hand = (side: string) => page.getByRole('region', { name: side }).locator('.things', { hasText: 'hand' });
  await expect(hand('Second player')).toHaveText('handhidden × 5');
  await expect(hand('First player')).not.toContainText('hidden');
  await page.goto('/#mode=play&game=genius&seats=person,person');
  await expect(hand('Second player')).not.toContainText('hidden');
});

test('an engine plays an engine', async ({ page }) => {
  await page.goto('/#mode=play&game=tictactoe&seats=2,random:100');
  await expect(over(page)).toBeVisible({ timeout: 30_000 });
});
