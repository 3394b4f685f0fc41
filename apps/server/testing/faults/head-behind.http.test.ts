import { randomUUID } from 'node:crypto';
import { depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limit } from '../../src/modules/spot/testing/orders.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange } from '../exchange.ts';

const CUT_WRITER = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'exchange-writer' and datname = current_database()`;

describe('an exchange whose database is replaced while it runs', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const asOwner = (sql: string) =>
    exchange.database.pool.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
  const recoveries = () => exchange.log.lines.filter(({ event }) => event === 'sequencer.recovered').length;

  it('SEQ-645 the position of the chain reader is reloaded with all other state, so that a reused position hides no deposit', async () => {
    const trader = await exchange.aUser();
    const watch = () => exchange.doors.deposits.jobs.watch();
    // Transfers to an address that belongs to no user. The chain reader advances its position over them, but no deposit
    // stores that position.
    await asOwner(
      `insert into chain_transfer (txid, network, asset, address, amount, origin, block)
       select 'tx' || n, 'TRC20', 'USDT', 'nobody', 1, 'nobody ' || n, 1 from generate_series(1, 5) n`,
    );
    await watch();
    await watch();
    // Simulates a restore of an older backup: the recorded transfers are missing, and later transfers get the same
    // positions again.
    await asOwner('delete from chain_transfer; alter sequence chain_position restart with 1');
    const recoveriesBefore = recoveries();
    await exchange.database.pool.query(CUT_WRITER);
    await eventually(() => expect(recoveries()).toBe(recoveriesBefore + 1));
    await trader.request(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20' });
    await watch();
    await watch();
    expect((await trader.request(depositRecords)).list).toHaveLength(1);
  });

  it('SEQ-646 a database that has lost steps halts all money movements with a reason, and can still be read', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const { id } = await trader.request(wire.createOrder, limit('buy', '50000', '0.001'));
    await asOwner('update writer set sequence = sequence - 1');
    await exchange.database.pool.query(CUT_WRITER);
    const sequencerHealth = async () => {
      const answer = await fetch(`${exchange.consoleUrl}/health`);
      const { components } = (await answer.json()) as {
        components: Record<string, { isUp: boolean; reason?: string }>;
      };
      return { code: answer.status, ...components['sequencer'] };
    };
    await eventually(async () =>
      expect(await sequencerHealth()).toMatchObject({
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
    expect((await trader.request(wire.orderRecords)).list.map((order) => order.id)).toEqual([id]);

    // A withdrawal that this database lists as pending may have been sent or cancelled in the lost steps, so
    // the server must not send it.
    const withdrawal = randomUUID();
    await asOwner(
      `insert into withdrawal (id, owner, asset, network, address, amount, fee, value, is_auto, status, confirmations,
         created_at)
       values ('${withdrawal}', '${trader.id}', 'USDT', 'TRC20', 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc', 20, 1, 20, true, 3, 1, 0)`,
    );
    // The job fails, because the writer executes no steps. The server must not count this as a failure of the
    // withdrawal.
    await expect(exchange.doors.withdrawals.jobs.advance()).rejects.toThrow('l.maintenance');
    expect(exchange.doors.bulkheads.failing()).toEqual([]);
    const sent = await exchange.database.pool.query(
      `select from chain_transfer where origin = 'withdrawal ${withdrawal}'`,
    );
    expect(sent.rowCount).toBe(0);
    await asOwner(`delete from withdrawal where id = '${withdrawal}'`);
  });
});
