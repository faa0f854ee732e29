// What a device has no font for is drawn by Chromium and WebKit as an empty box, the same for all: there a letter says
// more. Firefox writes numbers into its boxes: there the glyph stays.

import type { PieceInfo } from '../api/client';

/** A character that no font has: it is assigned to none for ever. */
const NONE = '\u{10fffe}';
/** Pixels of the picture that two glyphs are compared by. */
const SIZE = 24;

const known = new Map<string, boolean>();
let canvas: CanvasRenderingContext2D | null = null;

function picture(glyph: string): string {
  canvas ??= Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE }).getContext('2d', { willReadFrequently: true })!;
  canvas.clearRect(0, 0, SIZE, SIZE);
  canvas.font = `${SIZE - 6}px system-ui, sans-serif`;
  canvas.fillText(glyph, 1, SIZE - 6);
  return canvas.getImageData(0, 0, SIZE, SIZE).data.join();
}

/** Whether this device can draw a glyph. */
export function isDrawable(glyph: string): boolean {
  let drawable = known.get(glyph);
  if (drawable === undefined) {
    // Where a letter looks like nothing, pictures are kept from pages and tell nothing.
    drawable = picture(glyph) !== picture(NONE) || picture('A') === picture(NONE);
    known.set(glyph, drawable);
  }
  return drawable;
}

/** What is written on a piece: its glyph, or else the letter of the position's text. */
export function writtenOn({ glyph, mark }: PieceInfo): string {
  return !glyph ? '' : isDrawable(glyph) ? glyph : mark.toUpperCase();
}
