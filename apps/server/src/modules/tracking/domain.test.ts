import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, HOUR_MS, instant, later } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import type { Deposit, DepositProgress, Proof } from '../deposits/index.ts';
import type { Withdrawal } from '../withdrawals/index.ts';
import { isOverdue, shownPromise, trackedDeposit, trackedReport, trackedWithdrawal } from './domain.ts';

const NOW = instant(1_800_000_000_000);
const OWNER = '00000000-0000-7000-8000-000000000001' as UserId;

const DEPOSIT: Deposit = {
  id: 'deposit',
  owner: OWNER,
  asset: 'USDT',
  network: 'TRC20',
  address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
  memo: undefined,
  txid: 'ab'.repeat(32),
  amount: Decimal.parse('20'),
  remark: undefined,
  block: 100,
  confirmations: 12,
  status: 'pending',
  isSmall: false,
  createdAt: NOW,
  finishedAt: undefined,
  goneAt: undefined,
  isClaimed: false,
};
const CONFIRMED: DepositProgress = { confirmed: 12, isConfirmed: true, isPaused: false, expectedAt: NOW };
const CONFIRMING: DepositProgress = {
  confirmed: 3,
  isConfirmed: false,
  isPaused: false,
  expectedAt: later(NOW, HOUR_MS),
};

const WITHDRAWAL: Withdrawal = {
  id: 'withdrawal',
  owner: OWNER,
  asset: 'USDT',
  network: 'TRC20',
  address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
  memo: undefined,
  amount: Decimal.parse('20'),
  fee: Decimal.parse('1'),
  value: Decimal.parse('20'),
  remark: undefined,
  key: undefined,
  orderName: undefined,
  isAuto: false,
  status: 'pending',
  reason: undefined,
  txid: undefined,
  block: undefined,
  confirmations: 12,
  digest: undefined,
  exit: undefined,
  decidedBy: undefined,
  knownAt: undefined,
  createdAt: NOW,
  finishedAt: undefined,
};

describe('where a deposit is', () => {
  it.each([
    [{}, CONFIRMING, 'confirming', 'network'],
    [{}, CONFIRMED, 'crediting', 'system'],
    [{}, { ...CONFIRMED, isPaused: true }, 'paused', 'payments'],
    [{ isSmall: true }, CONFIRMED, 'belowMinimum', 'owner'],
    [{ status: 'finished' }, CONFIRMED, 'completed', undefined],
    [{ status: 'finished', goneAt: NOW }, CONFIRMED, 'completed', undefined],
    [{ status: 'rejected', goneAt: NOW }, CONFIRMING, 'gone', 'network'],
  ] as const)('OPS-1165 %j is %s', (change, progress, stage, handler) => {
    const tracked = trackedDeposit(Object.assign({}, DEPOSIT, change), progress);
    expect(tracked).toMatchObject({ stage, handler });
    expect(tracked.promisedAt).toBe(stage === 'confirming' ? progress.expectedAt : undefined);
  });

  it('OPS-1165 an estimate of confirmations is never late', () => {
    const tracked = trackedDeposit(DEPOSIT, CONFIRMING);
    expect(isOverdue(tracked, later(NOW, DAY_MS))).toBe(false);
  });

  it.each([
    [0, 'reviewing', 'payments'],
    [1, 'completed', undefined],
    [2, 'rejected', undefined],
    [3, 'cancelled', undefined],
  ] as const)('OPS-1165 a report with status %i is %s', (status, stage, handler) => {
    const report: Proof = {
      id: 'report',
      owner: OWNER,
      asset: 'USDT',
      network: 'BEP20',
      address: 'x',
      amount: Decimal.parse('100'),
      remark: '',
      picture: 'x',
      status,
      reason: status === 2 ? 'sanctions' : undefined,
      credited: undefined,
      createdAt: NOW,
      decidedAt: undefined,
    };
    const tracked = trackedReport(report);
    expect(tracked).toMatchObject({ stage, handler });
    expect(isOverdue(tracked, later(NOW, DAY_MS + 1))).toBe(status === 0);
    expect(JSON.stringify(tracked)).not.toContain('sanction');
  });
});

describe('where a withdrawal is', () => {
  const track = (
    change: Partial<Withdrawal>,
    stage?: 'sent' | 'signed' | 'paused' | 'refused' | 'byHand' | 'returning',
  ) =>
    trackedWithdrawal(
      Object.assign({}, WITHDRAWAL, change),
      { confirmed: 2, stage, promisedAt: later(NOW, DAY_MS) },
      NOW,
    );

  it.each([
    [{}, undefined, 'reviewing', 'payments'],
    [{ knownAt: later(NOW, HOUR_MS) }, undefined, 'addressWait', 'system'],
    [{}, 'paused', 'sendingPaused', 'payments'],
    [{ status: 'processing' }, 'paused', 'sendingPaused', 'payments'],
    [{ status: 'processing' }, 'signed', 'sending', 'system'],
    [{ status: 'processing', txid: 'cd' }, 'sent', 'confirming', 'network'],
    [{ status: 'processing' }, 'refused', 'refused', 'payments'],
    [{ status: 'processing', txid: 'cd' }, 'byHand', 'byHand', 'payments'],
    [{ status: 'processing' }, 'returning', 'returning', 'payments'],
    [{ status: 'finished', txid: 'cd' }, undefined, 'completed', undefined],
    [{ status: 'rejected', reason: 'sanctions' }, undefined, 'rejected', undefined],
    [{ status: 'failed' }, undefined, 'failed', undefined],
    [{ status: 'cancelled' }, undefined, 'cancelled', undefined],
    [{ status: 'returned' }, undefined, 'returned', undefined],
  ] as const)('OPS-1165 %j, %s, is %s', (change, sending, stage, handler) => {
    const tracked = track(change, sending);
    expect(tracked).toMatchObject({ stage, handler });
    expect(JSON.stringify(tracked)).not.toContain('sanction');
  });

  it('OPS-1165 the transaction of a withdrawal that is paid by hand is not shown, because it will not be mined', () => {
    expect(track({ status: 'processing', txid: 'cd' }, 'byHand').txid).toBeUndefined();
    expect(track({ status: 'processing', txid: 'cd' }, 'sent').txid).toBe('cd');
  });

  it('OPS-1166 nothing tells a hit on a sanctions list from an ordinary review', () => {
    expect(track({ isAuto: true })).toEqual(track({ isAuto: false }));
  });

  it('OPS-1165 a pending withdrawal is late after its promised time', () => {
    expect(isOverdue(track({}), later(NOW, DAY_MS))).toBe(false);
    expect(isOverdue(track({}), later(NOW, DAY_MS + 1))).toBe(true);
  });

  it('OPS-1165 a withdrawal that still confirms after its promised time is late', () => {
    const tracked = track({ status: 'processing', txid: 'cd' }, 'sent');
    expect(tracked.stage).toBe('confirming');
    expect(isOverdue(tracked, later(NOW, DAY_MS))).toBe(false);
    expect(isOverdue(tracked, later(NOW, DAY_MS + 1))).toBe(true);
  });

  it.each(['paused', 'refused'] as const)(
    'WDR-1201 no promised time is shown while the stage is %s, but the withdrawal is late after it',
    (stage) => {
      const tracked = track({ status: 'processing' }, stage);
      expect(shownPromise(tracked)).toBeUndefined();
      expect(isOverdue(tracked, later(NOW, DAY_MS + 1))).toBe(true);
      expect(shownPromise(track({ status: 'processing' }, 'byHand'))).toBe(later(NOW, DAY_MS));
    },
  );
});
