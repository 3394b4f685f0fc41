/**
 * Candle intervals of the public trading API. A candle of most intervals begins at a whole multiple of its length since
 * 1970-01-01 00:00 UTC. Weekly candles begin on Monday, and monthly ones on the first day of the month, at 00:00 UTC.
 */
export const API_INTERVALS = [
  '1s',
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
export type ApiInterval = (typeof API_INTERVALS)[number];
