import type { MarketShape } from './random-commands.ts';

/**
 * Markets that stress different rules: few orders, long queues, an average market, one order per level, many
 * self-trades.
 */
export const SHAPES: readonly MarketShape[] = [
  { name: 'shallow', owners: 6, ticks: 5, mostOrders: 40, mostLots: 20 },
  { name: 'queued', owners: 12, ticks: 3, mostOrders: 120, mostLots: 50 },
  { name: 'ordinary', owners: 10, ticks: 40, mostOrders: 150, mostLots: 100 },
  { name: 'wide', owners: 20, ticks: 4_000, mostOrders: 200, mostLots: 30 },
  { name: 'two owners', owners: 2, ticks: 10, mostOrders: 60, mostLots: 20 },
];

/** A market with enough levels per side for chunks to split and merge. */
export const DEEP: MarketShape = {
  name: 'deep',
  owners: 50,
  ticks: 20_000,
  mostOrders: 2_500,
  mostLots: 100,
};
