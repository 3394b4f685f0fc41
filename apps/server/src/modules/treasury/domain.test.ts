import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import {
  ACCEPTED_MS,
  chainSentence,
  pauses,
  paymentsFrom,
  splitDebit,
  waitsWhilePaused,
  type Debt,
} from './domain.ts';

const amount = (text: string) => Decimal.parse(text);
const NOW = instant(10 * ACCEPTED_MS);

function debt(id: string, owed: string, paid = '0'): Debt {
  return {
    id,
    owner: '' as UserId,
    asset: 'BTC',
    amount: amount(owed),
    paid: amount(paid),
    cause: 'deposit',
    reference: id,
    account: 'world:BTC:BTC',
    outcome: undefined,
    createdAt: NOW,
    closedAt: undefined,
    reason: '',
  };
}

describe('debts', () => {
  it('TRE-020 a debit takes what the balance covers and leaves the rest as a debt', () => {
    const parts = ([available, wanted]: readonly [string, string]) => {
      const { taken, owed } = splitDebit(amount(available), amount(wanted));
      return [taken.toString(), owed.toString()];
    };
    expect(parts(['5', '3'])).toEqual(['3', '0']);
    expect(parts(['3', '5'])).toEqual(['3', '2']);
    expect(parts(['0', '5'])).toEqual(['0', '5']);
  });

  it('TRE-023 an arrival pays the oldest debts first and never more than it brought', () => {
    const pay = (arrival: string, debts: readonly Debt[]) =>
      paymentsFrom(amount(arrival), debts).map((part) => [part.debt.id, part.amount.toString()]);
    const debts = [debt('first', '2', '1.5'), debt('second', '3')];
    expect(pay('0.4', debts)).toEqual([['first', '0.4']]);
    expect(pay('2', debts)).toEqual([
      ['first', '0.5'],
      ['second', '1.5'],
    ]);
    expect(pay('9', debts)).toEqual([
      ['first', '0.5'],
      ['second', '3'],
    ]);
  });
});

describe('the sentence about a payment on its chain', () => {
  const sought = { network: 'ERC20', txid: '0x1', asset: 'USDT', amount: amount('250') };
  const payment = {
    asset: 'USDT',
    address: '0xa',
    memo: undefined,
    amount: amount('250'),
    block: 7,
    isFinal: true,
  };

  it('TRE-106 says whether the chain has exactly this payment, another one, or no such transaction', () => {
    expect(chainSentence(sought, [payment])).toBe('Found: 250 USDT to 0xa in block 7, final.');
    expect(chainSentence(sought, [{ ...payment, isFinal: false }])).toContain('not final yet');
    expect(chainSentence(sought, undefined)).toMatch(/^NOT FOUND/);
    expect(chainSentence(sought, [])).toMatch(/^NOT SEEN.*from inside a contract/);
    const other = { ...payment, amount: amount('25') };
    expect(chainSentence(sought, [other, { ...payment, asset: 'ETH' }])).toBe(
      'DIFFERENT: the transaction pays 25 USDT to 0xa, 250 ETH to 0xa.',
    );
    expect(chainSentence(sought, [other, other, other, other])).toMatch(/…\.$/);
  });

  it('TRE-121 does not call a payment found that went to an address outside of the exchange', () => {
    const elsewhere = { ...payment, address: '0xb' };
    expect(chainSentence(sought, [elsewhere, payment], new Set(['0xa']))).toMatch(/^Found: 250 USDT to 0xa/);
    expect(chainSentence(sought, [elsewhere], new Set(['0xa']))).toMatch(
      /^NOT OURS: the transaction pays 250 USDT to 0xb, which is no address of the exchange/,
    );
    // Without the set of the exchange's addresses, as for a payment that leaves the exchange, the recipient
    // is not checked.
    expect(chainSentence(sought, [elsewhere])).toMatch(/^Found: 250 USDT to 0xb/);
  });
});

describe('pauses', () => {
  const none = { price: amount('100'), accepted: undefined, now: NOW };

  it('TRE-030 a shortage beyond dust pauses, dust does not, and a coin without a price is paused for any shortage', () => {
    expect(pauses(amount('0'), none)).toBe(false);
    expect(pauses(amount('-1'), none)).toBe(false);
    expect(pauses(amount('0.0999'), none)).toBe(false);
    expect(pauses(amount('0.1'), none)).toBe(true);
    expect(pauses(amount('0.000001'), { ...none, price: undefined })).toBe(true);
  });

  it('TRE-033 an accepted shortage pauses again only when it grows by more than dust, or after a day', () => {
    const accepted = { amount: amount('5'), at: NOW };
    expect(pauses(amount('5'), { ...none, accepted })).toBe(false);
    // A network fee is booked some time after its payment, which enlarges the shortage for a short time. So a
    // growth of less than `DUST_USDT` (0.1 at this price) does not end the acceptance.
    expect(pauses(amount('5.0999'), { ...none, accepted })).toBe(false);
    expect(pauses(amount('5.1'), { ...none, accepted })).toBe(true);
    const nextDay = instant(NOW + ACCEPTED_MS);
    expect(pauses(amount('1'), { ...none, accepted, now: nextDay })).toBe(true);
  });

  it('TRE-031 deposits worth more than 1,000 USDT wait, smaller ones do not', () => {
    expect(waitsWhilePaused(amount('10'), amount('100'))).toBe(false);
    expect(waitsWhilePaused(amount('10.01'), amount('100'))).toBe(true);
    expect(waitsWhilePaused(amount('0.01'), undefined)).toBe(true);
  });
});
