import type {
  Chart,
  IndicatorCreateTooltipDataSourceParams,
  IndicatorTooltipData,
  TooltipLegend,
} from 'klinecharts';
import { formatCompact, formatDecimal } from '../format/format.ts';
import { readStored, store } from '../storage.ts';
import {
  type ChosenParameters,
  INDICATORS,
  type IndicatorName,
  parametersOf,
} from './indicator-parameters.ts';
import { drawIndicator } from './quick-drawing.ts';

export const DEFAULT_INDICATORS: readonly IndicatorName[] = ['MA', 'VOL'];
const OVER_CANDLES: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'BOLL', 'SAR', 'SMA', 'BBI', 'AVP']);

/** Maximum number of indicators that can be shown over the candles (`over`) and in panes below them (`below`). */
export const INDICATORS_MAX = { over: 2, below: 3 } as const;

/** Indicators by location: over the candles, or in panes below them. */
export const INDICATOR_GROUPS = {
  over: INDICATORS.filter((name) => OVER_CANDLES.has(name)),
  below: INDICATORS.filter((name) => !OVER_CANDLES.has(name)),
} as const;
/** Indicators whose legend values already contain the indicator's name, so that their legend needs no title. */
const UNTITLED: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'VOL']);
/**
 * Indicators that contain bars. Their legends are built by `legendOf`, because the chart library would show
 * their legend values in the colour of the bars, which is too faint for text.
 */
const WITH_BARS: ReadonlySet<IndicatorName> = new Set(['VOL', 'MACD', 'AO']);
/** The chart library's id of the candle pane. */
export const CANDLE_PANE = 'candle_pane';
const PANE_HEIGHT_PX = 88;
const PANE_LEAST_PX = 32;
const REMEMBERED_AS = 'chart-indicators';

/**
 * The indicator parameters that the user has changed (others have their defaults), and the translated word
 * for volume that legends show.
 */
interface IndicatorView {
  readonly parameters: ChosenParameters;
  readonly volume: string;
}

/**
 * Shows exactly the `wanted` indicators and removes all others. Those of the group `over` are shown over the candles,
 * each of the others in a separate pane below.
 */
export function showIndicators(chart: Chart, wanted: readonly IndicatorName[], view: IndicatorView): void {
  const shownParams = new Map(chart.getIndicators().map(({ name, calcParams }) => [name, calcParams]));
  for (const name of INDICATORS) {
    const calcParams = [...parametersOf(name, view.parameters)];
    const currentParams = shownParams.get(name);
    if (!wanted.includes(name)) {
      if (currentParams !== undefined) chart.removeIndicator({ name });
    } else if (currentParams === undefined) {
      const isOver = OVER_CANDLES.has(name);
      const paneId = isOver ? CANDLE_PANE : `pane_${name}`;
      // The legend of an indicator in `UNTITLED` gets no title, because the title would repeat the indicator's name and
      // take space.
      const title = UNTITLED.has(name) ? { shortName: '' } : {};
      chart.createIndicator({ name, paneId, draw: drawIndicator, calcParams, ...title }, isOver);
    } else if (currentParams.join() !== calcParams.join()) {
      chart.overrideIndicator({ name, calcParams });
    }
  }
  for (const name of wanted) {
    if (WITH_BARS.has(name)) {
      chart.overrideIndicator({ name, createTooltipDataSource: (place) => legendOf(place, view.volume) });
    }
  }
  setPaneHeights(chart, wanted);
}

/**
 * Sets the height of the indicator panes. Each is at most `PANE_HEIGHT_PX` high, and all together take at most half of
 * the chart, so that half is left for the candles; but each is at least `PANE_LEAST_PX` high.
 */
function setPaneHeights(chart: Chart, wanted: readonly IndicatorName[]): void {
  const below = wanted.filter((name) => !OVER_CANDLES.has(name));
  const half = (chart.getSize()?.height ?? 0) / 2;
  const height = Math.max(
    PANE_LEAST_PX,
    Math.min(PANE_HEIGHT_PX, Math.floor(half / Math.max(1, below.length))),
  );
  for (const name of below) chart.setPaneOptions({ id: `pane_${name}`, height, minHeight: PANE_LEAST_PX });
}

/** Returns whether the chart has room for another indicator at the location of `name` (over or below the candles). */
export function hasRoomFor(name: IndicatorName, shown: readonly IndicatorName[]): boolean {
  const place = placeOf(name);
  return shown.filter((other) => placeOf(other) === place).length < INDICATORS_MAX[place];
}

/**
 * Returns the shown indicators after the user has switched one on or off. If there is no room for another one, nothing
 * changes.
 */
export function withToggled(name: IndicatorName, shown: readonly IndicatorName[]): readonly IndicatorName[] {
  if (shown.includes(name)) return shown.filter((other) => other !== name);
  return hasRoomFor(name, shown) ? [...shown, name] : shown;
}

function placeOf(name: IndicatorName): keyof typeof INDICATORS_MAX {
  return OVER_CANDLES.has(name) ? 'over' : 'below';
}

/**
 * Returns the indicators that are stored on this device as shown, limited to the number that fits. If nothing is
 * stored, returns the default ones.
 */
export function rememberedIndicators(): readonly IndicatorName[] {
  const text = readStored(REMEMBERED_AS);
  if (text === null) return DEFAULT_INDICATORS;
  const names = text.split(',');
  const chosen: IndicatorName[] = [];
  for (const name of INDICATORS) if (names.includes(name) && hasRoomFor(name, chosen)) chosen.push(name);
  return chosen;
}

export function rememberIndicators(names: readonly IndicatorName[]): void {
  store(REMEMBERED_AS, names.join(','));
}

/**
 * Formats an amount for the chart's axis or legend: abbreviated, or with two to eight decimals if it is less than one.
 */
export function chartAmount(value: string | number, locale: string): string {
  const text = String(value);
  return Math.abs(Number(value)) < 1
    ? formatDecimal(text, locale, { minDigits: 2 })
    : formatCompact(text, locale, { ticks: true });
}

type Place = Pick<IndicatorCreateTooltipDataSourceParams<unknown>, 'chart' | 'indicator' | 'crosshair'>;

/**
 * Returns the legend values of an indicator with bars. Values of lines have the line's colour, values of bars the
 * colour of text.
 */
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
    const preciseText = typeof value === 'number' ? value.toFixed(indicator.precision) : defaultValue;
    const isShort = typeof value === 'number' && indicator.shouldFormatBigNumber;
    legends.push({
      title: { text: key === 'volume' ? `${volume}: ` : title, color },
      value: { text: isShort ? chart.getFormatter().formatBigNumber(preciseText) : preciseText, color },
    });
  }
  return {
    name: indicator.shortName,
    calcParamsText: `(${indicator.calcParams.join(',')})`,
    legends,
    features: [],
  };
}
