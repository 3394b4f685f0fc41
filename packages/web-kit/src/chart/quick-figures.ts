import {
  getFigureClass,
  registerFigure,
  utils,
  type Coordinate,
  type RectAttrs,
  type RectStyle,
  type TextAttrs,
  type TextStyle,
} from 'klinecharts';

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
