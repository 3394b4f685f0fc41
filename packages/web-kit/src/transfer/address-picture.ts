import { encode } from 'uqr';

const QUIET_CELLS = 2;
const WIDTH = 640;
const LINE = 34;
const MARGIN = 24;
const FONT = '22px ui-monospace, Menlo, Consolas, monospace';

/** Saves a text's QR code as a picture file, with lines below that say what it is. */
export function savePicture(text: string, lines: readonly string[], name: string): void {
  const { data, size } = encode(text, { border: QUIET_CELLS });
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.font = FONT;
  const rows = lines.flatMap((line) => wrapped(line, (part) => pen.measureText(part).width));
  canvas.width = WIDTH;
  canvas.height = WIDTH + rows.length * LINE + MARGIN;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  // A canvas that got its size has forgotten its font.
  pen.font = FONT;
  pen.textAlign = 'center';
  rows.forEach((row, at) => pen.fillText(row, WIDTH / 2, WIDTH + (at + 0.5) * LINE));
  pen.scale(WIDTH / size, WIDTH / size);
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && pen.fillRect(x, y, 1, 1)));
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = `${name}.png`;
  link.click();
}

/** A line in parts that the picture's width holds. */
function wrapped(line: string, widthOf: (part: string) => number): string[] {
  const parts = [''];
  for (const letter of line) {
    const last = parts.at(-1)!;
    if (widthOf(last + letter) > WIDTH - 2 * MARGIN) parts.push(letter);
    else parts[parts.length - 1] = last + letter;
  }
  return parts;
}
