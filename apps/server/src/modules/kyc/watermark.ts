import type { Tile } from '../files/index.ts';

/** Bitmap font of 5 × 7 dots, one number per row. Independent of the fonts installed on the machine. */
const GLYPHS: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    '0': [14, 17, 19, 21, 25, 17, 14],
    '1': [4, 12, 4, 4, 4, 4, 14],
    '2': [14, 17, 1, 2, 4, 8, 31],
    '3': [31, 2, 4, 2, 1, 17, 14],
    '4': [2, 6, 10, 18, 31, 2, 2],
    '5': [31, 16, 30, 1, 1, 17, 14],
    '6': [6, 8, 16, 30, 17, 17, 14],
    '7': [31, 1, 2, 4, 8, 8, 8],
    '8': [14, 17, 17, 14, 17, 17, 14],
    '9': [14, 17, 17, 15, 1, 2, 12],
    A: [14, 17, 17, 31, 17, 17, 17],
    B: [30, 17, 17, 30, 17, 17, 30],
    C: [14, 17, 16, 16, 16, 17, 14],
    D: [28, 18, 17, 17, 17, 18, 28],
    E: [31, 16, 16, 30, 16, 16, 31],
    F: [31, 16, 16, 30, 16, 16, 16],
    G: [14, 17, 16, 23, 17, 17, 15],
    H: [17, 17, 17, 31, 17, 17, 17],
    I: [14, 4, 4, 4, 4, 4, 14],
    J: [7, 2, 2, 2, 2, 18, 12],
    K: [17, 18, 20, 24, 20, 18, 17],
    L: [16, 16, 16, 16, 16, 16, 31],
    M: [17, 27, 21, 21, 17, 17, 17],
    N: [17, 17, 25, 21, 19, 17, 17],
    O: [14, 17, 17, 17, 17, 17, 14],
    P: [30, 17, 17, 30, 16, 16, 16],
    Q: [14, 17, 17, 17, 21, 18, 13],
    R: [30, 17, 17, 30, 20, 18, 17],
    S: [15, 16, 16, 14, 1, 1, 30],
    T: [31, 4, 4, 4, 4, 4, 4],
    U: [17, 17, 17, 17, 17, 17, 14],
    V: [17, 17, 17, 17, 17, 10, 4],
    W: [17, 17, 17, 21, 21, 21, 10],
    X: [17, 17, 10, 4, 10, 17, 17],
    Y: [17, 17, 17, 10, 4, 4, 4],
    Z: [31, 1, 2, 4, 8, 16, 31],
    '-': [0, 0, 0, 31, 0, 0, 0],
    ':': [0, 12, 12, 0, 12, 12, 0],
    '.': [0, 0, 0, 0, 0, 12, 12],
    '@': [14, 17, 1, 13, 21, 21, 14],
    ' ': [0, 0, 0, 0, 0, 0, 0],
  }),
);
const UNKNOWN = [31, 17, 17, 17, 17, 17, 31];
const [COLUMNS, ROWS, DOT] = [6, 7, 3];
/** Opacity (of 255) of the light letters and of their shadow, so the text is visible on light and dark pictures. */
const [LIGHT, SHADOW] = [110, 90];

/** A watermark tile: the text in capitals on two lines, the lower one shifted by half a tile. */
export function watermarkTile(words: string): Tile {
  return tileOf(words.toUpperCase());
}

function tileOf(words: string): Tile {
  const letters = Array.from(words, (letter) => GLYPHS.get(letter) ?? UNKNOWN);
  const size = { width: (letters.length + 3) * COLUMNS * DOT, height: ROWS * DOT * 6 };
  const pixels = Buffer.alloc(size.width * size.height * 4);
  const drawDot = (x: number, y: number, light: number, alpha: number) => {
    for (let dy = 0; dy < DOT; dy += 1)
      for (let dx = 0; dx < DOT; dx += 1) {
        const offset = ((y + dy) * size.width + ((x + dx) % size.width)) * 4;
        pixels.fill(light, offset, offset + 3);
        pixels[offset + 3] = alpha;
      }
  };
  const drawLine = (top: number, left: number, shift: number, light: number, alpha: number) => {
    for (const [index, rows] of letters.entries())
      for (const [row, bits] of rows.entries())
        for (let column = 0; column < COLUMNS - 1; column += 1)
          if ((bits & (16 >> column)) !== 0)
            drawDot(left + (index * COLUMNS + column) * DOT + shift, top + row * DOT + shift, light, alpha);
  };
  for (const [top, left] of [
    [DOT * 2, 0],
    [ROWS * DOT * 3, Math.floor(size.width / 2)],
  ] as const) {
    drawLine(top, left, 1, 0, SHADOW);
    drawLine(top, left, 0, 255, LIGHT);
  }
  return { pixels, ...size };
}
