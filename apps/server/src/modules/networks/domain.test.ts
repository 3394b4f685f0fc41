import { expect, it } from 'vitest';
import { isDelayed, networkState, paymentState, testedOn } from './domain.ts';

it('NET-010 a network is what its node is, or else what its coins are served by', () => {
  expect(networkState({ problem: undefined }, ['evm'])).toBe('working');
  expect(networkState({ problem: 'ERC20 is not heard' }, ['evm', 'none'])).toBe('troubled');
  expect(networkState(undefined, ['manual', 'demo'])).toBe('simulated');
  expect(networkState(undefined, ['none', 'manual'])).toBe('byHand');
  expect(networkState(undefined, ['none'])).toBe('closed');
});

it('NET-030 operators see which channels were tested over nodes, and which with recorded answers only', () => {
  expect(testedOn({ network: 'ERC20', kind: 'evm' })).toBe('testNodes');
  expect(testedOn({ network: 'LTC', kind: 'utxo' })).toBe('testNodes');
  expect(testedOn({ network: 'DOGE', kind: 'utxo' })).toBe('litecoinNode');
  expect(testedOn({ network: 'XRP', kind: 'xrp' })).toBe('recordedAnswers');
  expect(testedOn({ network: 'TRC20', kind: 'tron' })).toBe('recordedAnswers');
});

it('NET-027 a network is delayed by its node, a stuck payment or five late withdrawals, not by fewer or while paused', () => {
  const reads = { readingProblem: undefined };
  const behind = { readingProblem: 'ERC20 is read 60 blocks late' };
  expect(isDelayed(undefined, undefined, false)).toBe(false);
  expect(isDelayed(reads, { stuck: 0, late: 4 }, false)).toBe(false);
  expect(isDelayed(reads, { stuck: 0, late: 5 }, false)).toBe(true);
  expect(isDelayed(undefined, { stuck: 0, late: 5 }, false)).toBe(true);
  expect(isDelayed(reads, { stuck: 1, late: 0 }, false)).toBe(true);
  expect(isDelayed(reads, { stuck: 1, late: 5 }, true)).toBe(false);
  expect(isDelayed(behind, undefined, true)).toBe(true);
});

it('NET-010 a payment is stuck if it is signed, in no block, and could leave long ago', () => {
  const payment = { txid: 'a', block: undefined, leavesAt: 100 };
  expect(paymentState({ txid: undefined, block: undefined, leavesAt: 0 }, 101)).toBe('waiting');
  expect(paymentState(payment, 100)).toBe('signed');
  expect(paymentState(payment, 101)).toBe('stuck');
  expect(paymentState({ txid: 'a', block: 7, leavesAt: 100 }, 101)).toBe('inBlock');
});
