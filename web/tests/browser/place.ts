// The board, as a hand reaches for it.

import { expect, type Page } from '@playwright/test';

/** Clicks a place once moves can be played: before that the board answers no one. */
export async function touch(page: Page, column: number, row: number) {
  await expect(page.locator('.board .target').first()).toBeVisible();
  await page.locator(`#place-${column}-${row} .place`).click({ force: true });
}
