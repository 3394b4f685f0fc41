import { Decimal } from '@exchange/core/decimal.ts';
import { createOrder, orderDetail } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../exchange.ts';
import { operateAs } from '../operators.ts';

const ADDRESS = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';

describe('lists with a maximum size', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const query = (text: string, values: readonly unknown[] = []) =>
    exchange.database.pool.query<Record<string, string>>(text, [...values]);
  /**
   * Inserts copies of the table's row with this id. The copies have later ids. `changes` is SQL of a JSON object with
   * the columns that differ.
   */
  const insertCopies = (table: string, id: string, count: number, changes = `'{}'::jsonb`) =>
    query(
      `insert into ${table} select (jsonb_populate_record(r, jsonb_build_object(
         'id', 'ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0')) || ${changes})).*
       from ${table} r, generate_series(1, ${count}) n where r.id = $1`,
      [id],
    );
  async function listSize(path: string, name: string) {
    const body = (await (await operateAs(exchange, 'owner', path)).json()) as Record<string, unknown>;
    const { total, hasMore } = body;
    return { count: (body[name] as unknown[]).length, total, hasMore };
  }

  it('OPS-980 the 201st open withdrawal is counted, and the total value of all is available', async () => {
    const { withdrawals, review } = exchange.doors.withdrawals;
    const owner = await exchange.aUser({ USDT: '1000' });
    await query('update user_account set kyc_status = 2 where id = $1', [owner.id]);
    const { id } = await withdrawals.submit(owner.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: ADDRESS,
      memo: undefined,
      remark: undefined,
      addressId: undefined,
      amount: Decimal.parse('10'),
    });
    await insertCopies('withdrawal', id, 210);
    expect(await listSize('/ops/withdrawals', 'withdrawals')).toEqual({
      count: 200,
      total: 211,
      hasMore: true,
    });
    const { count, value } = await review.openTotals();
    expect([count, value.toString()]).toEqual([211, '2110']);
    await query(`delete from withdrawal where id <> $1`, [id]);
    expect(await listSize('/ops/withdrawals', 'withdrawals')).toEqual({ count: 1, total: 1, hasMore: false });
  });

  it('OPS-980 the 201st deposit that vanished from its network is counted, also by the health check', async () => {
    const { deposits, jobs } = exchange.doors.deposits;
    const owner = await exchange.aUser();
    await deposits.sendTest(
      owner.id,
      { asset: 'USDT', network: 'TRC20', amount: Decimal.parse('5') },
      'caps',
    );
    await jobs.watch();
    const { rows } = await query('select id from deposit where owner = $1', [owner.id]);
    const goneChanges = `jsonb_build_object('status', 1, 'finished_at', 1, 'gone_at', n, 'is_small', false, 'output', n)`;
    await insertCopies('deposit', rows[0]!['id']!, 201, goneChanges);
    expect(await listSize('/ops/deposits/gone', 'gone')).toEqual({ count: 200, total: 201, hasMore: true });
    expect(await exchange.doors.deposits.health()).toMatchObject({ isUp: false, facts: { gone: 201 } });
    await query(`delete from deposit where gone_at is not null`);
  });

  it('SPOT-980 an order with 501 fills and 201 amendments shows the newest of each and the total numbers', async () => {
    const maker = await exchange.aUser({ BTC: '1' });
    const taker = await exchange.aUser({ USDT: '1000' });
    const order = { baseCoin: 'BTC', quoteCoin: 'USDT', price: '50000', amount: '0.001' } as const;
    const { id } = await maker.request(createOrder, { ...order, tradeType: 'sell' });
    await taker.request(createOrder, { ...order, tradeType: 'buy' });
    const { rows } = await query('select id from spot_trade where maker_order = $1', [id]);
    const laterChanges = `jsonb_build_object('sequence', r.sequence + n, 'at', r.at + n)`;
    await insertCopies('spot_trade', rows[0]!['id']!, 500, laterChanges);
    await query(
      `insert into spot_amendment (order_id, at, sequence, price, price_before)
       select $1, n, n, 50000 + n, 49999 + n from generate_series(1, 201) n`,
      [id],
    );
    const detail = await maker.request(orderDetail, { id });
    expect(detail).toMatchObject({ fillCount: 501, amendmentCount: 201 });
    expect([detail.fills.length, detail.amendments.length]).toEqual([500, 200]);
    expect(detail.amendments.at(-1)?.time).toBe(201);
    await query('alter table spot_trade disable trigger all');
    await query(`delete from spot_trade where id::text like 'ffffffff-%'`);
  });

  it('OPS-981 a search lists ten users, the number of further users, and a link to their list', async () => {
    const { id } = await exchange.aUser();
    await insertCopies(
      'user_account',
      id,
      60,
      `jsonb_build_object('uid', (99000000 + n)::text, 'email', 'capped-' || n || '@example.com',
         'invitation_code', (990000 + n)::text)`,
    );
    expect(await listSize('/ops/users?query=capped-', 'users')).toEqual({
      count: 50,
      total: 60,
      hasMore: true,
    });
    const answer = await operateAs(exchange, 'owner', '/ops/search?query=capped-');
    const { found } = (await answer.json()) as { found: { label: string; to: string }[] };
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toMatchObject({ label: '50 more', to: 'users?query=capped-' });
  });

  it('OPS-982 the export of the audit log has every row, also beyond ten thousand', async () => {
    await operateAs(exchange, 'owner', '/ops/assets');
    await query(
      `insert into operator_audit select (jsonb_populate_record(a, jsonb_build_object('sequence', 1000000 + n))).*
       from operator_audit a, generate_series(1, 10050) n where a.sequence = 1`,
    );
    const file = await (await operateAs(exchange, 'owner', '/ops/audit/export')).text();
    const { rows } = await query(`select count(*) as count from operator_audit where sequence > 1000000`);
    expect(Number(rows[0]!['count'])).toBeGreaterThanOrEqual(10_050);
    expect(file.trim().split('\r\n').length).toBeGreaterThan(10_050);
  });

  it('LED-980 a coin with a difference is reported, however many accounts of another coin differ', async () => {
    await query(
      `insert into ledger_account (id, address, asset, owner, balance)
       select 9000000 + n, 'caps:' || n, case when n = 500 then 'ETH' else 'BTC' end, null, 1 from generate_series(1, 500) n`,
    );
    const { problems } = await exchange.audit();
    const assets = new Set(problems.filter(({ invariant }) => invariant === 'M6').map(({ asset }) => asset));
    expect(assets).toEqual(new Set(['BTC', 'ETH']));
    await query('delete from ledger_account where id > 9000000');
  });
});
