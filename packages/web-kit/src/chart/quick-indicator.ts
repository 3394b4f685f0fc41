import type { IndicatorDrawParams, IndicatorFigure } from 'klinecharts';

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
