import type { CandleType } from 'klinecharts';
import { recall, remember } from '../storage.ts';

/** How candles can be drawn. */
export const CHART_KINDS = ['candles', 'hollow', 'bars', 'area'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

const REMEMBERED_AS = 'chart-kind';

const LIBRARY_TYPES: Readonly<Record<ChartKind, CandleType>> = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  bars: 'ohlc',
  area: 'area',
};

/** The chart library's name of a kind. */
export function candleTypeOf(kind: ChartKind): CandleType {
  return LIBRARY_TYPES[kind];
}

/** The kind this device last chose; candles where it chose none that is known. */
export function rememberedKind(): ChartKind {
  const remembered = recall(REMEMBERED_AS);
  return CHART_KINDS.find((kind) => kind === remembered) ?? 'candles';
}

/** Keeps the choice on this device. */
export function rememberKind(kind: ChartKind): void {
  remember(REMEMBERED_AS, kind);
}
