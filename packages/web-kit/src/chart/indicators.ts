import type { Chart } from 'klinecharts';
import { recall, remember } from '../storage.ts';

export const INDICATORS = ['MA', 'EMA', 'BOLL', 'VOL', 'MACD', 'KDJ', 'RSI'] as const;
export type IndicatorName = (typeof INDICATORS)[number];

export const DEFAULT_INDICATORS: readonly IndicatorName[] = ['MA', 'VOL'];
const OVER_CANDLES: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'BOLL']);
const CANDLE_PANE = 'candle_pane';
const PANE_HEIGHT_PX = 88;
const REMEMBERED_AS = 'chart-indicators';

/** Makes the chart show exactly `wanted`: averages over the candles, each of the rest in a pane below. */
export function showIndicators(chart: Chart, wanted: readonly IndicatorName[]): void {
  const shown = new Set(chart.getIndicators().map(({ name }) => name));
  for (const name of INDICATORS) {
    if (wanted.includes(name) === shown.has(name)) continue;
    if (shown.has(name)) {
      chart.removeIndicator({ name });
    } else if (OVER_CANDLES.has(name)) {
      chart.createIndicator({ name, paneId: CANDLE_PANE }, true);
    } else {
      const paneId = `pane_${name}`;
      chart.createIndicator({ name, paneId });
      chart.setPaneOptions({ id: paneId, height: PANE_HEIGHT_PX, minHeight: 40 });
    }
  }
}

/** The indicators this device last chose. */
export function rememberedIndicators(): readonly IndicatorName[] {
  const text = recall(REMEMBERED_AS);
  if (text === null) return DEFAULT_INDICATORS;
  const names = text.split(',');
  return INDICATORS.filter((name) => names.includes(name));
}

/** Keeps the choice on this device. */
export function rememberIndicators(names: readonly IndicatorName[]): void {
  remember(REMEMBERED_AS, names.join(','));
}
