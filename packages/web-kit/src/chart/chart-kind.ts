import type { CandleType } from 'klinecharts';
import { readStored, store } from '../storage.ts';

/** Drawing styles of the candle chart. */
export const CHART_KINDS = ['candles', 'hollow', 'bars', 'area'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

const REMEMBERED_AS = 'chart-kind';

const LIBRARY_TYPES: Readonly<Record<ChartKind, CandleType>> = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  bars: 'ohlc',
  area: 'area',
};

/** Converts a drawing style to the chart library's candle type. */
export function candleTypeOf(kind: ChartKind): CandleType {
  return LIBRARY_TYPES[kind];
}

/** Returns the drawing style that is stored on this device; `candles` by default. */
export function rememberedKind(): ChartKind {
  const remembered = readStored(REMEMBERED_AS);
  return CHART_KINDS.find((kind) => kind === remembered) ?? 'candles';
}

export function rememberKind(kind: ChartKind): void {
  store(REMEMBERED_AS, kind);
}
