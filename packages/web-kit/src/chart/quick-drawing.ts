import {
  type Coordinate,
  type IndicatorDrawParams,
  type IndicatorFigure,
  type RectAttrs,
  type RectStyle,
  type TextAttrs,
  type TextStyle,
  getFigureClass,
  registerFigure,
  utils,
} from 'klinecharts';

type Place = IndicatorDrawParams<unknown, unknown, unknown>;
type Figure = IndicatorFigure;

const isBar = ({ type, attrs }: Figure) => type === 'bar' && attrs === undefined;
const isLine = ({ type, attrs, styles }: Figure) =>
  type === 'line' && attrs === undefined && styles === undefined;

/**
 * Draws an indicator that consists only of bars and lines, with one path per line, and returns true. For other
 * indicators returns false, and the chart library draws them. The library would create several objects per bar and
 * line.
 */
export function drawIndicator(place: Place): boolean {
  const { figures } = place.indicator;
  if (!figures.every((figure) => isBar(figure) || isLine(figure))) return false;
  for (const bars of figures.filter(isBar)) drawBars(place, bars);
  for (const [index, line] of figures.filter(isLine).entries()) drawLine(place, line, index);
  return true;
}

/** Draws the bars of an indicator, one per candle, from the base to the indicator's value, in the indicator's style. */
function drawBars({ ctx, chart, indicator, xAxis, yAxis }: Place, figure: Figure): void {
  const { from, to } = chart.getVisibleRange();
  const { result } = indicator;
  const barSpace = chart.getBarSpace();
  const defaultStyles = chart.getStyles().indicator;
  const width = Math.max(1, barSpace.halfGapBar * 2);
  const base = figure.baseValue ?? yAxis.getRange().from;
  const baseY = yAxis.convertToPixel(base);
  for (let index = from; index < to; index += 1) {
    const value = valueAt(result, index, figure);
    if (value === undefined) continue;
    const data = { prev: result[index - 1], current: result[index], next: result[index + 1] };
    const style = figure.styles?.({ data, indicator, barSpace, defaultStyles });
    const valueY = yAxis.convertToPixel(value);
    const x = xAxis.convertToPixel(index) - barSpace.halfGapBar;
    const y = Math.min(valueY, baseY);
    const height = value === base ? 0 : Math.max(1, Math.abs(baseY - valueY));
    const color = style?.color ?? defaultStyles.bars[0]?.noChangeColor;
    if (typeof color !== 'string') continue;
    // A hollow bar gets a border of one pixel inside its bounds. If it is at most two pixels wide or high, it
    // is filled instead.
    if (style?.style === 'stroke' && width > 2 && height > 2) {
      ctx.strokeStyle = color;
      ctx.lineWidth = 1;
      ctx.setLineDash([]);
      ctx.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    } else {
      ctx.fillStyle = color;
      ctx.fillRect(x, y, width, height);
    }
  }
}

/**
 * Draws one path through the values of an indicator. The path is interrupted where values are missing, and extends one
 * candle beyond the visible range.
 */
function drawLine({ ctx, chart, indicator, xAxis, yAxis }: Place, figure: Figure, order: number): void {
  const { from, to } = chart.getVisibleRange();
  const { lines } = chart.getStyles().indicator;
  const style = lines[order % lines.length];
  if (style === undefined) return;
  const halfPixel = style.size % 2 === 1 ? 0.5 : 0;
  ctx.strokeStyle = style.color;
  ctx.lineWidth = style.size;
  ctx.setLineDash([]);
  ctx.beginPath();
  let isDrawing = false;
  for (let index = from; index <= to; index += 1) {
    const value = valueAt(indicator.result, index, figure);
    if (value !== undefined) {
      const x = xAxis.convertToPixel(index) + halfPixel;
      const y = yAxis.convertToPixel(value) + halfPixel;
      if (isDrawing) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
    }
    isDrawing = value !== undefined;
  }
  ctx.stroke();
}

function valueAt(result: readonly unknown[], index: number, { key }: Figure): number | undefined {
  const value = (result[index] as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === 'number' ? value : undefined;
}

/**
 * Draws figures of one style and returns true. Returns false if it does not support the style, so that the library
 * draws them.
 */
type Draw<A, S> = (ctx: CanvasRenderingContext2D, figures: readonly A[], styles: Partial<S>) => boolean;

interface QuickFigure<A, S> {
  readonly name: string;
  readonly draw: Draw<A, S>;
  readonly checkEventOn: (coordinate: Coordinate, figures: A | A[], styles: Partial<S>) => boolean;
}

let isRegistered = false;

/**
 * Replaces the chart library's drawing of plain rectangles and plain texts, its most frequent figures, by faster direct
 * canvas calls. The library would build a rounded path for each rectangle and measure each text. It still draws figures
 * in other styles. Another call has no effect.
 */
export function registerQuickFigures(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerFastFigure({ name: 'rect', draw: drawBoxes, checkEventOn: utils.checkCoordinateOnRect });
  registerFastFigure({ name: 'text', draw: drawTexts, checkEventOn: utils.checkCoordinateOnText });
}

function registerFastFigure<A extends object, S>({ name, draw, checkEventOn }: QuickFigure<A, S>): void {
  const LibraryFigure = getFigureClass<A | A[], Partial<S>>(name);
  if (LibraryFigure === null) throw new Error(`The chart library has no figure ${name}.`);
  registerFigure<A | A[], Partial<S>>({
    name,
    draw: (ctx, attrs, styles) => {
      const isDrawn = draw(ctx, Array.isArray(attrs) ? attrs : [attrs], styles);
      if (!isDrawn) new LibraryFigure({ name, attrs, styles }).draw(ctx);
    },
    checkEventOn,
  });
}

const OPAQUE = /^#[\da-f]{6}$/i;
const HEX = /^#[\da-f]{6}(?:[\da-f]{2})?$/i;

const drawBoxes: Draw<RectAttrs, RectStyle> = (ctx, boxes, styles) => {
  const { style = 'fill', color, borderColor, borderSize = 1, borderRadius = 0 } = styles;
  if (typeof color !== 'string' || !HEX.test(color) || borderRadius !== 0) return false;
  // If the border has the same opaque colour as the rectangle, filling the rectangle draws the border as well.
  const isEdgeWithin = borderColor === color && borderSize === 1 && OPAQUE.test(color);
  if (style !== 'fill' && !(style === 'stroke_fill' && isEdgeWithin)) return false;
  ctx.fillStyle = color;
  for (const { x, y, width, height } of boxes) ctx.fillRect(x, y, width, height);
  return true;
};

const drawTexts: Draw<TextAttrs, TextStyle> = (ctx, texts, styles) => {
  const { color, family, weight = 'normal', size = 12, backgroundColor = 'transparent' } = styles;
  const { style = 'fill', paddingLeft = 0, paddingRight = 0, paddingTop = 0, paddingBottom = 0 } = styles;
  if (color === undefined || family === undefined || style !== 'fill') return false;
  if (backgroundColor !== 'transparent' || texts.some(hasOwnSize)) return false;
  ctx.font = `${weight} ${size}px ${family}`;
  ctx.fillStyle = color;
  ctx.textBaseline = 'top';
  const height = paddingTop + size + paddingBottom;
  for (const { text, x, y, align = 'left', baseline = 'top' } of texts) {
    ctx.textAlign = align;
    const offset = paddingOffset(align, paddingLeft, paddingRight);
    ctx.fillText(text, x + offset, y - height * fractionAbove(baseline) + paddingTop);
  }
  return true;
};

const hasOwnSize = ({ width, height }: TextAttrs) => width !== undefined || height !== undefined;

/**
 * Returns the distance in pixels, positive to the right, by which the padding at the left and right of a text moves the
 * text from its horizontal anchor.
 */
function paddingOffset(align: CanvasTextAlign, left: number, right: number): number {
  if (align === 'center') return (left - right) / 2;
  return align === 'right' || align === 'end' ? -right : left;
}

/** Returns the fraction of a text's height that is above its vertical anchor. */
function fractionAbove(baseline: CanvasTextBaseline): number {
  if (baseline === 'top' || baseline === 'hanging') return 0;
  return baseline === 'middle' ? 0.5 : 1;
}
