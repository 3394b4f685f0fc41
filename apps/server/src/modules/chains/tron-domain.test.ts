import { expect, it } from 'vitest';
import {
  burntFor,
  coinTransfersIn,
  feeLimitOf,
  isBalanceAhead,
  isReferenceTo,
  outcomesOf,
  tronAddress,
  tronLifetimeOf,
  usualCost,
  type TronTransaction,
} from './tron-domain.ts';

const PRICES = { energy: 100n, bandwidth: 1_000n, activation: 1_000_000n };
const OWN = '11'.repeat(20);
const OTHER = '22'.repeat(20);
const transaction = {
  txid: 'aa',
  isSuccess: true,
  failure: undefined,
  owner: OWN,
  paid: undefined,
  fee: 5n,
  logs: [],
};
const transfer = {
  txid: 'aa',
  output: 1,
  asset: 'USDT',
  digits: 6,
  sender: tronAddress(OWN),
  receiver: tronAddress(OTHER),
  units: 1n,
};

it('NET-029 transfers of TRX are those of transactions that did not fail and state payer and receiver', () => {
  const paid = { receiver: OTHER, units: 7n };
  const made = { txid: 'aa', output: 0, asset: 'TRX', digits: 6, units: 7n };
  const parties = { sender: tronAddress(OWN), receiver: tronAddress(OTHER) };
  expect(coinTransfersIn([{ ...transaction, isSuccess: false, paid }])).toEqual([
    Object.assign({}, made, parties),
  ]);
  expect(coinTransfersIn([{ ...transaction, paid, failure: 'FAILED' }])).toEqual([]);
  expect(coinTransfersIn([{ ...transaction, paid, owner: undefined }])).toEqual([]);
  expect(coinTransfersIn([transaction])).toEqual([]);
});

it('WDR-1207 the cost of a payment is energy and bandwidth at their prices, at least the usual energy for a token, and none for TRX', () => {
  expect(usualCost(undefined, PRICES)).toBe(350_000n);
  expect(usualCost(0n, PRICES)).toBe(6_500_000n + 350_000n);
  expect(usualCost(130_000n, PRICES)).toBe(13_000_000n + 350_000n);
});

it('TRON-014 a fee limit has a fifth more energy, and what is burnt counts staked energy and bandwidth', () => {
  const limit = feeLimitOf(65_000n, PRICES);
  expect(limit).toBe(7_800_100n);
  const burnt = (energy: bigint, bandwidth: bigint, count = 1) =>
    burntFor({ limits: limit * BigInt(count), count }, PRICES, { energy, bandwidth });
  expect(burnt(0n, 0n)).toBe(7_800_100n + 350_000n);
  expect(burnt(78_001n, 0n)).toBe(350_000n);
  expect(burnt(70_000n, 350n)).toBe(800_100n);
  // There are two transfers, and the available bandwidth covers only one. The estimate then counts TRX for the
  // bandwidth of both.
  expect(burnt(0n, 600n, 2)).toBe(15_600_200n + 700_000n);
  expect(burnt(1_000_000n, 1_000n, 2)).toBe(0n);
});

it('TRON-013 a transaction of an own account has its result, and a successful call that moved nothing a result of its own', () => {
  const results = (changes: Partial<TronTransaction>, transfers = [transfer]) =>
    outcomesOf([Object.assign({}, transaction, changes)], transfers, {
      isOwn: (address) => address === tronAddress(OWN),
      signed: new Set(['bb']),
    }).map(({ result }) => result);
  expect(results({})).toEqual(['SUCCESS']);
  expect(results({ isSuccess: false, failure: 'OUT_OF_ENERGY' })).toEqual(['OUT_OF_ENERGY']);
  expect(results({}, [])).toEqual(['NO_TRANSFER']);
  expect(results({}, [{ ...transfer, sender: tronAddress(OTHER) }])).toEqual(['NO_TRANSFER']);
  // A transfer of TRX calls no contract, so `isSuccess` is false although the transaction did not fail.
  expect(results({ isSuccess: false }, [])).toEqual(['SUCCESS']);
  expect(results({ owner: OTHER })).toEqual([]);
  // The transaction `bb` was signed for a payment, so it counts although a former wallet of the exchange,
  // which the settings no longer contain, paid for it.
  expect(results({ owner: OTHER, txid: 'bb', isSuccess: false })).toEqual(['SUCCESS']);
});

it('TRON-012 a transaction lives longer each time that it was lost, up to an hour, and names a block by its last two bytes', () => {
  expect([0, 1, 2, 3, 50].map(tronLifetimeOf)).toEqual([300_000, 900_000, 2_700_000, 3_600_000, 3_600_000]);
  expect(isReferenceTo({ refBytes: 'a1b2' }, 0x4d5_a1b2)).toBe(true);
  expect(isReferenceTo({ refBytes: 'a1b2' }, 0x4d5_a1b3)).toBe(false);
});

it.each([
  [100, 100, false],
  [120, 100, false],
  [121, 100, true],
])(
  'TRON-023 the balance at block %i is used while block %i is the newest that was read: not if %s',
  (head, height, isAhead) => {
    expect(isBalanceAhead(head, height)).toBe(isAhead);
  },
);
