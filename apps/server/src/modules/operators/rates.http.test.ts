import { ceilingsOf } from '@exchange/core/ceilings.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { OPERATIONS } from '@exchange/wire/console/catalogue.ts';
import { operationKey } from '@exchange/wire/operation.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { approveAs, evidenceOf, operateAs } from '../../../testing/operators.ts';
import { createProduct, terms } from '../finance/testing/products.ts';

type Body = Record<string, unknown>;
const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

describe('terms entered by operators', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const product = (overrides: Record<string, string> = {}) => ({
    asset: 'USDT',
    nameEn: 'Fixed',
    nameZh: '定期',
    sourceEn: 'The house.',
    sourceZh: '平台',
    period: '7',
    dailyRate: '0.001',
    payMode: 'maturity',
    startAmount: '100',
    maxAmount: '1000',
    capacity: '100000',
    manual: '0',
    opensAt: String(exchange.clock.now()),
    closesAt: '',
    reason: 'a try',
    ...overrides,
  });
  const send = (path: string, fields: Record<string, string>) =>
    bodyOf(operateAs(exchange, 'owner', path, fields));

  it('OPS-1120 serves exactly the described operations', () => {
    const served = exchange.operations.map(operationKey).toSorted();
    expect(served).toEqual(OPERATIONS.map(operationKey).toSorted());
  });

  it('OPS-665 every figure of a product’s terms has a maximum, which form, preview and command enforce alike', async () => {
    const products = {
      '/ops/finance/products/:code': 'finance',
      '/ops/mining/products/:code': 'mining',
      '/ops/fund/funds/:code': 'fund',
      '/ops/seconds/terms': 'seconds',
      '/ops/subscription/projects/:code': 'subscription',
    } as const;
    for (const [path, name] of Object.entries(products)) {
      const { fields = {} } = exchange.operations.find(
        (operation) => operation.method === 'POST' && operation.path === path,
      )!;
      const ceilings = ceilingsOf(name);
      const figures = Object.entries(fields).filter(([, { kind }]) =>
        ['decimal', 'percent', 'whole'].includes(kind),
      );
      expect(figures.length).toBeGreaterThan(1);
      for (const [field] of figures) expect([path, field, ceilings.has(field)]).toEqual([path, field, true]);
    }
    const slip = product({ dailyRate: '0.025' });
    const expectedRefusal = { key: 'l.field_max', field: 'dailyRate' };
    for (const path of ['', '/check', '/preview'])
      expect(await send(`/ops/finance/products/slip${path}`, slip)).toMatchObject({
        ...expectedRefusal,
        error: 'Daily rate must be at most 0.2 %. You entered 2.5 %.',
      });
    const { finance } = exchange.doors.finance;
    await expect(
      finance.publish(terms(exchange, 'slip', { dailyRate: Decimal.parse('0.025') }), {
        by: 'a',
        reason: 'b',
      }),
    ).rejects.toThrow('l.field_max');
  });

  it('OPS-666 a value above twice the current one warns both operators and shows the cost', async () => {
    await createProduct(exchange, 'steady', { dailyRate: Decimal.parse('0.0005') });
    const path = '/ops/finance/products/steady';
    const neighbours: unknown = expect.any(Array);
    expect(await send(`${path}/check`, product({ dailyRate: '0.001' }))).toEqual({
      warnings: [],
      neighbours,
      needsCode: true,
    });
    const raised = product({ dailyRate: '0.0011', capacity: '100000' });
    const { warnings } = (await send(`${path}/check`, raised)) as unknown as {
      warnings: { field: string; text: string }[];
    };
    expect(warnings[0]).toEqual({
      field: 'dailyRate',
      text: 'Daily rate 0.11 % is more than twice the 0.05 % in force. 40.15 % APR costs the house 110 USDT a day at full capacity.',
    });
    const { proposal } = (await send(path, raised)) as { proposal: string };
    expect((await evidenceOf(exchange, 'approver', proposal)).warnings).toEqual(warnings);
    expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
    // The check compares a new product's rate with that of the best-paying product of its coin.
    const newProductCheck = await send('/ops/finance/products/fresh/check', product({ dailyRate: '0.002' }));
    expect(newProductCheck).toEqual({ warnings: [], neighbours, needsCode: true });
  });

  it('OPS-1182 a preview shows ceilings, costs and what the market says beside the fields of products, terms and pairs', async () => {
    const neighboursOf = async (path: string, fields: Record<string, string>) => {
      const { neighbours } = (await send(`${path}/check`, { reason: 'a test', ...fields })) as unknown as {
        neighbours: { field: string }[];
      };
      return neighbours;
    };
    const path = '/ops/finance/products/beside';
    const inBitcoin = { asset: 'BTC', dailyRate: '0.0002', period: '30' };
    const amounts = { startAmount: '0.1', maxAmount: '1', capacity: '10' };
    const earn = await neighboursOf(path, product({ ...inBitcoin, ...amounts }));
    expect(earn).toContainEqual({ field: 'dailyRate', ceiling: '0.2 %' });
    expect(earn).toContainEqual({ field: 'capacity', market: '500000 USDT at 50000 USDT' });
    expect(earn).toContainEqual({ field: 'dailyRate', cost: '7.3 % APR; 0.002 BTC a day at full capacity' });
    expect(earn).toContainEqual({
      field: 'capacity',
      cost: '0.06 BTC over the whole term when it is sold out',
    });
    const seconds = await neighboursOf('/ops/seconds/terms', {
      open: '1',
      durations: '60:0.8:5',
      symbols: 'btcusdt',
      feeRate: '0.01',
      maxStake: '100',
    });
    expect(seconds).toContainEqual({ field: 'durations', ceiling: 'rate 100 %' });
    expect(seconds).toContainEqual({ field: 'durations', cost: 'at even odds 60 s keeps 10 %' });
    expect(seconds).toContainEqual({ field: 'symbols', market: 'BTC/USDT 50000' });
    expect(seconds).toContainEqual({
      field: 'maxStake',
      market: 'open positions can cost 0 at worst',
      cost: 'one win 80',
    });
    const [pair] = await neighboursOf('/ops/pairs/btcusdt/status', {
      status: 'closed',
      publicCause: 'other',
    });
    expect(pair).toMatchObject({ field: 'status', market: expect.stringContaining('index 50000; spread') });
  });

  it('OPS-1181 OPS-1184 the console lists pairs with prices and limits, and the price of every source for every pair', async () => {
    const { pairs } = (await (await operateAs(exchange, 'owner', '/ops/pairs')).json()) as {
      pairs: Record<string, unknown>[];
    };
    expect(pairs.find(({ symbol }) => symbol === 'btcusdt')).toMatchObject({
      status: 'open',
      index: '50000',
      quote: 'USDT',
      makerFee: '0.001',
      priceBand: '0.2',
      bids: '0',
      asks: '0',
    });
    const pricesOf = async (query: string) =>
      (
        (await (await operateAs(exchange, 'owner', `/ops/sources/prices${query}`)).json()) as {
          prices: Record<string, unknown>[];
        }
      ).prices;
    const all = await pricesOf('');
    const some = await pricesOf('?symbol=BTC/USDT');
    expect(some.length).toBeGreaterThan(1);
    expect(all.length).toBe(some.length * pairs.length);
    expect(new Set(some.map(({ symbol }) => symbol))).toEqual(new Set(['btcusdt']));
    expect(some[0]).toMatchObject({ state: 'counts', price: '50000', deviation: '0', because: 'Counts.' });
    expect(await pricesOf('?symbol=btcusdt&state=off')).toEqual([]);
  });

  const due = () => exchange.doors.jobs.scheduled.get('operators.applyScheduled')!();
  const scheduledOf = async (id: unknown) => {
    const { scheduled } = (await bodyOf(
      operateAs(exchange, 'owner', '/ops/proposals/scheduled'),
    )) as unknown as { scheduled: Body[] };
    return scheduled.find((row) => row['id'] === id);
  };
  /** Proposes terms that take effect in an hour, and has them approved; returns the id of the scheduled call. */
  async function schedule(code: string, fields: Record<string, string> = {}) {
    const startsAt = String(exchange.clock.now() + HOUR_MS);
    const { proposal } = (await send(`/ops/finance/products/${code}`, product({ startsAt, ...fields }))) as {
      proposal: string;
    };
    return ((await bodyOf(approveAs(exchange, 'approver', proposal))) as { scheduled: string }).scheduled;
  }
  const capacityOf = async (code: string) => {
    const products = await exchange.doors.finance.finance.listProducts(undefined);
    return products.find(({ product: { code: listed } }) => listed === code)?.product.capacity.toString();
  };

  it('OPS-1186 an approved change takes effect at its time, once, also after a restart; until then it is listed as waiting', async () => {
    await createProduct(exchange, 'later', { capacity: Decimal.parse('5000') });
    const id = await schedule('later', { capacity: '7000' });
    const waiting = await scheduledOf(id);
    expect(waiting).toMatchObject({ state: 'waiting', operator: 'owner', approvedBy: 'approver' });
    await due();
    expect(await capacityOf('later')).toBe('5000');
    await exchange.restart();
    await exchange.advanceTime(HOUR_MS);
    await Promise.all([due(), due()]);
    expect(await capacityOf('later')).toBe('7000');
    expect(await scheduledOf(id)).toMatchObject({
      state: 'done',
      result: expect.stringContaining('version'),
    });
    const { rows } = await exchange.database.pool.query<{ event: string; approved_by: string }>(
      `select event, approved_by from operator_audit where action = 'POST /ops/finance/products/:code' and parameters like '%"later"%' order by sequence`,
    );
    expect(rows.map(({ event }) => event)).toEqual(['proposed', 'scheduled', 'begun', 'done']);
    expect(rows.at(-1)!.approved_by).toBe('approver');
  });

  it('OPS-1187 a scheduled change can be cancelled while it waits, and then never takes effect', async () => {
    await createProduct(exchange, 'never', { capacity: Decimal.parse('5000') });
    const id = await schedule('never', { capacity: '7000' });
    const cancel = () => send(`/ops/proposals/scheduled/${id}/cancel`, { reason: 'not yet' });
    expect(await cancel()).toEqual({});
    expect(await cancel()).toMatchObject({ key: 'l.proposal_over' });
    expect(await send('/ops/proposals/scheduled/nothing/cancel', { reason: 'x' })).toMatchObject({
      key: 'l.not_found',
    });
    await exchange.advanceTime(HOUR_MS);
    await due();
    expect(await capacityOf('never')).toBe('5000');
    expect(await scheduledOf(id)).toMatchObject({ state: 'cancelled', endedBy: 'owner' });
  });

  it('OPS-1188 a scheduled change that is not valid by its time is refused with the reason; so is a time that has passed or is too far', async () => {
    await createProduct(exchange, 'overtaken', { capacity: Decimal.parse('5000') });
    const id = await schedule('overtaken', { capacity: '7000' });
    const path = '/ops/finance/products/overtaken';
    const { proposal } = (await send(path, product({ capacity: '6000' }))) as { proposal: string };
    await approveAs(exchange, 'approver', proposal);
    await exchange.advanceTime(HOUR_MS);
    await due();
    expect(await capacityOf('overtaken')).toBe('6000');
    const refused = await scheduledOf(id);
    expect(refused).toMatchObject({ state: 'refused' });
    expect(refused!['result']).toMatch(/version|published/i);
    const now = exchange.clock.now();
    for (const startsAt of [String(now), String(now + 91 * DAY_MS), 'soon'])
      expect(await send(`${path}/check`, product({ startsAt }))).toMatchObject({ field: 'startsAt' });
    // A proposal cannot be approved after its start time.
    const late = (await send(path, product({ startsAt: String(now + HOUR_MS), capacity: '8000' }))) as {
      proposal: string;
    };
    await exchange.advanceTime(HOUR_MS);
    expect(await bodyOf(approveAs(exchange, 'approver', late.proposal))).toMatchObject({ field: 'startsAt' });
    expect(await capacityOf('overtaken')).toBe('6000');
  });

  it('OPS-1188 a scheduled change that a stop of the server interrupted is applied again, unless it is in force already', async () => {
    await createProduct(exchange, 'interrupted', { capacity: Decimal.parse('5000') });
    const ids = [
      await schedule('interrupted', { capacity: '9000' }),
      await schedule('interrupted', { capacity: '9500' }),
    ];
    const stopWhileRunning = async (id: string | undefined) => {
      // Sets the stored state as a server leaves it that stops while the scheduled call runs.
      await exchange.database.pool.query(
        `update operator_scheduled set state = 'running', ended_at = null where id = $1`,
        [id],
      );
      await exchange.restart();
      expect(await scheduledOf(id)).toMatchObject({
        state: 'waiting',
        result: expect.stringContaining('applied again'),
      });
      await due();
      return scheduledOf(id);
    };
    await exchange.advanceTime(HOUR_MS);
    // The server stopped before the change took effect, so the repetition applies it.
    expect(await stopWhileRunning(ids[0])).toMatchObject({ state: 'done' });
    expect(await capacityOf('interrupted')).toBe('9000');
    // The server stopped after the change took effect, but before the call was stored as done, so the
    // repetition is refused and the call ends as interrupted.
    expect(await stopWhileRunning(ids[0])).toMatchObject({ state: 'interrupted' });
    expect(await capacityOf('interrupted')).toBe('9000');
    // The second change, to a capacity of 9,500, is refused, because the first one has changed the version of the
    // terms. Its state is `refused` and not `interrupted`, because no stop interrupted it.
    expect(await scheduledOf(ids[1])).toMatchObject({ state: 'refused' });
  });
});
