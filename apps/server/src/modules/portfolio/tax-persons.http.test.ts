import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sum, Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { accountEvents, coinCosts } from '@exchange/wire/portfolio.ts';
import { createSubAccount, subAccounts, transferSubAccount } from '@exchange/wire/sub-account.ts';
import { taxArrivals, taxDisposals, taxLots, taxStatement, taxYear } from '@exchange/wire/tax.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { addKey, Bot } from '../public-api/testing/programs.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { linesOfFile } from './testing/files.ts';

const MIGRATION = join(import.meta.dirname, '../../../migrations/0307_tax_books_of_persons.sql');

interface Trade {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly amount: string;
}

describe('tax years of a person with sub-accounts', () => {
  let exchange: TestExchange;
  let maker: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    maker = await exchange.aUser({ USDT: '1000000', BTC: '20' });
  });

  afterAll(() => exchange.close());

  const openAccount = async (owner: TestTrader, name: string): Promise<UserId> =>
    (await owner.request(createSubAccount, { name })).id as UserId;

  /** Moves coins between accounts; an empty id is the main account. */
  const move = (owner: TestTrader, from: string, to: string, coin: string, amount: string) =>
    owner.request(transferSubAccount, {
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      coin,
      amount,
    });

  /** Returns a function that places orders for an account with a new API key. */
  async function programOf(account: UserId) {
    const { apiKey, secret } = await addKey(exchange, account, { mayTrade: true });
    const bot = new Bot(exchange, { key: apiKey.key, secret });
    return async ({ side, price, amount }: Trade): Promise<void> => {
      const answer = await bot.send('POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side: side.toUpperCase(),
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: amount,
        price,
      });
      expect(answer).toMatchObject({ status: 'FILLED' });
    };
  }

  /** Trades with the maker, who offers the other side first. */
  async function trade(send: (trade: Trade) => Promise<unknown>, deal: Trade): Promise<void> {
    await place(maker, limit(deal.side === 'buy' ? 'sell' : 'buy', deal.price, deal.amount));
    await send(deal);
  }

  const byMain = (trader: TestTrader) => (deal: Trade) =>
    place(trader, limit(deal.side, deal.price, deal.amount));

  const year = (trader: TestTrader, method: 'fifo' | 'average') =>
    eventually(async () => {
      const answer = await trader.request(taxYear, { method });
      expect(answer.status).toBe('ready');
      return answer;
    });

  /**
   * The coins, totals and sections of a user's current tax year, first by first in, first out, then by the average cost
   * method.
   */
  async function figures(trader: TestTrader) {
    const years = [await year(trader, 'fifo'), await year(trader, 'average')];
    return years.map(({ coins, totals, sections }) => ({ coins, totals, sections }));
  }

  /** Requires that the remaining lots of BTC are what all accounts of a person hold. */
  async function requireLotsAreHeld(owner: TestTrader): Promise<void> {
    const lots = await exchange.database.pool.query<{ remaining: string }>(
      `select coalesce(sum(remaining), 0)::text as remaining from tax_lot where owner = $1 and asset = 'BTC'`,
      [owner.id],
    );
    const main = await owner.request(spotAssets, { currency: 'BTC' });
    const { list: others } = await owner.request(subAccounts);
    const held = [
      ...main.list.map(({ availableCurrency }) => availableCurrency),
      ...others.flatMap(({ balances }) =>
        balances.filter(({ currency }) => currency === 'BTC').map(({ available }) => available),
      ),
    ];
    expect(Decimal.parse(lots.rows[0]!.remaining).toString()).toBe(
      sum(held.map((amount) => Decimal.parse(amount))).toString(),
    );
  }

  it('TAX-017 coins keep cost and date through sub-accounts, and each lot leads to its fill and its account', async () => {
    const [owner, plain] = [await exchange.aUser({ USDT: '20000' }), await exchange.aUser({ USDT: '20000' })];
    const grid = await openAccount(owner, 'Grid');
    await move(owner, '', grid, 'USDT', '9000');
    const program = await programOf(grid);
    const first: Trade = { side: 'buy', price: '50000', amount: '0.1' };
    const second: Trade = { side: 'buy', price: '51000', amount: '0.1' };
    const third: Trade = { side: 'sell', price: '52000', amount: '0.15' };
    await trade(byMain(plain), first);
    await trade(byMain(owner), first);
    // The request counts the ledger entries so far; those of the transfers are counted by a later request and so are
    // added to books that already have entries.
    await year(owner, 'fifo');
    await trade(byMain(plain), second);
    await trade(program, second);
    await year(owner, 'fifo');
    await move(owner, '', grid, 'BTC', '0.0999');
    await move(owner, grid, '', 'BTC', '0.1998');
    await trade(byMain(plain), third);
    await trade(byMain(owner), third);

    const [fifo, average] = await figures(owner);
    expect([fifo, average]).toEqual(await figures(plain));
    expect(fifo!.totals.unknownProceeds).toBe('0');
    expect(fifo!.totals.gain).not.toBe(average!.totals.gain);
    expect((await owner.request(coinCosts)).list).toEqual((await plain.request(coinCosts)).list);
    await requireLotsAreHeld(owner);
    // A transfer within the person is no arrival for which a cost can be entered.
    expect((await owner.request(taxArrivals)).list).toEqual([]);

    const { year: current, subAccounts: count } = await year(owner, 'fifo');
    expect([count, (await year(plain, 'fifo')).subAccounts]).toEqual([1, 0]);
    const [disposal] = (await owner.request(taxDisposals, { year: String(current) })).list;
    expect(disposal).toMatchObject({ subAccount: '', costedAmount: '0.15' });
    const { list: lots } = await owner.request(taxLots, { eventId: disposal!.id });
    expect(lots.map(({ subAccount, lotAmount, cost }) => [subAccount, lotAmount, cost !== null])).toEqual([
      ['Grid', '0.0999', true],
      ['', '0.0999', true],
    ]);
    // The owner of the sub-account can read the account event of its fill by the number of its ledger entry; for
    // another user the list is empty.
    const recordOf = async (reader: TestTrader) =>
      (await reader.request(accountEvents, { entry: lots[0]!.id.split('-')[0]! })).list;
    expect(await recordOf(owner)).toMatchObject([{ kind: 'spot.traded', subAccount: 'Grid' }]);
    expect(await recordOf(plain)).toEqual([]);
    const { list: history } = await owner.request(accountEvents, { event: 'transfer' });
    const [transfer] = history;
    expect((await owner.request(accountEvents, { entry: transfer!.id })).list).toEqual([transfer]);
    expect(transfer).toMatchObject({ kind: 'subaccount.transferred', subAccount: '' });

    const gains = await linesOfFile(exchange, owner, {
      year: String(current),
      method: 'fifo',
      report: 'gains',
    });
    expect(gains.map((line) => line.split(',').slice(-2))).toEqual([
      ['Sub-account', 'Acquired in sub-account'],
      ['', ''],
      ['', 'Grid'],
    ]);
    // The lines of the file: the headings, the funding and three trades; transfers between the accounts are in no file
    // for tax programs.
    expect(await linesOfFile(exchange, owner, { year: String(current), report: 'koinly' })).toHaveLength(5);
    const statement = (await linesOfFile(exchange, owner, { year: String(current) }, taxStatement)).join('');
    expect(statement).toContain('(Main account and sub-accounts \\(1\\) together.');
    const plainStatement = (await linesOfFile(exchange, plain, { year: String(current) }, taxStatement)).join(
      '',
    );
    expect(plainStatement).not.toContain('Main account and sub-accounts');
  });

  it('TAX-017 random trades and transfers have the gains of the same trades without transfers', async () => {
    const random = seededRandom(17);
    const [owner, plain] = [
      await exchange.aUser({ USDT: '200000' }),
      await exchange.aUser({ USDT: '200000' }),
    ];
    const subs = [await openAccount(owner, 'One'), await openAccount(owner, 'Two')];
    const accounts: readonly string[] = ['', ...subs];
    const senders = [byMain(owner), ...(await Promise.all(subs.map((id) => programOf(id))))];
    for (const id of subs) await move(owner, '', id, 'USDT', '60000');
    const units = accounts.map(() => 0);
    const pick = (count: number) => random.whole(0, count - 1);
    for (let step = 0; step < 45; step += 1) {
      const account = pick(3);
      const way = pick(3);
      // `units` counts the holdings of each account in units of 0.001 BTC. One unit of each account is never spent,
      // because fees can make the real holdings slightly smaller than counted.
      const available = Math.max(0, units[account]! - 1);
      if (way === 0 || available === 0) {
        const deal: Trade = { side: 'buy', price: String(50_000 + step * 10), amount: '0.02' };
        await trade(byMain(plain), deal);
        await trade(senders[account]!, deal);
        units[account]! += 19;
      } else if (way === 1) {
        const deal: Trade = {
          side: 'sell',
          price: String(50_000 + step * 10),
          amount: `0.${String(1 + pick(Math.min(available, 30))).padStart(3, '0')}`,
        };
        await trade(byMain(plain), deal);
        await trade(senders[account]!, deal);
        units[account]! -= Math.round(Number(deal.amount) * 1_000);
      } else {
        const other = (account + 1 + pick(2)) % 3;
        const moved = 1 + pick(available);
        await move(owner, accounts[account]!, accounts[other]!, 'BTC', `${moved / 1_000}`);
        units[account]! -= moved;
        units[other]! += moved;
      }
      if (step % 9 === 0) await year(owner, 'fifo');
    }
    const counted = await figures(owner);
    expect(counted).toEqual(await figures(plain));
    expect(counted[0]!.totals.disposedCost).not.toBe('0');
    await requireLotsAreHeld(owner);
    await exchange.doors.movements.catchUp();
    expect((await exchange.audit()).problems).toEqual([]);
    // A sub-account that is opened and used after a count is counted too.
    const late = await openAccount(owner, 'Late');
    await move(owner, '', late, 'USDT', '5000');
    const lateDeal: Trade = { side: 'buy', price: '51000', amount: '0.05' };
    await trade(byMain(plain), lateDeal);
    await trade(await programOf(late), lateDeal);
    expect(await figures(owner)).toEqual(await figures(plain));

    // Stores books as an earlier version has them (transfers are events, a cost was entered for one, and a
    // sub-account has its own books). The migration discards these, and the person's books are counted again.
    const { pool } = exchange.database;
    const before = await figures(owner);
    await pool.query(`insert into portfolio_cost_position (owner, entry, ingested) values ($1, 1, 1)`, [
      late,
    ]);
    const { rows: transfers } = await pool.query<{ entry: string }>(
      `insert into tax_event (owner, entry, asset, at, kind, category, amount, entries)
       select owner, entry, asset, at, kind, 'transfer', amount, 1 from ledger_movement
       where kind = 'subaccount.transferred' and owner = any($1::uuid[]) and asset = 'BTC' and (owner = $2 or owner = $3)
       returning entry::text as entry`,
      [[owner.id, late], owner.id, late],
    );
    expect(transfers.length).toBeGreaterThan(3);
    await pool.query(
      `insert into tax_cost (owner, entry, asset, cost, acquired_at, changed_at) values ($1, $2, 'BTC', 1, 1, 1)`,
      [owner.id, transfers[0]!.entry],
    );
    await pool.query(
      `insert into tax_lot (owner, asset, entry, acquired_at, amount, remaining) values ($1, 'BTC', 1, 1, 1, 1)`,
      [late],
    );
    await pool.query(
      `insert into portfolio_cost (owner, asset, amount, cost, realized, uncosted) values ($1, 'BTC', 1, 1, 0, 0)`,
      [late],
    );
    const upgrade = readFileSync(MIGRATION, 'utf8').replace(/^alter table .*$/mu, '');
    await pool.query(`begin; ${upgrade}; commit`);
    expect((await exchange.audit()).problems).toEqual([]);
    expect(await figures(owner)).toEqual(before);
    expect((await owner.request(taxArrivals)).list).toEqual([]);
    for (const table of ['portfolio_cost', 'portfolio_cost_position', 'tax_lot', 'tax_event', 'tax_cost']) {
      const { rows } = await pool.query(
        `select from ${table} where owner = $1 ${table === 'tax_cost' ? 'or owner = $2' : 'and $2::uuid is not null'}`,
        [late, owner.id],
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
    await exchange.doors.movements.catchUp();
    expect((await exchange.audit()).problems).toEqual([]);
  });
});
