import { MINUTE_MS } from '@exchange/core/time.ts';
import { depositAddress, depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';

/** More than one page of the job. */
const WAITING = 510;
const BLOCKS = 2 * MINUTE_MS;

describe('deposits of a halted coin', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const watch = () => exchange.doors.deposits.jobs.watch();
  const rows = async <Row>(query: string, values: unknown[] = []) =>
    (await exchange.database.pool.query(query, values)).rows as Row[];
  const credited = async (asset: string): Promise<number> => {
    const [row] = await rows<{ count: number }>(
      'select count(*)::int as count from deposit where asset = $1 and status = 1',
      [asset],
    );
    return row!.count;
  };
  /** The writer's sequence number and the number of journal rows. */
  const journal = () =>
    rows(`select (select sequence::text from writer) as sequence, count(*)::int as batches,
      coalesce(sum(length(steps)), 0)::int as characters from step_journal`);

  /** Inserts confirmed XRP deposits directly, as an old backlog. */
  async function manyConfirmed(owner: TestTrader): Promise<void> {
    const { address } = await owner.ask(depositAddress, { currency: 'XRP', network: 'XRP' });
    await rows(
      `insert into deposit (id, owner, asset, network, address, memo, txid, output, amount, remark, position, block,
         confirmations, status, is_small, created_at, finished_at)
       select gen_random_uuid(), $1, 'XRP', 'XRP', $2, null, 'made ' || n, 0, 50, null, 0, n, 1, 0, false, 0, null
       from generate_series(1, ${WAITING}) n`,
      [owner.id, address],
    );
  }

  it('DEP-620 wait without steps or journal rows, do not block other coins, and are credited when the halt is lifted', async () => {
    const trader = await exchange.aUser();
    await manyConfirmed(trader);
    await operate(exchange, '/ops/assets/xrp/halt', { reason: 'the node is in doubt' });
    await trader.ask(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20' });
    await watch();
    await exchange.pass(BLOCKS);
    await watch();
    const { list } = await trader.ask(depositRecords, { currency: 'USDT' });
    expect(list).toMatchObject([{ status: 1, amount: '20' }]);

    const before = await journal();
    for (let minute = 0; minute < 30; minute += 1) await watch();
    expect(await journal()).toEqual(before);
    expect(await credited('XRP')).toBe(0);

    await operate(exchange, '/ops/assets/xrp/lift', { reason: 'the node is well' });
    await watch();
    expect(await credited('XRP')).toBe(WAITING);
  });

  it('DEP-620 are not proposed in vain while a halt is detected but not stored', async () => {
    const trader = await exchange.aUser();
    await trader.ask(sendTestDeposit, { currency: 'LTC', network: 'LTC', amount: '2' });
    await trader.ask(sendTestDeposit, { currency: 'DOGE', network: 'DOGE', amount: '400' });
    await watch();
    await exchange.pass(BLOCKS);
    // A step of the previous test may have hit the halt.
    exchange.log.lines.length = 0;
    exchange.doors.ledger.halt('LTC', 'test', 'found broken');
    await watch();
    expect([await credited('LTC'), await credited('DOGE')]).toEqual([0, 1]);
    expect(exchange.log.lines.filter(({ event }) => event === 'deposits.not_credited')).toEqual([]);
    await exchange.doors.halting.halt('LTC', { by: 'test', reason: 'found broken' });
    await exchange.doors.halting.lift('LTC', { by: 'test', reason: 'mended' });
    await watch();
    expect(await credited('LTC')).toBe(1);
  });
});
