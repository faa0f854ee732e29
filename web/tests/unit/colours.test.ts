import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync('src/style/board.css', 'utf8');

/** A custom property in the light and in the dark theme. */
function both(name: string): [string, string] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  if (!found) throw new Error(`--${name} has no two colours`);
  return [found[1]!, found[2]!];
}

/** Relative luminance and contrast: WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

it('knows the contrast of black and white', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21));

for (const ground of ['wood', 'cells', 'green']) {
  for (const mark of ['grid', 'cell-edge', 'target', 'last', 'cursor', 'arrow', 'red-glyph', 'blue-glyph']) {
    it(`shows ${mark} on ${ground}`, () => {
      const [marks, grounds] = [both(mark), both(ground)];
      for (const theme of [0, 1] as const) expect(contrast(marks[theme], grounds[theme]), ['light', 'dark'][theme]).toBeGreaterThanOrEqual(3);
    });
  }
}

it('shows marks on the blue board of a column game, in dark colours', () => {
  const [, blue] = /\.ground\.column \{ fill: (#[0-9a-f]{6})/.exec(css)!;
  for (const mark of ['last', 'cursor', 'arrow', 'target']) expect(contrast(both(mark)[1], blue!), mark).toBeGreaterThanOrEqual(3);
});
