import { encode } from 'uqr';

export interface Poster {
  readonly title: string;
  readonly text: string;
  readonly codeLabel: string;
  readonly code: string;
  readonly link: string;
  readonly brand: string;
}

const WIDTH = 750;
const HEIGHT = 1_200;
const QR_PX = 300;
const QUIET_CELLS = 2;
/**
 * Matches the parts of a text between which a line may break: a short Japanese word with its ending, a single Chinese
 * or Japanese character, or a word with its spaces. Each part includes punctuation after it that may not begin a line.
 */
const UNBROKEN =
  /[\u30a0-\u30ff\u4e00-\u9fff]{1,6}[\u3041-\u3096]+[、。，．：；！？」』）】ー]*|[\u3000-\u9fff\uff00-\uffef][、。，．：；！？」』）】ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]*|[^\s\u3000-\u9fff\uff00-\uffef]+[、。，．：；！？」』）】]*\s*/g;

/**
 * Draws the invitation poster onto `canvas`, whose size it sets: brand, title, text, and the invitation link
 * as a QR code beside the invitation code as text.
 */
export function drawPoster(canvas: HTMLCanvasElement, poster: Poster): void {
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  drawSky(pen);
  drawFacets(pen);
  // The font of the page, which depends on the interface language.
  const font = getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif';
  pen.textBaseline = 'top';
  pen.fillStyle = '#fff';
  pen.font = `600 40px ${font}`;
  pen.fillText(poster.brand, 60, 64);
  pen.font = `700 64px ${font}`;
  const below = drawLines(pen, poster.title, 60, 250, 78);
  pen.font = `400 30px ${font}`;
  pen.fillStyle = '#ddd6fe';
  drawLines(pen, poster.text, 60, below + 24, 44);
  drawInvitation(pen, poster, font);
}

function drawSky(pen: CanvasRenderingContext2D): void {
  const sky = pen.createLinearGradient(0, 0, WIDTH, HEIGHT);
  sky.addColorStop(0, '#2b1064');
  sky.addColorStop(0.55, '#5b21b6');
  sky.addColorStop(1, '#14091f');
  pen.fillStyle = sky;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
}

/**
 * Draws the card at the bottom of the poster, with the invitation link as a QR code and the invitation code as text.
 */
function drawInvitation(pen: CanvasRenderingContext2D, poster: Poster, font: string): void {
  pen.fillStyle = '#fff';
  pen.beginPath();
  pen.roundRect(60, HEIGHT - 420, WIDTH - 120, 360, 28);
  pen.fill();
  drawCode(pen, poster.link, 90, HEIGHT - 390);
  pen.fillStyle = '#555563';
  pen.font = `400 26px ${font}`;
  pen.fillText(poster.codeLabel, 420, HEIGHT - 320);
  pen.fillStyle = '#16161d';
  pen.font = '700 40px ui-monospace, Menlo, Consolas, monospace';
  pen.fillText(poster.code, 420, HEIGHT - 276);
}

/** Draws the facets of a cut gemstone behind the poster's text. */
function drawFacets(pen: CanvasRenderingContext2D): void {
  const facets = [
    [420, 110, 690, 210, 560, 420],
    [690, 210, 560, 420, 740, 520],
    [420, 110, 560, 420, 330, 300],
    [330, 300, 560, 420, 470, 620],
    [560, 420, 740, 520, 470, 620],
  ] as const;
  facets.forEach(([x1, y1, x2, y2, x3, y3], at) => {
    pen.fillStyle = `rgb(196 167 255 / ${0.06 + at * 0.025})`;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.lineTo(x3, y3);
    pen.fill();
  });
}

/**
 * Draws a text over several lines and returns the y coordinate of the line after the text. Lines break only between the
 * parts that `UNBROKEN` matches.
 */
function drawLines(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  height: number,
): number {
  let line = '';
  let at = y;
  for (const word of text.match(UNBROKEN) ?? []) {
    if (line !== '' && pen.measureText((line + word).trimEnd()).width > WIDTH - 2 * x) {
      pen.fillText(line.trimEnd(), x, at);
      [line, at] = ['', at + height];
    }
    line += word;
  }
  pen.fillText(line.trimEnd(), x, at);
  return at + height;
}

function drawCode(pen: CanvasRenderingContext2D, link: string, x: number, y: number): void {
  const { data, size } = encode(link, { border: QUIET_CELLS });
  const cell = QR_PX / size;
  pen.fillStyle = '#16161d';
  data.forEach((row, down) =>
    row.forEach((isDark, right) => {
      if (isDark) pen.fillRect(x + right * cell, y + down * cell, cell + 0.4, cell + 0.4);
    }),
  );
}
