// A service of its own: killed in mid-game and back; and the page without any service.

import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { touch } from './place';

const PROGRAM = process.env.BESTMOVE_PROGRAM ?? '../target/debug/bestmove';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A started service that answers. */
async function serve(port: number, ...settings: string[]): Promise<ChildProcess> {
  const service = spawn(PROGRAM, ['serve', '--listen', `127.0.0.1:${port}`, ...settings], { stdio: 'ignore' });
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false)).toBe(true);
  return service;
}

const gone = (service: ChildProcess) => new Promise((resolve) => (service.once('exit', resolve), service.kill('SIGKILL')));

test('a service that is killed in mid-game and comes back goes on with the game', async ({ page }) => {
  const port = await freePort();
  let service = await serve(port);
  try {
    await page.goto(`http://127.0.0.1:${port}/#mode=play&game=connect4&seats=person,2`);
    await touch(page, 3, 5);
    await expect(page.locator('.move')).toHaveCount(2);
    await expect(page.locator('main[data-turn=person]')).toBeVisible();
    await gone(service);
    await touch(page, 3, 0);
    await expect(page.getByRole('alert')).toContainText('cannot be reached');
    service = await serve(port);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('.move')).toHaveCount(4);
  } finally {
    await gone(service);
  }
});

test('installed, the page opens without the service and says that it is gone', async ({ page }) => {
  const port = await freePort();
  const service = await serve(port);
  const address = `http://127.0.0.1:${port}/`;
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await gone(service);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('cannot be reached');
  await expect(page.getByRole('button', { name: 'New game' })).toBeVisible();
  // Parts of the page that nobody has opened yet are kept, too.
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('button', { name: 'Review this game' })).toBeVisible();
});

test('a search that waits for its place says how long', async ({ page, request }) => {
  const port = await freePort();
  const service = await serve(port, '--slots', '1', '--max-wait-ms', '60000');
  const address = `http://127.0.0.1:${port}`;
  try {
    await page.goto(`${address}/#mode=play&game=xiangqi&seats=person,person`);
    await expect(page.getByRole('grid')).toBeVisible();
    // A long search in the only slot: an analysis, which is another one, waits for it.
    const other = request.post(`${address}/v1/bestmove`, { data: { game: 'xiangqi', budget: { time_ms: 4000 } } });
    const metrics = async () => (await request.get(`${address}/metrics`)).text();
    await expect.poll(metrics).toContain('bestmove_work_running{kind="long"} 1');
    await page.getByRole('button', { name: 'Analyse' }).click();
    await expect(page.locator('.side')).toContainText(/Waiting in the queue of the service: [\d.]+ s, [\d.]+ s expected/);
    await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 15_000 });
    expect((await other).status()).toBe(200);
  } finally {
    await gone(service);
  }
});
