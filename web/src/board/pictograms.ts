// Pieces as pictures, for those who do not read the characters: paths in a square of 24 units, by the letter of the piece.

import { signal } from '@preact/signals';

const SETTING = 'bestmove.pieces';

/** Whether pieces are drawn as pictures where there are some. */
export const pictured = signal(localStorage.getItem(SETTING) === 'pictures');

export function togglePictures() {
  pictured.value = !pictured.value;
  localStorage.setItem(SETTING, pictured.value ? 'pictures' : 'characters');
}

/** Pictures of xiangqi. */
export const PICTOGRAMS: Readonly<Record<string, string>> = {
  // General: a crown.
  k: 'M3 8l4 4 5-8 5 8 4-4-2 9H5zM5 19h14v2H5z',
  // Advisor: a scholar's hat with two wings.
  a: 'M7 15c0-7 2-10 5-10s5 3 5 10zM1 13h5v3H1zM18 13h5v3h-5zM5 17h14v3H5z',
  // Elephant: ear, head and trunk.
  b: 'M4 9c0-4 4-6 8-6s9 2 9 8v10h-4v-6h-5v2c0 3-2 4-4 4H5v-3h2c1 0 1-1 1-2v-3c-2 0-4-2-4-4zM10 8v2h2V8z',
  // Horse: head and mane.
  n: 'M6 21c0-5 3-6 3-9l-4 2-2-3 5-6V2l3 2c6 0 9 6 9 17zM9.5 7.5v1.6h1.6V7.5z',
  // Chariot: a tower on wheels.
  r: 'M5 3h3v2h2V3h4v2h2V3h3v5l-2 2v5H7v-5L5 8zM7 16a3 3 0 110 6 3 3 0 010-6zm10 0a3 3 0 110 6 3 3 0 010-6z',
  // Cannon: a barrel on a wheel.
  c: 'M3 12L18 4l3 5-9 5a5 5 0 11-8 2zM8 14.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z',
  // Soldier: a head with a hat and shoulders.
  p: 'M12 2l6 5H6zM12 8a3.5 3.5 0 110 7 3.5 3.5 0 010-7zM5 21c0-4 3-6 7-6s7 2 7 6z',
};
