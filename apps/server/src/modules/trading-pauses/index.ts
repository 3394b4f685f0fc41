/**
 * trading-pauses: public notices about pauses of trading. A notice has a reason of a fixed list and, if the operators
 * enter them, a note and the time of the next news. The modules that stop trading publish the notices.
 */
export { noticeOf, previewOfNotice } from './fields.ts';
export { TradingPauses } from './service.ts';
export type { TradingPause } from './repository.ts';
