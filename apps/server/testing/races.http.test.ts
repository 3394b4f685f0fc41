import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, byForm } from '../../../tools/test-form.ts';
import { createProduct } from '../src/modules/finance/testing/products.ts';
import { createFund, createHolding } from '../src/modules/fund/testing/funds.ts';
import { ACCOUNTS } from '../src/modules/fund/posts.ts';
import { holdingsOf } from '../src/modules/ledger/index.ts';
import { createMiningProduct } from '../src/modules/mining/testing/products.ts';
import { limit, place } from '../src/modules/spot/testing/orders.ts';
import { createProject } from '../src/modules/subscription/testing/projects.ts';
import { eventually, PROGRAMME_TIMEOUT_MS } from './eventually.ts';
import { anExchange, type TestExchange } from './exchange.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const ROUNDS = byForm(1, 20);
const HUNDRED = d('100');
const WIDE = { capacity: d('1000000'), maxAmount: d('1000000') };

/** Sends requests of the same users concurrently. Afterwards all balances must add up. */
describe('concurrent requests to products', { timeout: PROGRAMME_TIMEOUT_MS }, () => {
  let exchange: TestExchange;
  const random = new SeededGenerator(77 + commitSeed);
  beforeAll(async () => {
    exchange = await anExchange();
  });
  // `close` throws if the ledger, the holds or the order books are inconsistent.
  afterAll(() => exchange.close());

  /** Returns a user's USDT: `free` is the available spot balance, `all` the total of all accounts. */
  async function usdtOf(owner: UserId): Promise<{ free: Decimal; all: Decimal }> {
    const holdings = (await holdingsOf(exchange.doors.database.reader, owner)).filter(
      ({ asset }) => asset === 'USDT',
    );
    const free = holdings.find(({ product }) => product === 'spot')?.available ?? Decimal.zero;
    return {
      free,
      all: sum(holdings.flatMap(({ available, frozen, locked }) => [available, frozen, locked])),
    };
  }

  it('REL-023 one balance spent concurrently through every product pays for exactly what it covers', async () => {
    const { doors } = exchange;
    const [term, mine] = [
      await createProduct(exchange, 'race', WIDE),
      await createMiningProduct(exchange, 'race', WIDE),
    ];
    const [fund, project] = [
      await createFund(exchange, 'race'),
      await createProject(exchange, 'race', { maxAmount: d('10000') }),
    ];
    await doors.convert.convert.fund('BTC', d('1'), 'demo');
    for (let round = 0; round < ROUNDS; round += 1) {
      const trader = await exchange.aUser({ USDT: '1050' });
      const { id } = trader;
      const agreement = { agreed: true, agreementVersion: AGREEMENT_VERSIONS.finance };
      const quotes = await Promise.all(
        Array.from({ length: 5 }, () =>
          doors.convert.convert.quote(id, 'USDT', 'BTC', { of: 'from', value: HUNDRED }),
        ),
      );
      const actions = quotes.flatMap((quote) => [
        () => doors.finance.finance.buy(id, { product: term, amount: HUNDRED, ...agreement }),
        () => doors.mining.mining.buy(id, { product: mine, amount: HUNDRED, ...agreement }),
        () => doors.fund.funds.buy(id, { fund, margin: HUNDRED, leverage: 1 }),
        () =>
          doors.subscription.subscription.commit(id, {
            project,
            amount: HUNDRED,
            agreed: AGREEMENT_VERSIONS.subscription,
          }),
        () => doors.seconds.seconds.transfer(id, 'USDT', HUNDRED, true),
        () => doors.convert.convert.accept(id, quote.quoteId),
        () => place(trader, limit('buy', '40000', '0.0025')),
      ]);
      const answers = await Promise.allSettled(shuffled(actions).map((action) => action()));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      const exchanged = (await doors.convert.convert.exchanges(id, { pageNo: 1, pageSize: 50 })).total;
      const { free, all } = await usdtOf(id);
      expect(free.toString()).toBe('50');
      expect(all.toString()).toBe(String(1_050 - 100 * exchanged));
    }
  });

  it('FUND-023 concurrent purchases, sales, added margin and a liquidation: every unit is closed once and the balances add up', async () => {
    const { doors, database } = exchange;
    const { funds } = doors.fund;
    for (let round = 0; round < ROUNDS; round += 1) {
      const fund = await createFund(exchange, `race-${round}`);
      const house = () =>
        sum([ACCOUNTS.fund, ACCOUNTS.insurance].map((account) => doors.ledger.balance(account, 'USDT')));
      const houseBefore = house();
      const owners = await Promise.all(Array.from({ length: 3 }, () => exchange.aUser({ USDT: '1000' })));
      const actions: (() => Promise<unknown>)[] = [];
      for (const { id: owner } of owners) {
        const positions = await Promise.all([
          createHolding(exchange, owner, fund, { leverage: 3 }),
          createHolding(exchange, owner, fund, { leverage: 2 }),
        ]);
        for (const position of positions) {
          const sell = (quantity: string, price?: string) => () =>
            funds.sell(owner, {
              position,
              quantity: d(quantity),
              price: price === undefined ? undefined : d(price),
              isLimit: price !== undefined,
            });
          actions.push(
            ...Array.from({ length: 6 }, () => sell('0.4')),
            sell('0.5', '55'),
            sell('0.5', '500'),
          );
          actions.push(...Array.from({ length: 4 }, () => () => funds.addMargin(owner, position, d('7.5'))));
          actions.push(() => funds.cancelSell(owner, position));
        }
        actions.push(
          ...Array.from({ length: 6 }, () => () => funds.buy(owner, { fund, margin: HUNDRED, leverage: 2 })),
        );
      }
      // Sets the price of BTC so low that a fund position with leverage 3 is liquidated.
      const dropPrice = () => Promise.resolve(exchange.prices.set('btcusdt', '5000'));
      const middle = Math.floor(actions.length / 2);
      const shuffledActions = shuffled(actions);
      await Promise.allSettled(
        [...shuffledActions.slice(0, middle), dropPrice, ...shuffledActions.slice(middle)].map((action) =>
          action(),
        ),
      );
      await exchange.setPrice('btcusdt', '5000');
      await exchange.setPrice('btcusdt', '50000');
      await funds.close(`race-${round}`, { by: 'test', reason: 'the race is over' });
      await eventually(async () => {
        const { rowCount } = await database.pool.query(
          'select 1 from fund_position where fund = $1 and status in (0, 1) limit 1',
          [fund],
        );
        expect(rowCount).toBe(0);
      });
      const { rows } = await database.pool.query<{
        owner: UserId;
        put: string;
        got: string;
        units: string;
        sold: string;
      }>(
        `select owner, sum(margin) filter (where status <> 5)::text as put, sum(payout)::text as got,
           sum(quantity)::text as units, sum(quantity) filter (where status = 2)::text as sold
         from fund_position where fund = $1 group by owner`,
        [fund],
      );
      let gained = Decimal.zero;
      for (const { owner, put, got, sold } of rows) {
        const { free, all } = await usdtOf(owner);
        const result = d(got).minus(d(put));
        gained = gained.plus(result);
        expect(free.toString()).toBe(d('1000').plus(result).toString());
        expect(all.toString()).toBe(free.toString());
        const { rows: executed } = await database.pool.query<{ units: string }>(
          'select coalesce(sum(quantity), 0)::text as units from fund_sell where fund = $1 and owner = $2 and status = 1',
          [fund, owner],
        );
        expect(Number(executed[0]!.units)).toBe(Number(sold));
      }
      // The house accounts and the insurance pool gain exactly what the owners of the fund positions lose.
      expect(house().minus(houseBefore).toString()).toBe(gained.negated().toString());
      const { rows: remaining } = await database.pool.query<{
        open_notional: string;
        waiting: number;
        liquidated: number;
      }>(
        `select open_notional::text, (select count(*)::int from fund_sell where fund = p.id and status = 0) as waiting,
           (select count(*)::int from fund_position where fund = p.id and status = 3) as liquidated
         from fund_product p where id = $1`,
        [fund],
      );
      expect(remaining[0]).toMatchObject({ waiting: 0 });
      expect(Number(remaining[0]!.open_notional)).toBe(0);
      expect(remaining[0]!.liquidated).toBeGreaterThan(0);
    }
  });

  it('SUB-015 commitments raised and lowered while a sale ends count if they precede the end, and are refunded or settled once', async () => {
    const { subscription, jobs } = exchange.doors.subscription;
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = `ending-${round}`;
      const project = await createProject(exchange, code);
      const owners = await Promise.all(Array.from({ length: 3 }, () => exchange.aUser({ USDT: '500' })));
      const actions = owners.flatMap(({ id: owner }) =>
        Array.from({ length: 16 }, (_, at) => () => {
          const amount = d(String(10 + at));
          const change = { project, amount, agreed: AGREEMENT_VERSIONS.subscription };
          return at % 3 === 2 ? subscription.reduce(owner, change) : subscription.commit(owner, change);
        }),
      );
      const shuffledActions = shuffled(actions);
      const middle = Math.floor(actions.length / 2);
      const answers = await Promise.allSettled([
        ...shuffledActions.slice(0, middle).map((action) => action()),
        round % 2 === 0
          ? Promise.resolve().then(() => exchange.clock.shift(DAY_MS))
          : subscription.cancel(code),
        ...shuffledActions.slice(middle).map((action) => action()),
      ]);
      const refusedLate = answers.filter(
        (answer) => answer.status === 'rejected' && String(answer.reason).includes('l.subscribe_ended'),
      );
      expect(refusedLate.length).toBeGreaterThan(0);
      await exchange.advanceTime(DAY_MS);
      await jobs.executeDue(0);
      const { rows } = await exchange.database.pool.query<{
        owner: UserId;
        amount: string;
        cost: string;
        isSettled: boolean;
      }>(
        `select owner, amount::text, cost::text, (settled_at is not null or amount = 0) as "isSettled"
         from subscription_commitment where project = $1`,
        [project],
      );
      expect(rows.every(({ isSettled }) => isSettled)).toBe(true);
      const { rows: projects } = await exchange.database.pool.query<{ committed: string; stage: string }>(
        'select committed::text, stage from subscription_project where id = $1',
        [project],
      );
      const committed = sum(rows.map(({ amount }) => d(amount)));
      expect([d(projects[0]!.committed).toString(), projects[0]!.stage]).toEqual([
        committed.toString(),
        round % 2 === 0 && committed.isPositive() ? 'settled' : 'refunded',
      ]);
      for (const { id } of owners) {
        const cost = d(rows.find(({ owner }) => owner === id)?.cost ?? '0');
        const { free, all } = await usdtOf(id);
        expect([free.toString(), all.toString()]).toEqual([d('500').minus(cost).toString(), free.toString()]);
      }
    }
  });

  function shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ one: item, at: random.next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one);
  }
});
