import type {
  Chart,
  IndicatorCreateTooltipDataSourceParams,
  IndicatorTooltipData,
  TooltipLegend,
} from 'klinecharts';
import { formatCompact, formatDecimal } from '../format/format.ts';
import { recall, remember } from '../storage.ts';
import {
  type ChosenParameters,
  INDICATORS,
  type IndicatorName,
  parametersOf,
} from './indicator-parameters.ts';
import { drawIndicator } from './quick-drawing.ts';

export const DEFAULT_INDICATORS: readonly IndicatorName[] = ['MA', 'VOL'];
const OVER_CANDLES: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'BOLL', 'SAR', 'SMA', 'BBI', 'AVP']);

/** How many may be shown at once: more lines over the candles, or more panes below, hide what they explain. */
export const INDICATORS_MAX = { over: 2, below: 3 } as const;

/** The indicators by where they are drawn. */
export const INDICATOR_GROUPS = {
  over: INDICATORS.filter((name) => OVER_CANDLES.has(name)),
  below: INDICATORS.filter((name) => !OVER_CANDLES.has(name)),
} as const;
/** The values of these say their own names. */
const UNTITLED: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'VOL']);
/** The library writes the values of bars in the bars' own colour, which is too faint for text. */
const WITH_BARS: ReadonlySet<IndicatorName> = new Set(['VOL', 'MACD', 'AO']);
/** The library's name of the pane with the candles. */
export const CANDLE_PANE = 'candle_pane';
const PANE_HEIGHT_PX = 88;
const PANE_LEAST_PX = 32;
const REMEMBERED_AS = 'chart-indicators';

/** How indicators are shown: what they are computed with, and the word for the volume in their legends. */
interface IndicatorView {
  readonly parameters: ChosenParameters;
  readonly volume: string;
}

/** Makes the chart show exactly `wanted`: averages over the candles, each of the rest in a pane below. */
export function showIndicators(chart: Chart, wanted: readonly IndicatorName[], view: IndicatorView): void {
  const shown = new Map(chart.getIndicators().map(({ name, calcParams }) => [name, calcParams]));
  for (const name of INDICATORS) {
    const calcParams = [...parametersOf(name, view.parameters)];
    const before = shown.get(name);
    if (!wanted.includes(name)) {
      if (before !== undefined) chart.removeIndicator({ name });
    } else if (before === undefined) {
      const isOver = OVER_CANDLES.has(name);
      const paneId = isOver ? CANDLE_PANE : `pane_${name}`;
      // Values that say their own names need no title, which would only cost them the line.
      const title = UNTITLED.has(name) ? { shortName: '' } : {};
      chart.createIndicator({ name, paneId, draw: drawIndicator, calcParams, ...title }, isOver);
    } else if (before.join() !== calcParams.join()) {
      chart.overrideIndicator({ name, calcParams });
    }
  }
  for (const name of wanted) {
    if (WITH_BARS.has(name)) {
      chart.overrideIndicator({ name, createTooltipDataSource: (at) => legendOf(at, view.volume) });
    }
  }
  sharePanes(chart, wanted);
}

/** However many panes there are, the candles keep at least half of the height. */
function sharePanes(chart: Chart, wanted: readonly IndicatorName[]): void {
  const below = wanted.filter((name) => !OVER_CANDLES.has(name));
  const half = (chart.getSize()?.height ?? 0) / 2;
  const height = Math.max(
    PANE_LEAST_PX,
    Math.min(PANE_HEIGHT_PX, Math.floor(half / Math.max(1, below.length))),
  );
  for (const name of below) chart.setPaneOptions({ id: `pane_${name}`, height, minHeight: PANE_LEAST_PX });
}

/** Whether an indicator that is not shown may be added: its place, over the candles or below, still has room. */
export function hasRoomFor(name: IndicatorName, shown: readonly IndicatorName[]): boolean {
  const place = placeOf(name);
  return shown.filter((one) => placeOf(one) === place).length < INDICATORS_MAX[place];
}

/** What is shown after one was switched on or off; nothing changes where there is no room. */
export function withToggled(name: IndicatorName, shown: readonly IndicatorName[]): readonly IndicatorName[] {
  if (shown.includes(name)) return shown.filter((one) => one !== name);
  return hasRoomFor(name, shown) ? [...shown, name] : shown;
}

function placeOf(name: IndicatorName): keyof typeof INDICATORS_MAX {
  return OVER_CANDLES.has(name) ? 'over' : 'below';
}

/** The indicators this device last chose, as many as there is room for. */
export function rememberedIndicators(): readonly IndicatorName[] {
  const text = recall(REMEMBERED_AS);
  if (text === null) return DEFAULT_INDICATORS;
  const names = text.split(',');
  const chosen: IndicatorName[] = [];
  for (const name of INDICATORS) if (names.includes(name) && hasRoomFor(name, chosen)) chosen.push(name);
  return chosen;
}

/** Keeps the choice on this device. */
export function rememberIndicators(names: readonly IndicatorName[]): void {
  remember(REMEMBERED_AS, names.join(','));
}

/** An amount on an axis or in a legend of the chart, in short; below one, with what there is of it. */
export function chartAmount(value: string | number, locale: string): string {
  const text = String(value);
  return Math.abs(Number(value)) < 1
    ? formatDecimal(text, locale, { minDigits: 2 })
    : formatCompact(text, locale, { ticks: true });
}

type Place = Pick<IndicatorCreateTooltipDataSourceParams<unknown>, 'chart' | 'indicator' | 'crosshair'>;

/** The legend of an indicator with bars: lines in their colours, bars in the colour of text. */
export function legendOf({ chart, indicator, crosshair }: Place, volume: string): IndicatorTooltipData {
  const { lines } = chart.getStyles().indicator;
  const { defaultValue, color: plain } = chart.getStyles().indicator.tooltip.legend;
  const values = (indicator.result[crosshair.dataIndex ?? -1] ?? {}) as Readonly<Record<string, unknown>>;
  let lineCount = 0;
  const legends: TooltipLegend[] = [];
  for (const { key, type, title } of indicator.figures) {
    const color = type === 'line' ? (lines[lineCount++ % lines.length]?.color ?? plain) : plain;
    if (title === undefined) continue;
    const value = values[key];
    const precise = typeof value === 'number' ? value.toFixed(indicator.precision) : defaultValue;
    const isShort = typeof value === 'number' && indicator.shouldFormatBigNumber;
    legends.push({
      title: { text: key === 'volume' ? `${volume}: ` : title, color },
      value: { text: isShort ? chart.getFormatter().formatBigNumber(precise) : precise, color },
    });
  }
  return {
    name: indicator.shortName,
    calcParamsText: `(${indicator.calcParams.join(',')})`,
    legends,
    features: [],
  };
}
