import { describe, expect, it } from 'vitest';
import {
  arrivalsIn,
  boundedFee,
  hasLedgers,
  lifetimeOf,
  outcomesOf,
  type XrpTransaction,
} from './xrp-domain.ts';

const [OWN, COLD, OTHER] = ['own', 'cold', 'other'];
const ACCOUNTS = new Set([OWN, COLD]);

function payment(changes: Partial<XrpTransaction> = {}): XrpTransaction {
  return {
    txid: 'A1',
    ledger: 7,
    type: 'Payment',
    account: OTHER,
    sequence: 3,
    fee: 12n,
    destination: OWN,
    tag: 0,
    result: 'tesSUCCESS',
    delivered: 5n,
    changes: new Map([
      [OTHER, -17n],
      [OWN, 5n],
    ]),
    ...changes,
  };
}

const read = (transaction: XrpTransaction) =>
  arrivalsIn(transaction, ACCOUNTS).map(
    ({ address, amount, memo, remark, isInternal }) =>
      `${address} ${amount.toString()} ${memo ?? '-'}${isInternal ? ' internal' : ''}${remark === undefined ? '' : `: ${remark}`}`,
  );

describe('transactions of the XRP Ledger', () => {
  it('XRP-003 XRP-006 count with the change of the balance, for the tag only if the node says the same', () => {
    expect(read(payment())).toEqual(['own 0.000005 0']);
    expect(read(payment({ tag: undefined }))).toEqual(['own 0.000005 -']);
    expect(read(payment({ delivered: 6n }))).toEqual([
      'own 0.000005 -: the node says that 0.000006 XRP were delivered, tag 0',
    ]);
    expect(read(payment({ delivered: undefined, tag: undefined }))).toEqual([
      'own 0.000005 -: the node does not say what was delivered, no tag',
    ]);
    expect(read(payment({ type: 'EscrowFinish', tag: undefined }))).toEqual([
      'own 0.000005 -: EscrowFinish, no tag',
    ]);
    expect(read(payment({ result: 'tecPATH_PARTIAL' }))).toEqual([]);
    // A payment names the account but does not change its XRP balance, for example because it is in an issued currency.
    expect(read(payment({ changes: new Map([[OTHER, -12n]]) }))).toEqual([]);
  });

  it('XRP-021 a transfer between own accounts is internal, and every own transaction is an outcome', () => {
    const transfer = payment({
      account: OWN,
      destination: COLD,
      tag: undefined,
      changes: new Map([
        [OWN, -17n],
        [COLD, 5n],
      ]),
    });
    expect(read(transfer)).toEqual(['cold 0.000005 - internal']);
    const failed = payment({
      account: OWN,
      txid: 'B2',
      sequence: 4,
      result: 'tecNO_DST',
      changes: new Map(),
    });
    expect(outcomesOf([payment(), transfer, failed, payment({ account: OWN, sequence: 0 })], OWN)).toEqual([
      { sequence: 3, txid: 'A1', block: 7, result: 'tesSUCCESS', fee: 12n },
      { sequence: 4, txid: 'B2', block: 7, result: 'tecNO_DST', fee: 12n },
    ]);
  });

  it('XRP-007 a range with a gap, an empty one and one that ends early are not complete', () => {
    expect(hasLedgers('32570-100000', 40_000, 100_000)).toBe(true);
    expect(hasLedgers('1-50, 52-90,92', 52, 90)).toBe(true);
    expect(hasLedgers('1-50, 52-90,92', 92, 92)).toBe(true);
    expect(hasLedgers('1-50,52-90', 50, 52)).toBe(false);
    expect(hasLedgers('1-50,52-90', 60, 91)).toBe(false);
    expect(hasLedgers('empty', 1, 1)).toBe(false);
  });

  it('XRP-022 transactions live longer with every one that ended, and fees have bounds', () => {
    expect([0, 1, 2, 3, 50].map(lifetimeOf)).toEqual([20, 80, 320, 900, 900]);
    const bounds = { least: 12n, most: 500n };
    expect([1n, 40n, 900n].map((fee) => boundedFee(fee, bounds))).toEqual([12n, 40n, 500n]);
  });
});
