import { describe, expect, it } from 'vitest';
import { stakeShare, ticketFigures, ticketProblem, type StakeContext } from './ticket.ts';

const moment: StakeContext = {
  coin: 'USDT',
  duration: { second: 60, rate: '0.85', minimum: '5' },
  feeRate: '0.01',
  maxStake: '500',
  available: '101',
};

describe('the ticket of the seconds contract', () => {
  it('CON-010 shows all consequences of a stake before it is opened', () => {
    const { payout, fee, loss, breakEven, expected } = ticketFigures('100', moment);
    expect([payout, fee, loss, expected]).toEqual(['185', '1', '101', '-0.085']);
    expect(breakEven).toBe('0.5459');
    const breakEvens = ['0.8', '0.85', '0.92'].map(
      (rate) => ticketFigures('', { feeRate: '0', duration: { ...moment.duration, rate } }).breakEven,
    );
    expect(breakEvens).toEqual(['0.5556', '0.5405', '0.5208']);
    expect(ticketFigures('', moment)).toMatchObject({ payout: undefined, expected: '-0.085' });
  });

  it('CON-011 refuses what the server would refuse, with the same keys', () => {
    const key = (stake: string) => ticketProblem(stake, moment)?.key;
    expect(['', '0.000001', '4', '501', '100.5', '100'].map(key)).toEqual([
      'l.c_enteropenamt',
      'l.c_enteropenamt',
      'l.u_limit_min_low',
      'l.amount_max',
      'l.insufficient_balance',
      undefined,
    ]);
  });

  it('WEB-312 CON-011 explains an invalid stake', () => {
    const key = (stake: string) => ticketProblem(stake, moment)?.key;
    expect(['1e5', 'abc', '-5', '5.123456789'].map(key)).toEqual([
      'l.field_number',
      'l.field_number',
      'l.field_positive',
      'l.field_decimals',
    ]);
  });

  it('CON-011 takes a share of the available balance that leaves the fee', () => {
    expect([25, 100].map((percent) => stakeShare(percent, moment))).toEqual(['25', '100']);
    expect(stakeShare(100, { ...moment, available: '9999' })).toBe('500');
    expect(stakeShare(50, { ...moment, available: undefined })).toBeUndefined();
  });
});
