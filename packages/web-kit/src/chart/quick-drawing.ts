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
 * Draws an indicator in the chart library's place, if it has only bars and lines: each line is one path. Of itself
 * the library makes several objects for every bar of every line. Gives whether it has drawn.
 */
export function drawIndicator(place: Place): boolean {
  const { figures } = place.indicator;
  if (!figures.every((figure) => isBar(figure) || isLine(figure))) return false;
  for (const bars of figures.filter(isBar)) drawBars(place, bars);
  for (const [index, line] of figures.filter(isLine).entries()) drawLine(place, line, index);
  return true;
}

/** One bar for each candle, from the figure's base to its value, in the style that the indicator gives it. */
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
    // A hollow bar: its edge of one pixel lies within it.
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

/** One path through the values, broken where there is none; it reaches one candle beyond what is seen. */
function drawLine({ ctx, chart, indicator, xAxis, yAxis }: Place, figure: Figure, order: number): void {
  const { from, to } = chart.getVisibleRange();
  const { lines } = chart.getStyles().indicator;
  const style = lines[order % lines.length];
  if (style === undefined) return;
  const sharp = style.size % 2 === 1 ? 0.5 : 0;
  ctx.strokeStyle = style.color;
  ctx.lineWidth = style.size;
  ctx.setLineDash([]);
  ctx.beginPath();
  let isDown = false;
  for (let index = from; index <= to; index += 1) {
    const value = valueAt(indicator.result, index, figure);
    if (value !== undefined) {
      const x = xAxis.convertToPixel(index) + sharp;
      const y = yAxis.convertToPixel(value) + sharp;
      if (isDown) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
    }
    isDown = value !== undefined;
  }
  ctx.stroke();
}

function valueAt(result: readonly unknown[], index: number, { key }: Figure): number | undefined {
  const value = (result[index] as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === 'number' ? value : undefined;
}

/** Draws figures of one style if it can, and says whether it did. */
type Draw<A, S> = (ctx: CanvasRenderingContext2D, figures: readonly A[], styles: Partial<S>) => boolean;

interface QuickFigure<A, S> {
  readonly name: string;
  readonly draw: Draw<A, S>;
  readonly checkEventOn: (coordinate: Coordinate, figures: A | A[], styles: Partial<S>) => boolean;
}

let isRegistered = false;

/**
 * Teaches the chart library to draw its two commonest figures, plain boxes and plain texts, by the canvas's direct
 * calls: of itself it builds a rounded path for each box and measures each text before it is written. What is
 * not plain the library draws as ever. Calling it again changes nothing.
 */
export function registerQuickFigures(): void {
  if (isRegistered) return;
  isRegistered = true;
  quicken({ name: 'rect', draw: drawBoxes, checkEventOn: utils.checkCoordinateOnRect });
  quicken({ name: 'text', draw: drawTexts, checkEventOn: utils.checkCoordinateOnText });
}

function quicken<A extends object, S>({ name, draw, checkEventOn }: QuickFigure<A, S>): void {
  const Own = getFigureClass<A | A[], Partial<S>>(name);
  if (Own === null) throw new Error(`The chart library has no figure ${name}.`);
  registerFigure<A | A[], Partial<S>>({
    name,
    draw: (ctx, attrs, styles) => {
      const isDrawn = draw(ctx, Array.isArray(attrs) ? attrs : [attrs], styles);
      if (!isDrawn) new Own({ name, attrs, styles }).draw(ctx);
    },
    checkEventOn,
  });
}

const OPAQUE = /^#[\da-f]{6}$/i;
const HEX = /^#[\da-f]{6}(?:[\da-f]{2})?$/i;

const drawBoxes: Draw<RectAttrs, RectStyle> = (ctx, boxes, styles) => {
  const { style = 'fill', color, borderColor, borderSize = 1, borderRadius = 0 } = styles;
  if (typeof color !== 'string' || !HEX.test(color) || borderRadius !== 0) return false;
  // An edge in the opaque colour of its box lies within the box.
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
    const inside = insideOf(align, paddingLeft, paddingRight);
    ctx.fillText(text, x + inside, y - height * partAbove(baseline) + paddingTop);
  }
  return true;
};

const hasOwnSize = ({ width, height }: TextAttrs) => width !== undefined || height !== undefined;

/** How far from the place it was given a text stands for its padding. */
function insideOf(align: CanvasTextAlign, left: number, right: number): number {
  if (align === 'center') return (left - right) / 2;
  return align === 'right' || align === 'end' ? -right : left;
}

/** The part of a text's height that is above the place it was given. */
function partAbove(baseline: CanvasTextBaseline): number {
  if (baseline === 'top' || baseline === 'hanging') return 0;
  return baseline === 'middle' ? 0.5 : 1;
}
