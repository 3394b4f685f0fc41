import { createHash, verify } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { figuresOf, isHouseMoney } from '@exchange/core/figures.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { durationField, openSeconds } from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { createProduct, createSaver, purchase } from '../finance/testing/products.ts';
import { createPlayer, openSecondsMarket, ticket } from '../seconds/testing/players.ts';
import { monthOfDay } from './domain.ts';
import { recomputedFlows, storedFlows } from './flows-repository.ts';

type Row = Readonly<Record<string, unknown>>;

const d = (text: string) => Decimal.parse(text);
const LATEST_DAY = 1_000_000;

describe('the board of the house', () => {
  let exchange: TestExchange;
  let customer: TestTrader;
  beforeAll(async () => {
    exchange = await anExchange();
    await exchange.setPrice('btcusdt', '50000');
    await exchange.doors.convert.convert.fund('BTC', d('1'), 'demo');
    customer = await createSaver(exchange, { USDT: '20000', BTC: '1' });
    await tradeWithHouse();
    const { quoteId } = await customer.request(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '1000' });
    await customer.request(acceptConvert, { quoteId });
    const product = await createProduct(exchange, 'figures');
    await customer.request(buyFinance, purchase(product, '400'));
  });
  afterAll(() => exchange.close());

  /**
   * Makes a trade between two customers, and one between a customer and the exchange's market maker; all of them pay
   * fees.
   */
  async function tradeWithHouse() {
    const { doors } = exchange;
    const maker = await doors.identity.ensureSystemUser('figures-maker');
    await doors.faucet.fund(maker, [{ asset: 'BTC', amount: d('1') }]);
    const other = await exchange.aUser({ USDT: '1000' });
    const limit = { symbol: 'btcusdt', type: 'limit', price: d('50000') } as const;
    await doors.spot.place(maker, { ...limit, side: 'sell', amount: d('0.02') });
    await doors.spot.place(customer.id, { ...limit, side: 'buy', amount: d('0.02') });
    await doors.spot.place(other.id, { ...limit, side: 'buy', amount: d('0.01') });
    await doors.spot.place(customer.id, { ...limit, side: 'sell', amount: d('0.01') });
  }

  const figures = () => exchange.doors.houseFigures.figures;
  const flows = () => exchange.doors.houseFigures.flows;
  const periods = () => exchange.doors.houseFigures.periods;
  const stored = () => storedFlows(exchange.doors.database.reader, 0, LATEST_DAY);
  const recomputed = async () => {
    const { database, identity } = exchange.doors;
    return recomputedFlows(database.reader, await identity.systemUsers(), Number.MAX_SAFE_INTEGER);
  };
  const rowsOf = async (name: string, path: string) => {
    const answer = (await (await operateAs(exchange, 'owner', path)).json()) as Record<string, Row[]>;
    return answer[name]!;
  };

  it('OPS-1156 stored figures equal a recomputation from the ledger, also after simultaneous runs and a recount', async () => {
    await Promise.all([flows().catchUp(), flows().catchUp()]);
    const expected = await recomputed();
    expect(expected.length).toBeGreaterThan(10);
    expect(await stored()).toEqual(expected);
    expect(await flows().behind()).toBe(0);
    const { status } = await operateAs(exchange, 'owner', '/ops/figures/recount', { reason: 'a check' });
    expect([status, await stored()]).toEqual([200, []]);
    await flows().catchUp();
    expect(await stored()).toEqual(expected);
  });

  it('OPS-1156 result and capital of all days are what the house owns by the balances of the ledger', async () => {
    await flows().catchUp();
    const { rows } = await exchange.database.pool.query<{ asset: string; account: string; balance: string }>(
      `select asset, case when owner is null then address when house_name is null then 'customers' else 'own' end as account,
         sum(balance)::text as balance
       from ledger_account left join user_account on user_account.id = owner
       where asset not like '%:%' group by 1, 2`,
    );
    const owned = new Map<string, Decimal>();
    for (const { asset, account, balance } of rows)
      if (isHouseMoney(account)) owned.set(asset, (owned.get(asset) ?? Decimal.zero).plus(d(balance)));
    const counted = new Map<string, Decimal>();
    for (const { figure, asset, amount } of figuresOf(await stored()))
      if (figure === 'result' || figure === 'capital')
        counted.set(asset, (counted.get(asset) ?? Decimal.zero).plus(amount));
    const shown = (sums: ReadonlyMap<string, Decimal>) =>
      [...sums].flatMap(([asset, sum]) => (sum.isZero() ? [] : [`${asset} ${sum.toString()}`])).toSorted();
    expect(shown(counted)).toEqual(shown(owned));
    expect(shown(owned).length).toBeGreaterThan(1);
  });

  it('OPS-1156 fees and turnover of spot are those of the trades with customers', async () => {
    await flows().catchUp();
    // The buyer pays the fee in the base coin and the seller in the quote coin; fees that the exchange's own accounts
    // pay do not count.
    const { rows } = await exchange.database.pool.query<{ asset: string; fees: string }>(
      `select asset, trim_scale(sum(fee))::text as fees from (
         select taker as payer, taker_fee as fee, case taker_side when 'buy' then 'BTC' else 'USDT' end as asset from spot_trade
         union all
         select maker, maker_fee, case taker_side when 'buy' then 'USDT' else 'BTC' end from spot_trade
       ) as paid join user_account on user_account.id = payer
       where house_name is null and fee > 0 group by asset order by asset`,
    );
    const spot = figuresOf(await stored()).filter(({ part }) => part === 'spot');
    const amounts = (figure: string) =>
      spot.filter((row) => row.figure === figure).map(({ amount, asset }) => `${amount.toString()} ${asset}`);
    // The turnover is 0.02 BTC traded with the exchange plus 0.01 BTC between customers, at a price of 50,000 USDT.
    expect(amounts('turnover')).toEqual(['0.03 BTC', '1500 USDT']);
    expect(rows.length).toBe(2);
    expect(amounts('fees')).toEqual(rows.map(({ asset, fees }) => `${fees} ${asset}`));
  });

  it('OPS-1157 lists days and products in USDT, newest first, and new users', async () => {
    await flows().catchUp();
    await figures().refresh();
    const [today] = await rowsOf('days', '/ops/figures/days');
    expect(today).toMatchObject({ day: new Date(exchange.clock.now()).toISOString().slice(0, 10) });
    expect(today!['newUsers']).toBeGreaterThanOrEqual(2);
    // The turnover is 1,500 USDT of spot trades (0.03 BTC at 50,000 USDT; BTC and USDT are both recorded, so
    // their sum is halved), 1,000 USDT of instant exchange, and 400 USDT of the purchase of a fixed-term
    // product.
    expect(today!['turnover']).toBe('2900');
    const products = await rowsOf('products', '/ops/figures/products');
    expect(products.map(({ product }) => product)).toEqual(
      expect.arrayContaining(['spot', 'convert', 'finance']),
    );
    const refused = await operateAs(exchange, 'owner', '/ops/figures/days?from=2026-01-01&to=2025-01-01');
    expect(await refused.json()).toMatchObject({ field: 'from' });
    const forbidden = await operateAs(exchange, 'approver', '/ops/figures/recount', { reason: 'no role' });
    expect(forbidden.status).toBe(403);
  });

  it('OPS-1158 the file has every figure of the period with price and value', async () => {
    await flows().catchUp();
    const answer = await operateAs(exchange, 'owner', '/ops/figures/export');
    const lines = (await answer.text()).trim().split('\r\n');
    expect(answer.headers.get('content-disposition')).toContain('figures-');
    const day = new Date(exchange.clock.now()).toISOString().slice(0, 10);
    expect(lines[0]).toBe('day,figure,part,coin,amount,price in USDT,value in USDT');
    expect(lines).toContain(`${day},turnover,spot,BTC,0.03,50000,750`);
    expect(lines).toContain(`${day},turnover,finance,USDT,400,1,400`);
    expect(lines.at(-1)).toMatch(`${day},newUsers,,,`);
  });

  it('OPS-1159 measures have the present risks, and alarm beyond limits that two operators set', async () => {
    await openSecondsMarket(exchange);
    const player = await createPlayer(exchange, '100');
    await player.request(openSeconds, { ...ticket('up', '20'), ...durationField('300') });
    await flows().catchUp();
    await figures().refresh();
    const find = async (measure: string, subject: string) =>
      (await rowsOf('measures', '/ops/figures/now')).find(
        (row) => row['measure'] === measure && row['subject'] === subject,
      );
    expect(await find('secondsWorst', 'btcusdt')).toMatchObject({ state: 'within', version: 0 });
    expect(await find('convertInventory', 'BTC')).toMatchObject({ unit: 'BTC', state: 'within' });
    expect(await find('interestCover', 'interest USDT')).toMatchObject({ least: '14', state: 'within' });
    const stakes = await rowsOf('stakes', '/ops/figures/stakes');
    expect(stakes).toMatchObject([{ symbol: 'btcusdt', positions: 1, upStake: '20', downStake: '0' }]);
    const worst = stakes[0]!['worst'] as string;
    expect(await find('secondsWorst', 'btcusdt')).toMatchObject({ value: worst });

    const url = '/ops/figures/limits/secondsWorst/btcusdt';
    const fields = { most: '1', version: '0', reason: 'a small appetite' };
    const proposed = await operateAs(exchange, 'owner', url, fields);
    expect(proposed.status).toBe(202);
    const { proposal } = (await proposed.json()) as { proposal: string };
    expect(await evidenceOf(exchange, 'approver', proposal)).toMatchObject({
      facts: { subject: 'btcusdt', mostNext: '1' },
      context: { valueNow: worst },
    });
    await operateAs(exchange, 'approver', `/ops/proposals/${proposal}/approve`, { reason: 'agreed' });
    expect(await find('secondsWorst', 'btcusdt')).toMatchObject({ most: '1', state: 'too high', version: 1 });
    expect((await rowsOf('measures', '/ops/figures/now'))[0]).toMatchObject({ measure: 'secondsWorst' });
    expect(await figures().health()).toMatchObject({ isUp: false });
    const alarms = exchange.log.lines.filter(({ event }) => event === 'figures.beyond_limit');
    expect(alarms).toMatchObject([{ fields: { measure: 'secondsWorst', subject: 'btcusdt' } }]);
    expect(figures().beyondLimits).toBe(1);

    const outdated = await operateAs(exchange, 'owner', url, fields);
    expect(await outdated.json()).toMatchObject({ key: 'l.version_changed' });
    const reversed = await operateAs(exchange, 'owner', `${url}/check`, {
      least: '5',
      most: '1',
      version: '1',
      reason: 'a check',
    });
    expect(await reversed.json()).toMatchObject({ field: 'most' });
    const unknown = await operateAs(exchange, 'owner', '/ops/figures/limits/nothing/x/check', {
      most: '1',
      version: '0',
      reason: 'a check',
    });
    expect(await unknown.json()).toMatchObject({ key: 'l.not_found' });
    await operate(exchange, url, { most: '', version: '1', reason: 'no limit' });
    expect(await find('secondsWorst', 'btcusdt')).toMatchObject({ state: 'within', version: 2 });
    expect(await figures().health()).toMatchObject({ isUp: true });
    const versions = await rowsOf('versions', `${url}/versions`);
    expect(versions.map(({ version, most }) => [version, most])).toEqual([
      [2, null],
      [1, '1'],
    ]);
  });

  it('OPS-1160 liabilities are listed by the day on which they are due', async () => {
    const due = await rowsOf('due', '/ops/figures/due');
    const day = new Date(Math.ceil(exchange.clock.now() / DAY_MS) * DAY_MS + 7 * DAY_MS)
      .toISOString()
      .slice(0, 10);
    expect(due).toMatchObject([{ day, asset: 'USDT', principal: '400', earnings: '2.8', total: '402.8' }]);
  });

  it('OPS-1162 two operators close a month that is over, once; its file is signed and never changes', async () => {
    await flows().catchUp();
    const month = monthOfDay(figures().dayNow());
    const url = `/ops/figures/periods/${month.month}`;
    const running = await operateAs(exchange, 'owner', `${url}/close/check`, { reason: 'too early' });
    expect(await running.json()).toMatchObject({ key: 'l.period_not_closable' });
    exchange.clock.shift((month.lastDay + 1) * DAY_MS + HOUR_MS - exchange.clock.now());
    const open = await rowsOf('periods', '/ops/figures/periods');
    expect(open.map(({ month: name, state }) => [name, state])).toEqual([
      [monthOfDay(month.lastDay + 1).month, 'running'],
      [month.month, 'open'],
    ]);
    const proposed = await operateAs(exchange, 'owner', `${url}/close`, { reason: 'the month is over' });
    const { proposal } = (await proposed.json()) as { proposal: string };
    expect(await evidenceOf(exchange, 'approver', proposal)).toMatchObject({
      facts: { month: month.month, turnover: '2920.2' },
    });
    await operateAs(exchange, 'approver', `/ops/proposals/${proposal}/approve`, { reason: 'agreed' });
    const [, closed] = await rowsOf('periods', '/ops/figures/periods');
    expect(closed).toMatchObject({ month: month.month, state: 'closed', turnover: '2920.2' });

    const file = await (await operateAs(exchange, 'owner', `${url}/file`)).text();
    const content = file.slice(0, file.lastIndexOf('signature,'));
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { key, signature } = closed as { key: string; signature: string };
    expect(file.slice(content.length)).toBe(`signature,${month.month},${sha256},${key},${signature},,\r\n`);
    const keys = await exchange.database.pool.query<{ public_key: string }>(
      'select public_key from signing_key where id = $1',
      [key],
    );
    const signed = Buffer.from(`figures|${month.month}|${sha256}`);
    expect(verify(null, signed, keys.rows[0]!.public_key, Buffer.from(signature, 'base64'))).toBe(true);
    expect(content).toContain('turnover,spot,BTC,0.03,50000,750');

    const again = await periods().close(month.month, { by: 'someone', reason: 'once more' });
    expect(again).toMatchObject({ sha256, closedBy: closed!['closedBy'] });
    const repeated = await operateAs(exchange, 'owner', `${url}/close/check`, { reason: 'too early' });
    expect(await repeated.json()).toMatchObject({ key: 'l.period_not_closable' });
    await exchange.aUser({ USDT: '77' });
    await flows().recount();
    await flows().catchUp();
    expect(await (await operateAs(exchange, 'owner', `${url}/file`)).text()).toBe(file);
    await expect(exchange.database.pool.query(`update house_period set reason = 'x'`)).rejects.toThrow(
      'append-only',
    );
  });

  it('OPS-1162 an entry of a closed month that is added up later counts on the first day after the month', async () => {
    await flows().catchUp();
    const today = figures().dayNow();
    await exchange.database.pool.query(
      `insert into house_period select '2999-12', $1::integer, $1::integer, (select sequence from house_flow_cursor), '', ''::bytea, '',
         '', '{}', 'test', 'test', 0`,
      [today + 1],
    );
    await exchange.aUser({ USDT: '123' });
    await flows().catchUp();
    // Only funding entries are compared, because seconds contracts of earlier tests may be settled on the same day.
    const late = (await stored()).filter(({ day, kind }) => day === today + 2 && kind === 'inventory.funded');
    expect(late.map(({ amount }) => amount.toString())).toEqual(['123']);
    expect(await stored()).toEqual(await recomputed());
  });
});
