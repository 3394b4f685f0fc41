import fc from 'fast-check';
import { DAY_MS, instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import {
  isLate,
  networkTimesOf,
  routeTimesOf,
  stageOf,
  stepOf,
  timesOf,
  WAIT_REASONS,
  waitReasons,
  type DurationCount,
} from './domain.ts';

const WEEK_MS = 7 * DAY_MS;

/** Puts each duration (in milliseconds) into its bucket of the statistics, as a finished withdrawal. */
function countDurations(times: readonly number[], asset = 'USDT'): DurationCount[] {
  return times.map((ms) => ({
    asset,
    network: 'TRC20',
    seconds: stepOf(ms),
    count: 1,
    late: isLate(ms) ? 1 : 0,
    slowestMs: ms,
  }));
}

it('PAPI-087 the durations of a network are those of all its coins, as upper bounds', () => {
  const times = Array.from({ length: 20 }, (_, place) => (place + 1) * 10_000);
  const rows = [
    ...countDurations(times.slice(0, 10)),
    ...countDurations(times.slice(10), 'BTC'),
    { ...countDurations([5_000])[0]!, network: 'BTC' },
  ];
  expect(networkTimesOf(rows)).toEqual([
    { network: 'BTC', finished: 1, medianSeconds: 5, p95Seconds: 5 },
    { network: 'TRC20', finished: 20, medianSeconds: 120, p95Seconds: 200 },
  ]);
  expect(networkTimesOf([])).toEqual([]);
});

it('WDR-011 median and 90th percentile are never reported better than they were, and at most one bucket worse', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: WEEK_MS }), { minLength: 1, maxLength: 60 }), (times) => {
      const sorted = times.toSorted((left, right) => left - right);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
      const reported = timesOf(countDurations(times));
      const slowest = Math.ceil(sorted.at(-1)! / 1_000);
      expect(reported.medianSeconds).toBe(Math.min(stepOf(at(0.5)), slowest));
      expect(reported.p90Seconds).toBe(Math.min(stepOf(at(0.9)), slowest));
      expect(reported.medianSeconds * 1_000).toBeGreaterThanOrEqual(at(0.5));
      expect(reported.slowestSeconds).toBe(slowest);
      expect(reported.late).toBe(times.filter((ms) => ms > DAY_MS).length);
    }),
  );
});

it('WDR-011 each coin and network has its own statistics, and they are empty without withdrawals', () => {
  const rows = [...countDurations([61_000, 61_500]), ...countDurations([10_000], 'BTC')];
  expect(routeTimesOf(rows)).toEqual([
    {
      asset: 'USDT',
      network: 'TRC20',
      finished: 2,
      medianSeconds: 62,
      p90Seconds: 62,
      slowestSeconds: 62,
      late: 0,
    },
    {
      asset: 'BTC',
      network: 'TRC20',
      finished: 1,
      medianSeconds: 10,
      p90Seconds: 10,
      slowestSeconds: 10,
      late: 0,
    },
  ]);
  expect(timesOf([])).toEqual({ finished: 0, medianSeconds: 0, p90Seconds: 0, slowestSeconds: 0, late: 0 });
});

const NO_DELAY = { isPaused: false, isRefused: false } as const;
const REFUSED = { isPaused: false, isRefused: true } as const;
const PAUSED = { isPaused: true, isRefused: false } as const;

it('TRE-104 a withdrawal that people pay is in a stage of its own, whatever was signed for it', () => {
  const exit = {
    kind: 'paid',
    txid: undefined,
    by: 'two operators',
    at: instant(0),
    readyAt: undefined,
  } as const;
  expect(stageOf({ status: 'processing', txid: '0x1', exit }, 'sent', NO_DELAY)).toBe('byHand');
  expect(stageOf({ status: 'processing', txid: '0x1', exit: undefined }, 'sent', NO_DELAY)).toBe('sent');
  expect(stageOf({ status: 'finished', txid: '0x1', exit }, 'sent', NO_DELAY)).toBeUndefined();
});

it('WDR-1174 a payment that the network refused is in a stage of its own until it is signed or has an exit', () => {
  const waiting = { status: 'processing', txid: undefined, exit: undefined } as const;
  const exit = {
    kind: 'return',
    reason: 'networkRefused',
    txid: undefined,
    by: 'two operators',
    at: instant(0),
    readyAt: undefined,
  } as const;
  expect(stageOf(waiting, undefined, REFUSED)).toBe('refused');
  expect(stageOf(waiting, undefined, NO_DELAY)).toBe('approved');
  expect(stageOf({ ...waiting, txid: '0x1' }, 'sent', REFUSED)).toBe('sent');
  expect(stageOf({ ...waiting, exit }, undefined, REFUSED)).toBe('returning');
  expect(stageOf({ ...waiting, status: 'returned' }, undefined, REFUSED)).toBeUndefined();
});

it('WDR-1200 while sending is paused, an unsigned withdrawal is in a stage of its own, approved or not', () => {
  const waiting = { status: 'processing', txid: undefined, exit: undefined } as const;
  expect(stageOf(waiting, undefined, PAUSED)).toBe('paused');
  expect(stageOf({ ...waiting, status: 'pending' }, undefined, PAUSED)).toBe('paused');
  expect(stageOf({ ...waiting, status: 'pending' }, undefined, REFUSED)).toBeUndefined();
  // A signature cannot be revoked, so a signed withdrawal continues even while sending is paused.
  expect(stageOf(waiting, 'signing', PAUSED)).toBe('signing');
  expect(stageOf({ ...waiting, txid: '0x1' }, 'sent', PAUSED)).toBe('sent');
  expect(stageOf({ ...waiting, status: 'finished' }, undefined, PAUSED)).toBeUndefined();
});

it('OPS-1152 a withdrawal waits for each reason by itself, the most serious first, and for none if nothing is unusual', () => {
  const usual = {
    hasSanctionsHit: false,
    isChanged: false,
    needsSecondPerson: false,
    hasWithdrawn: true,
    finishedToAddress: 3,
    newDevices: 0,
    securityChanges: 0,
    hasFreshDeposit: false,
  };
  expect(waitReasons(usual)).toEqual([]);
  const unusual = {
    hasSanctionsHit: true,
    isChanged: true,
    needsSecondPerson: true,
    hasWithdrawn: false,
    finishedToAddress: 0,
    newDevices: 1,
    securityChanges: 2,
    hasFreshDeposit: true,
  };
  const single = Object.entries(unusual).map(([name, value]) => waitReasons({ ...usual, [name]: value }));
  expect(single.map(({ length }) => length)).toEqual(WAIT_REASONS.map(() => 1));
  expect(new Set(single.flat())).toEqual(new Set(WAIT_REASONS));
  expect(waitReasons(unusual)).toEqual(WAIT_REASONS);
});
