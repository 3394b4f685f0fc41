import { NO_COST, type CoinCost } from '@exchange/core/cost.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import { TAX_METHODS, type TaxMethod } from '@exchange/core/tax.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { remainingCost, takeFrom, type Lot, type LotUse } from './domain/lots.ts';
import { eventsOfEntry, unpricedCoins, type TaxEntry, type TaxEvent } from './domain/tax-events.ts';
import {
  arrivalCost,
  averageAfter,
  averageLeavingCost,
  NO_TOTALS,
  totalsAfterArrival,
  totalsAfterLeaving,
  type YearTotals,
} from './domain/tax-totals.ts';
import { TOOL_FORMATS, transactionsOf } from './domain/tax-transactions.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const NOON = Date.UTC(2026, 2, 1, 12, 30, 5);

function entry(
  kind: string,
  changes: Readonly<Record<string, string>>,
  fields: Partial<TaxEntry> = {},
): TaxEntry {
  return {
    entry: 1,
    at: NOON,
    kind,
    reference: null,
    entries: 1,
    account: undefined,
    changes: new Map(Object.entries(changes).map(([coin, amount]) => [coin, d(amount)])),
    fees: [],
    ...fields,
  };
}

const priced = (price: string) => () => ({ value: d(price), source: 'index' as const });
const unpriced = () => undefined;

describe('events of tax years', () => {
  it('TAX-002 a trade has the value of its USDT, and its fee has the price of the trade', () => {
    const bought = entry(
      'spot.traded',
      { USDT: '-100', BTC: '0.999' },
      { fees: [{ asset: 'BTC', amount: d('0.001') }] },
    );
    const [usdt, btc] = eventsOfEntry(bought, undefined, unpriced) as [TaxEvent, TaxEvent];
    expect([usdt.asset, btc.asset, btc.category]).toEqual(['USDT', 'BTC', 'trade']);
    expect([String(btc.value?.value), String(btc.fee?.value), String(btc.counter?.amount)]).toEqual([
      '100',
      '0.1',
      '-100',
    ]);
    const coins = entry('convert.exchanged', { BTC: '-1', ETH: '20' });
    expect(eventsOfEntry(coins, d('50000'), unpriced).map(({ value }) => String(value?.value))).toEqual([
      '50000',
      '50000',
    ]);
    expect(eventsOfEntry(coins, undefined, unpriced).map(({ value }) => value)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('TAX-003 income and results are valued at a stored price, and without one their value is missing', () => {
    const paid = entry('finance.paid', { BTC: '0.01' });
    expect(unpricedCoins(paid)).toEqual(['BTC']);
    const [income] = eventsOfEntry(paid, undefined, priced('50000'));
    expect([income?.category, income?.section, String(income?.value?.value)]).toEqual([
      'income',
      'interest',
      '500',
    ]);
    expect(eventsOfEntry(paid, undefined, unpriced)[0]?.value).toBeUndefined();
    const [lost] = eventsOfEntry(entry('seconds.lost', { USDT: '-10' }), undefined, unpriced);
    expect([lost?.category, lost?.section, String(lost?.value?.value)]).toEqual(['result', 'seconds', '10']);
    const summed = entry('mining.paid', { BTC: '0.3' }, { entries: 30 });
    expect(unpricedCoins(summed)).toEqual([]);
    expect(eventsOfEntry(summed, undefined, priced('50000'))[0]?.value).toBeUndefined();
  });

  it('TAX-004 deposits, withdrawals and faucet are transfers, and moves between accounts are no events', () => {
    const categories = (kind: string, changes: Readonly<Record<string, string>>) =>
      eventsOfEntry(entry(kind, changes), undefined, priced('1')).map(({ category, value }) => [
        category,
        value === undefined,
      ]);
    for (const kind of ['deposit.credited', 'withdrawal.sent', 'faucet.claimed', 'subaccount.transferred'])
      expect(categories(kind, { BTC: '1' })).toEqual([['transfer', true]]);
    expect(categories('finance.bought', { BTC: '0' })).toEqual([]);
  });
});

/** Books of one coin and of USDT in memory, computed with the functions that the stored books use too. */
class MemoryBooks {
  lots: Lot[] = [];
  cost: CoinCost = NO_COST;
  readonly totals = new Map<TaxMethod, YearTotals>(TAX_METHODS.map((method) => [method, NO_TOTALS]));
  readonly stable = new Map<TaxMethod, YearTotals>(TAX_METHODS.map((method) => [method, NO_TOTALS]));
  readonly allLots = new Map<number, Lot>();
  readonly uses: LotUse[] = [];

  add(event: TaxEvent, entered: Decimal | undefined): void {
    const isStable = event.asset === 'USDT';
    const totals = isStable ? this.stable : this.totals;
    if (event.amount.isPositive()) {
      const cost = arrivalCost(event, entered);
      if (!isStable) {
        const lot = {
          entry: event.entry,
          acquiredAt: event.at,
          amount: event.amount,
          remaining: event.amount,
          cost,
        };
        this.lots.push(lot);
        this.allLots.set(lot.entry, lot);
        this.cost = averageAfter(this.cost, event, entered);
      }
      for (const method of TAX_METHODS)
        totals.set(method, totalsAfterArrival(totals.get(method)!, event, cost));
      return;
    }
    const amount = event.amount.absolute();
    if (isStable) {
      for (const method of TAX_METHODS)
        totals.set(method, totalsAfterLeaving(totals.get(method)!, event, { costed: amount, cost: amount }));
      return;
    }
    const uses = this.take(amount);
    const costed = uses.filter(({ cost }) => cost !== undefined);
    const fifo = {
      costed: sum(costed.map((use) => use.amount)),
      cost: sum(costed.map(({ cost }) => cost!)),
    };
    const after = averageAfter(this.cost, event, undefined);
    const average = averageLeavingCost(this.cost, after);
    this.cost = after;
    totals.set('fifo', totalsAfterLeaving(totals.get('fifo')!, event, fifo));
    totals.set('average', totalsAfterLeaving(totals.get('average')!, event, average));
  }

  private take(amount: Decimal): LotUse[] {
    const uses: LotUse[] = [];
    let left = amount;
    while (left.isPositive()) {
      const { use, lot } = takeFrom(this.lots[0]!, left);
      left = left.minus(use.amount);
      uses.push(use);
      if (lot.remaining.isZero()) this.lots.shift();
      else this.lots[0] = lot;
    }
    this.uses.push(...uses);
    return uses;
  }
}

type Action =
  | { readonly kind: 'buy' | 'sell'; readonly amount: Decimal; readonly value: Decimal }
  | { readonly kind: 'income' | 'won' | 'lost'; readonly amount: Decimal; readonly value: Decimal }
  | { readonly kind: 'arrive' | 'depart'; readonly amount: Decimal; readonly value: Decimal };

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('buy', 'sell', 'income', 'won', 'lost', 'arrive', 'depart'),
  amount: fc.integer({ min: 1, max: 1e7 }).map((units) => Decimal.ofScaled(BigInt(units), 4)),
  value: fc.integer({ min: 1, max: 1e9 }).map((units) => Decimal.ofScaled(BigInt(units), 4)),
});

const LEAVING = new Set(['sell', 'lost', 'depart']);

/**
 * The tax events of an action. Coins without a value from a trade are priced at the action's value divided by its
 * amount.
 */
function eventsOf({ kind, amount, value }: Action, number: number): TaxEvent[] {
  const price = value.over(amount, 'halfEven');
  const of = (entryKind: string, changes: Readonly<Record<string, string>>) =>
    eventsOfEntry(entry(entryKind, changes, { entry: number }), undefined, () => ({
      value: price,
      source: 'index',
    }));
  const coins = amount.toString();
  if (kind === 'buy') return of('spot.traded', { USDT: `-${value}`, BTC: coins });
  if (kind === 'sell') return of('spot.traded', { BTC: `-${coins}`, USDT: value.toString() });
  if (kind === 'income') return of('finance.paid', { BTC: coins });
  if (kind === 'won') return of('seconds.won', { BTC: coins });
  if (kind === 'lost') return of('seconds.lost', { BTC: `-${coins}` });
  return kind === 'arrive'
    ? of('deposit.credited', { BTC: coins })
    : of('withdrawal.sent', { BTC: `-${coins}` });
}

/** Applies actions to empty books. An action that needs more coins than the books hold is skipped. */
function booksAfter(actions: readonly Action[], entered: (value: Decimal) => Decimal | undefined) {
  const books = new MemoryBooks();
  const [gained, lost]: [Decimal[], Decimal[]] = [[], []];
  for (const [index, one] of actions.entries()) {
    if (LEAVING.has(one.kind) && one.amount.isMore(books.totals.get('fifo')!.quantity)) continue;
    for (const event of eventsOf(one, index + 1)) {
      books.add(event, entered(one.value));
      if (event.section === undefined) continue;
      (event.amount.isPositive() ? gained : lost).push(event.value!.value);
    }
  }
  return { books, gained: sum(gained), lost: sum(lost) };
}

describe('books of gains', () => {
  it('TAX-005 amounts and costs add up for both methods, with and without known costs', () => {
    fc.assert(
      fc.property(fc.array(action), fc.boolean(), (actions, isEntered) => {
        const { books } = booksAfter(actions, (value) => (isEntered ? value : undefined));
        for (const method of TAX_METHODS) {
          const totals = books.totals.get(method)!;
          const { acquired, income, arrived, departed, disposed } = totals;
          const quantity = sum([acquired, income, arrived]).minus(departed).minus(disposed);
          expect(String(totals.quantity)).toBe(String(quantity));
          const paid = sum([totals.acquiredCost, totals.incomeValue, totals.arrivedCost]);
          const cost = paid.minus(totals.departedCost).minus(totals.disposedCost);
          expect(String(totals.cost)).toBe(String(cost));
          const known = totals.proceeds.minus(totals.unknownProceeds).minus(totals.disposedCost);
          expect(String(totals.gain)).toBe(String(known));
        }
        const average = books.totals.get('average')!;
        expect([average.cost, average.uncosted].map(String)).toEqual(
          [books.cost.cost, books.cost.uncosted].map(String),
        );
      }),
    );
  });

  it('TAX-005 realised gains, unrealised gains, income and results add up to the change of value', () => {
    const price = d('123.45');
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const { books, gained, lost } = booksAfter(actions, (value) => value);
        for (const method of TAX_METHODS) {
          const totals = books.totals.get(method)!;
          const worth = totals.quantity.times(price, 'down');
          const unrealised = worth.minus(totals.cost);
          const transferred = totals.arrivedCost.minus(totals.departedCost);
          const change = sum([totals.gain, unrealised, gained, transferred]).minus(lost);
          const stable = books.stable.get(method)!.quantity;
          expect(String(stable.plus(worth))).toBe(String(change));
        }
      }),
    );
  });

  it('TAX-006 both methods realise the same gain when everything is sold', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1 }), (actions) => {
        const trades = actions.filter(({ kind }) => kind !== 'depart');
        const { books } = booksAfter(trades, (value) => value);
        const left = books.totals.get('fifo')!.quantity;
        if (left.isPositive())
          for (const event of eventsOf({ kind: 'sell', amount: left, value: d('777') }, 10_000))
            books.add(event, undefined);
        const [fifo, average] = TAX_METHODS.map((method) => books.totals.get(method)!);
        expect([fifo, average].map((totals) => String(totals?.cost))).toEqual(['0', '0']);
        expect(String(fifo?.gain)).toBe(String(average?.gain));
      }),
    );
  });

  it('TAX-007 a lot is used at most once, in order, and its uses cost what it cost', () => {
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const { books } = booksAfter(actions, (value) => value);
        const order = books.uses.map(({ lot }) => lot);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        for (const lot of books.allLots.values()) {
          const uses = books.uses.filter((use) => use.lot === lot.entry);
          const open = books.lots.find(({ entry: number }) => number === lot.entry);
          const used = sum(uses.map(({ amount }) => amount));
          expect(String(used.plus(open?.remaining ?? Decimal.zero))).toBe(String(lot.amount));
          const cost = sum(uses.map((use) => use.cost!));
          expect(String(cost.plus((open && remainingCost(open)) ?? Decimal.zero))).toBe(String(lot.cost));
        }
      }),
    );
  });
});

describe('books of a person with sub-accounts', () => {
  const ACCOUNTS = ['main', 'grid', 'momentum'] as const;
  const step = fc.record({
    kind: fc.constantFrom('buy', 'sell', 'income', 'arrive', 'depart', 'move', 'move'),
    account: fc.nat({ max: ACCOUNTS.length - 1 }),
    other: fc.nat({ max: ACCOUNTS.length - 1 }),
    amount: fc.integer({ min: 1, max: 1e7 }).map((units) => Decimal.ofScaled(BigInt(units), 4)),
    value: fc.integer({ min: 1, max: 1e9 }).map((units) => Decimal.ofScaled(BigInt(units), 4)),
  });

  it('TAX-017 lots add up to the holdings of all accounts, and gains are those without transfers between them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const held = ACCOUNTS.map(() => Decimal.zero);
        const [books, unmoved] = [new MemoryBooks(), new MemoryBooks()];
        for (const [number, { kind, account, other, amount, value }] of steps.entries()) {
          const isLeaving = LEAVING.has(kind) || kind === 'move';
          // An amount can leave an account only if this account itself holds it; the balances of the person's other
          // accounts do not count.
          if (isLeaving && held[account]!.isLess(amount)) continue;
          held[account] = isLeaving ? held[account]!.minus(amount) : held[account]!.plus(amount);
          if (kind === 'move') {
            held[other] = held[other]!.plus(amount);
            const moved = entry('subaccount.transferred', { BTC: '0' }, { entry: number + 1 });
            for (const event of eventsOfEntry(moved, undefined, unpriced)) books.add(event, undefined);
          } else {
            for (const event of eventsOf({ kind, amount, value }, number + 1))
              for (const both of [books, unmoved]) both.add(event, undefined);
          }
          const total = String(sum(held));
          expect(String(sum(books.lots.map(({ remaining }) => remaining)))).toBe(total);
          expect(String(books.cost.amount.plus(books.cost.uncosted))).toBe(total);
        }
        for (const method of TAX_METHODS)
          expect(books.totals.get(method)).toEqual(unmoved.totals.get(method));
      }),
    );
  });
});

describe('files for tax programs', () => {
  const bought = eventsOfEntry(
    entry('spot.traded', { USDT: '-100', BTC: '0.999' }, { fees: [{ asset: 'BTC', amount: d('0.001') }] }),
    undefined,
    unpriced,
  );
  const sent = eventsOfEntry(
    entry('withdrawal.sent', { BTC: '-0.5' }, { fees: [{ asset: 'BTC', amount: d('0.01') }] }),
    undefined,
    priced('50000'),
  );
  const mined = eventsOfEntry(entry('mining.paid', { BTC: '0.2' }), undefined, priced('50000'));
  const rows = (file: keyof typeof TOOL_FORMATS) =>
    transactionsOf([...bought, ...sent, ...mined]).map((transaction) =>
      TOOL_FORMATS[file].cells(transaction, 'X').join(','),
    );

  it('TAX-011 both coins of a trade are one row, and fees are in the amounts as each program expects', () => {
    expect(rows('koinly')).toEqual([
      '2026-03-01 12:30:05 UTC,100,USDT,1,BTC,0.001,BTC,100,USDT,,spot.traded 1,',
      '2026-03-01 12:30:05 UTC,0.49,BTC,,,0.01,BTC,,,,withdrawal.sent 1,',
      '2026-03-01 12:30:05 UTC,,,0.2,BTC,,,10000,USDT,mining,mining.paid 1,',
    ]);
    expect(rows('coinTracking')).toEqual([
      'Trade,0.999,BTC,100,USDT,0.001,BTC,X,,spot.traded 1,2026-03-01 12:30:05',
      'Withdrawal,,,0.5,BTC,0.01,BTC,X,,withdrawal.sent 1,2026-03-01 12:30:05',
      'Mining,0.2,BTC,,,,,X,,mining.paid 1,2026-03-01 12:30:05',
    ]);
    expect(rows('coinLedger')).toEqual([
      '03/01/2026 12:30:05,X,USDT,100,BTC,1,BTC,0.001,Trade,spot.traded 1,',
      '03/01/2026 12:30:05,X,BTC,0.5,,,BTC,0.01,Withdrawal,withdrawal.sent 1,',
      '03/01/2026 12:30:05,X,,,BTC,0.2,,,Mining,mining.paid 1,',
    ]);
    for (const { headings, cells } of Object.values(TOOL_FORMATS))
      expect(cells(transactionsOf(mined)[0]!, 'X')).toHaveLength(headings.length);
  });
});
