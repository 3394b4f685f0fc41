import { describe, expect, it } from 'vitest';
import { INITIAL_RECORDS, orderFilterOf } from './records-filter.ts';

describe('trade record filters', () => {
  it('DESK-030 nothing chosen narrows nothing', () => {
    expect(orderFilterOf(INITIAL_RECORDS)).toEqual({});
  });

  it('DESK-030 pair and side are sent as the calls name them', () => {
    expect(orderFilterOf({ ...INITIAL_RECORDS, pair: 'ETH/BTC', side: '2' })).toEqual({
      baseCoin: 'ETH',
      quoteCoin: 'BTC',
      tradeType: '2',
    });
  });

  it('DESK-031 a period runs from the first midnight to the last millisecond of its last day, in local time', () => {
    const { startTime, endTime } = orderFilterOf({
      ...INITIAL_RECORDS,
      from: '2026-11-20',
      to: '2026-11-20',
    });
    expect(new Date(startTime!).getHours()).toBe(0);
    expect(new Date(startTime!).getDate()).toBe(20);
    expect(endTime! - startTime!).toBe(86_399_999);
  });
});
