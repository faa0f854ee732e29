// The board and what is asked about it: where a click goes, hints, the browser's way back, resignation, trouble.

import { expect, test, type Page } from '@playwright/test';

const played = (page: Page) => page.locator('.move');
const place = (page: Page, name: string) => page.locator(`#place-${name}`);
const person = (page: Page) => expect(page.locator('main[data-turn=person]')).toBeVisible();
const busy = { status: 503, headers: { 'retry-after': '1' }, body: '{}' };

/** Clicks in the middle of a place, wherever the page has drawn it. */
async function clickMiddle(page: Page, name: string, button: 'left' | 'right' = 'left') {
  const { x, y, width, height } = (await place(page, name).locator('.place').boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2, { button });
}

for (const [width, height] of [[960, 950], [900, 700], [844, 390], [1280, 720], [320, 640]] as const) {
  test(`a click goes to the place it is on, ${width} by ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const [game, name, move] of [['connect4', '6-0', '7'], ['connect4', '0-3', '1'], ['tictactoe', '0-0', 'a3'], ['tictactoe', '2-1', 'c2'], ['gomoku', '14-0', 'o15']]) {
      await page.goto('about:blank');
      await page.goto(`/#mode=play&game=${game}&seats=person,person`);
      await person(page);
      await clickMiddle(page, name!);
      await expect.poll(() => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('moves')), `${game} ${name}`).toBe(move);
    }
    await page.goto('/#mode=play&game=xiangqi&seats=person,person');
    await page.reload();
    await person(page);
    await clickMiddle(page, '8-6');
    await expect(place(page, '8-6').locator('.piece.held')).toBeVisible();
    await expect(place(page, '8-6')).toHaveAttribute('aria-label', /held/);
    await clickMiddle(page, '8-5');
    await expect(place(page, '8-5')).toHaveAttribute('aria-label', /last move/);
  });
}

test('the mode that is on is no other one: the search goes on', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=selective:1500,person');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(played(page)).toHaveCount(1);
});

test('heaps are closed while the engine thinks, and in a review', async ({ page }) => {
  await page.goto('/#mode=review&game=nim&moves=1:1&movers=first&seats=person,person');
  await expect(page.locator('.heap-stone:not(:disabled)')).toHaveCount(0);
  await expect(page.locator('.heap-stone')).not.toHaveCount(0);
  await page.route('**/v1/bestmove', () => undefined);
  await page.goto('/#mode=play&game=nim&seats=person,3');
  await page.reload();
  await page.locator('.heap-stone:not(:disabled)').first().click();
  await expect(page.locator('.status')).toContainText('thinks');
  await expect(page.locator('.heap-stone:not(:disabled)')).toHaveCount(0);
});

test('an illegal move in the address is said, whenever the games come', async ({ page }) => {
  await page.route('**/v1/games', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto('/#mode=play&game=tictactoe&moves=z9&movers=x&seats=person,person');
  await expect(page.getByRole('alert')).toContainText('z9');
  await expect(page.locator('.game-title')).toHaveText('Tic-tac-toe');
  await expect(page.getByRole('alert')).toContainText('z9');
});

test('a search that loses its place in the queue is asked for once more', async ({ page }) => {
  let asked = 0;
  await page.route('**/v1/bestmove', (route) => {
    asked += 1;
    const problem = { type: '/problems/busy', title: 'Too busy', status: 503, code: 'busy', detail: 'too busy', retry_after_ms: 700 };
    const lines = [{ event: 'queued', data: { expected_ms: 500 } }, { event: 'error', data: problem }];
    return asked === 1 ? route.fulfill({ contentType: 'application/x-ndjson', body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }) : route.continue();
  });
  await page.goto('/#mode=play&game=tictactoe&moves=b2&movers=x&seats=person,3');
  await expect(page.getByRole('alert')).toContainText('next try is in 1 s');
  await expect(played(page)).toHaveCount(2);
});

test('a hint that has failed is tried again', async ({ page }) => {
  await page.route('**/v1/bestmove', (route) => route.abort());
  await page.goto('/#mode=play&game=tictactoe&seats=person,3');
  await person(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.getByRole('alert')).toContainText('cannot be reached');
  await page.unroute('**/v1/bestmove');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.ring.hint')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a held piece can be dragged, and is put back by another click', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=person,person');
  await person(page);
  await clickMiddle(page, '1-7');
  await expect(place(page, '1-7').locator('.held')).toBeVisible();
  await clickMiddle(page, '1-7');
  await expect(place(page, '1-7').locator('.held')).toHaveCount(0);
  await clickMiddle(page, '1-7');
  await place(page, '1-7').locator('.place').dragTo(place(page, '4-7').locator('.place'), { force: true });
  await expect(played(page)).toHaveText(['1 C8=5']);
});

test('other buttons of the mouse play nothing', async ({ page }) => {
  await page.goto('/#mode=play&game=tictactoe&seats=person,person');
  await person(page);
  await clickMiddle(page, '1-1', 'right');
  await clickMiddle(page, '0-0');
  await expect(place(page, '0-0')).toHaveAttribute('aria-label', /last move/);
  expect(await page.evaluate(() => location.hash)).toContain('moves=a3&');
});

test('what is pressed and left is not played', async ({ page }) => {
  await page.goto('/#mode=play&game=tictactoe&seats=person,person');
  await person(page);
  const box = (await place(page, '1-1').locator('.place').boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 5 - box.width, box.y + 5);
  await page.mouse.up();
  await clickMiddle(page, '2-2');
  await expect(played(page)).toHaveText(['1 c1']);
});

test('nobody has a hint while the opponent thinks, and the opponent goes on', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=selective:1500,person');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hint' })).toBeDisabled();
  await page.keyboard.press('h');
  await expect(played(page)).toHaveCount(1);
});

test('a hint shows its line in its last step only', async ({ page }) => {
  await page.goto('/#mode=play&game=connect4&seats=person,2');
  await person(page);
  const hint = page.getByRole('button', { name: 'Hint' });
  await hint.click();
  await expect(page.locator('.ring.hint')).toBeVisible();
  await expect(page.locator('.lines')).toHaveCount(0);
  await hint.click();
  await expect(page.locator('.arrow')).toHaveCount(1);
  await expect(page.locator('.lines')).toHaveCount(0);
  await hint.click();
  await expect(page.locator('.lines li')).toHaveCount(1);
});

test('the browser goes back to where the person moved, and forward again', async ({ page }) => {
  await page.goto('/#mode=play&game=connect4&seats=person,2');
  await person(page);
  for (const count of [2, 4]) {
    await clickMiddle(page, '3-0');
    await expect(played(page)).toHaveCount(count);
    await person(page);
  }
  await page.goBack();
  await expect(played(page)).toHaveCount(2);
  await person(page);
  await page.goBack();
  await expect(played(page)).toHaveCount(0);
  await person(page);
  await page.goForward();
  await page.goForward();
  await expect(played(page)).toHaveCount(4);
  await person(page);
});

test('who resigns while the opponent thinks has resigned, and can analyse the game', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=person,selective:2000');
  await person(page);
  await clickMiddle(page, '8-6');
  await clickMiddle(page, '8-5');
  await expect(page.locator('.status')).toContainText('thinks');
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(page.locator('.status')).toHaveText('Red has resigned');
  await page.reload();
  await expect(page.locator('.status')).toHaveText('Red has resigned');
  await expect(played(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('.lines li').first()).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('.status')).toHaveText('Red has resigned');
});

test('a busy service is asked once more about a position, then by the person', async ({ page }) => {
  let asked = 0;
  await page.route('**/v1/position', (route) => ((asked += 1), route.fulfill(busy)));
  await page.goto('/#mode=play&game=tictactoe&seats=person,3');
  await expect(page.getByRole('alert')).toContainText('next try is in 1 s');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(asked).toBe(2);
  await page.unroute('**/v1/position');
  await page.getByRole('button', { name: 'Try again' }).click();
  await person(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the games are asked for again when the service has come back', async ({ page }) => {
  await page.route('**/v1/games', (route) => route.abort());
  await page.goto('/#mode=play&game=tictactoe&seats=person,3');
  await expect(page.getByRole('alert')).toContainText('cannot be reached');
  await page.unroute('**/v1/games');
  await page.getByRole('button', { name: 'Try again' }).click();
  await person(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a used-up quota is said in words wherever something is asked', async ({ page }) => {
  for (const path of ['review', 'game-files']) await page.route(`**/v1/${path}`, (route) => route.fulfill({ ...busy, status: 429 }));
  await page.goto('/#mode=review&game=tictactoe&moves=b2~a1&movers=x~o&seats=person,person');
  await page.getByRole('button', { name: 'Review this game' }).click();
  await expect(page.getByRole('alert')).toContainText('Too many questions');
  await page.getByText('Paste or drop a game').click();
  await page.getByRole('textbox').fill('b2 a1');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.getByRole('alert').nth(1)).toContainText('Too many questions');
});

test('the bar of a new game knows nothing of the last one', async ({ page }) => {
  await page.goto('/#mode=play&game=connect4&moves=4~3~4~3~4~3&movers=first~second~first~second~first~second&seats=person,person');
  await person(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuenow', '100');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: 'Tic-tac-toe' }).check();
  await page.getByRole('radio', { name: 'Two people' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click();
  await expect(page.getByRole('button', { name: 'New game' })).toBeFocused();
  await clickMiddle(page, '1-1');
  await expect(played(page)).toHaveCount(1);
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuenow', '50');
});

test('keys do nothing where nobody sees what they do, nor letters where they are switched off', async ({ page }) => {
  const game = 'game=tictactoe&moves=b2~a1&movers=x~o&seats=person,person';
  await page.goto(`/#mode=learn&${game}`);
  await expect(page.locator('.learn h2')).toBeVisible();
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  await page.keyboard.press('u');
  await expect(played(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Keys with letters and signs' }).uncheck();
  await page.getByRole('grid').focus();
  await page.keyboard.press('u');
  await page.keyboard.press('?');
  await expect(page.getByRole('checkbox', { name: 'Keys with letters and signs' })).toBeVisible();
  await expect(played(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(played(page)).toHaveCount(1);
});

test('an algorithm of the last game is not taken into one that does not have it', async ({ page }) => {
  await page.goto('/#mode=play&game=nim&seats=person,sg:100');
  await person(page);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: 'Xiangqi' }).check();
  await page.getByRole('radio', { name: 'Black' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click();
  await expect(played(page)).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('pieces as pictures', async ({ page }) => {
  await page.goto('/#mode=play&game=xiangqi&seats=person,person');
  await person(page);
  await page.getByRole('button', { name: 'Pieces as pictures' }).click();
  await expect(page.locator('.board .picture-sign')).toHaveCount(32);
  await expect(page.locator('.board .glyph')).toHaveCount(0);
  await page.reload();
  await expect(page.locator('.board .picture-sign')).toHaveCount(32);
});
