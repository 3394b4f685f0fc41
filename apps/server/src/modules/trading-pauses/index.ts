/**
 * trading-pauses: what users read about pauses of trading: a public reason of a fixed list, an optional note, and the time
 * of the next news. The modules that stop trading publish the notices.
 */
export { noticeOf, previewOfNotice } from './fields.ts';
export { TradingPauses } from './service.ts';
export type { TradingPause } from './repository.ts';
