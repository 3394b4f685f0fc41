import { randomUUID } from 'node:crypto';
import { depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limit } from '../../src/modules/spot/testing/orders.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange } from '../exchange.ts';

const CUT_WRITER = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'exchange-writer' and datname = current_database()`;

describe('a whole exchange whose database is replaced under it', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const asOwner = (sql: string) =>
    exchange.database.pool.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
  const recoveries = () => exchange.log.lines.filter(({ event }) => event === 'sequencer.recovered').length;

  it('SEQ-645 how far the chains were read is read anew with everything else, so that a used position hides no deposit', async () => {
    const trader = await exchange.aUser();
    const watch = () => exchange.doors.deposits.jobs.watch();
    // Coins for an address of nobody: the reader passes them, and no deposit stores how far it has come.
    await asOwner(
      `insert into chain_transfer (txid, network, asset, address, amount, origin, block)
       select 'tx' || n, 'TRC20', 'USDT', 'nobody', 1, 'nobody ' || n, 1 from generate_series(1, 5) n`,
    );
    await watch();
    await watch();
    // The database comes back without them, and gives their positions to the next ones.
    await asOwner('delete from chain_transfer; alter sequence chain_position restart with 1');
    const before = recoveries();
    await exchange.database.pool.query(CUT_WRITER);
    await eventually(() => expect(recoveries()).toBe(before + 1));
    await trader.ask(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20' });
    await watch();
    await watch();
    expect((await trader.ask(depositRecords)).list).toHaveLength(1);
  });

  it('SEQ-646 a database that has forgotten steps halts what moves money, says why, and can still be read', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const { id } = await trader.ask(wire.createOrder, limit('buy', '50000', '0.001'));
    await asOwner('update writer set sequence = sequence - 1');
    await exchange.database.pool.query(CUT_WRITER);
    const component = async () => {
      const answer = await fetch(`${exchange.consoleUrl}/health`);
      const { components } = (await answer.json()) as {
        components: Record<string, { isUp: boolean; reason?: string }>;
      };
      return { code: answer.status, ...components['sequencer'] };
    };
    await eventually(async () =>
      expect(await component()).toMatchObject({
        code: 503,
        isUp: false,
        reason: expect.stringMatching(
          /^nothing is written: the database ends with step \d+, but step \d+ had been/,
        ),
      }),
    );
    expect(exchange.log.lines.filter(({ event }) => event === 'journal.head_behind')).toHaveLength(1);
    expect(exchange.log.lines.some(({ event }) => event === 'test.ended')).toBe(false);
    expect((await trader.call(wire.createOrder, limit('buy', '50000', '0.001'))).code).toBe(-15);
    expect((await trader.ask(wire.orderRecords)).list.map((order) => order.id)).toEqual([id]);

    // A withdrawal that this database says is to be sent may have been sent, or called back, in what it has forgotten.
    const withdrawal = randomUUID();
    await asOwner(
      `insert into withdrawal (id, owner, asset, network, address, amount, fee, value, is_auto, status, confirmations,
         created_at)
       values ('${withdrawal}', '${trader.id}', 'USDT', 'TRC20', 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc', 20, 1, 20, true, 3, 1, 0)`,
    );
    await exchange.doors.withdrawals.jobs.move();
    await exchange.doors.withdrawals.jobs.move();
    const waits = exchange.log.lines.filter(({ event }) => event === 'withdrawals.waits');
    expect(waits.map(({ fields }) => fields['withdrawal'])).toEqual([withdrawal]);
    const sent = await exchange.database.pool.query(
      `select from chain_transfer where origin = 'withdrawal ${withdrawal}'`,
    );
    expect(sent.rowCount).toBe(0);
    await asOwner(`delete from withdrawal where id = '${withdrawal}'`);
  });
});
