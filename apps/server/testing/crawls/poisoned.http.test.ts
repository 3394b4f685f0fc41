import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { sendTestDeposit } from '@exchange/wire/deposit.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { fundRecordDetail } from '@exchange/wire/fund.ts';
import * as invitation from '@exchange/wire/invite.ts';
import { buyMining, miningOrderDetail } from '@exchange/wire/mining.ts';
import { openSeconds, SECONDS_STATUS, secondsDetail } from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProduct, createSaver, purchase } from '../../src/modules/finance/testing/products.ts';
import { createFund, createHolding } from '../../src/modules/fund/testing/funds.ts';
import { createMiningProduct } from '../../src/modules/mining/testing/products.ts';
import { createPlayer, openSecondsMarket, ticket } from '../../src/modules/seconds/testing/players.ts';
import { createProject, commitFor } from '../../src/modules/subscription/testing/projects.ts';
import { limit, place } from '../../src/modules/spot/testing/orders.ts';
import { testDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { poisonRows } from '../poison.ts';

/**
 * In each test a failing item of due work precedes a valid one. The server must process the valid item, report the
 * failing item and retry it.
 */
describe('a failing item of due work', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const failingKeys = (work: string) =>
    exchange.doors.bulkheads.failing().flatMap((item) => (item.work === work ? [item.key] : []));
  const passTo = (at: number) => exchange.advanceTime(at - exchange.clock.now());
  const nextMidnight = () => startOfDay(exchange.clock.now()) + DAY_MS;

  it('JOB-692 JOB-1060 a failing position of the seconds contract does not block the others of its bucket', async () => {
    await openSecondsMarket(exchange);
    const players = await Promise.all(Array.from({ length: 4 }, () => createPlayer(exchange, '100')));
    const opened = await Promise.all(
      players.map(async (player) => ({ player, ...(await player.request(openSeconds, ticket('up', '10'))) })),
    );
    const buckets = opened.map(({ expireTime }) =>
      opened.filter((candidate) => candidate.expireTime === expireTime),
    );
    const [bucket] = buckets.toSorted((a, b) => b.length - a.length);
    const [failing, valid] = bucket!.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [unlucky, lucky] = [failing!.player, valid!.player];
    // The page size of due items is one, so the failing item alone fills the first page.
    const { settling } = exchange.doors.seconds;
    const { pageSize } = settling;
    settling.pageSize = 1;
    const removePoison = await poisonRows(exchange, 'seconds_order', 'update', `old.id = '${failing!.id}'`);
    const status = async (player: TestTrader, id: string) =>
      (await player.request(secondsDetail, { id })).status;
    await eventually(async () => expect(await status(lucky, valid!.id)).not.toBe(0));
    await eventually(() => expect(failingKeys('seconds positions')).toEqual([failing!.id]));
    expect(await status(unlucky, failing!.id)).toBe(0);
    await removePoison();
    exchange.clock.shift(MINUTE_MS);
    await eventually(async () => expect(await status(unlucky, failing!.id)).not.toBe(0));
    expect(failingKeys('seconds positions')).toEqual([]);
    settling.pageSize = pageSize;
  });

  it('JOB-692 JOB-1060 CON-980 a failing refund does not block the others, and its interval stays open until it succeeds', async () => {
    let price = 50_000;
    /**
     * Opens a position and makes it lose. If the position becomes void, because the index of a second came too late,
     * another one is opened.
     */
    const losingPosition = async () => {
      const player = await createPlayer(exchange, '1000');
      for (;;) {
        // The seconds that the clock skipped have no index, so opening a position is retried until the current second
        // has one.
        const { id, expireTime } = await eventually(() => player.request(openSeconds, ticket('up', '10')));
        const detail = () => player.request(secondsDetail, { id });
        await eventually(async () => {
          const { buyPrice, status } = await detail();
          expect(buyPrice !== undefined || status !== SECONDS_STATUS.holding).toBe(true);
        });
        await exchange.setPrice('btcusdt', String((price -= 100)));
        await eventually(async () => expect((await detail()).status).not.toBe(SECONDS_STATUS.holding));
        if ((await detail()).result === 'lose') return { player, id, expireTime };
      }
    };
    const [failing, valid] = [await losingPosition(), await losingPosition()];
    const removePoison = await poisonRows(exchange, 'seconds_order', 'update', `old.id = '${failing.id}'`);
    const { seconds, settling } = exchange.doors.seconds;
    const period = {
      from: later(instant(failing.expireTime), -1_000),
      to: instant(Math.max(failing.expireTime, valid.expireTime)),
    };
    await seconds.declareVoid('btcusdt', period, { by: 'anna', reason: 'a source was wrong' });
    const { pageSize } = settling;
    settling.pageSize = 1;
    // If no refund of a batch succeeds, the run leaves the rest of the interval to a later run, because the house
    // account may lack the coin. Here a batch has one refund, so the failing one has this effect. The next run skips it,
    // because it is paused after its failure.
    await settling.refund();
    await settling.refund();
    settling.pageSize = pageSize;
    const refundOf = async ({ player, id }: typeof failing) =>
      (await player.request(secondsDetail, { id })).refund;
    expect([await refundOf(failing), await refundOf(valid)]).toEqual([undefined, '10.1']);
    expect(failingKeys('seconds refunds')).toEqual([failing.id]);
    await removePoison();
    exchange.clock.shift(MINUTE_MS);
    await settling.refund();
    expect(await refundOf(failing)).toBe('10.1');
    expect(failingKeys('seconds refunds')).toEqual([]);
  });

  it('JOB-692 JOB-1060 a failing fund holding does not block the daily costs and liquidations of the others', async () => {
    const fund = await createFund(exchange, 'poisoned');
    const owner = await createSaver(exchange, { USDT: '1000' });
    const failing = await createHolding(exchange, owner.id, fund, { leverage: 3 });
    // The valid position has lower leverage, so it is liquidated at a lower value of the fund's unit than the failing
    // one. The fund watch, which liquidates positions, therefore processes it second.
    const valid = await createHolding(exchange, owner.id, fund, { leverage: 2 });
    const { watch } = exchange.doors.fund;
    const { pageSize } = watch;
    watch.pageSize = 1;
    const record = (id: string) => owner.request(fundRecordDetail, { id });
    const removePoison = await poisonRows(exchange, 'fund_position', 'update', `old.id = '${failing}'`);
    await passTo(nextMidnight() + MINUTE_MS);
    await eventually(async () => {
      await exchange.doors.fund.jobs.settle();
      expect((await record(valid)).cost).not.toBe('0');
    });
    expect((await record(failing)).cost).toBe('0');
    expect(failingKeys('fund costs')).toEqual([failing]);
    await exchange.setPrice('btcusdt', '25000');
    await exchange.setPrice('ethusdt', '1250');
    await eventually(async () => expect(await record(valid)).toMatchObject({ status: 3 }));
    await eventually(() => expect(failingKeys('fund watch')).toEqual([failing]));
    expect(await record(failing)).toMatchObject({ status: 1 });
    await removePoison();
    exchange.clock.shift(HOUR_MS);
    await eventually(async () => expect(await record(failing)).toMatchObject({ status: 3 }));
    expect(failingKeys('fund watch')).toEqual([]);
    watch.pageSize = pageSize;
    await exchange.setPrice('btcusdt', '50000');
  });

  it('JOB-692 a failing mining order does not block the payments behind it', async () => {
    const mine = await createMiningProduct(exchange, 'poisoned');
    const trader = await createSaver(exchange, { USDT: '1000' });
    const { orderId: failing } = await trader.request(buyMining, purchase(mine, '100'));
    const { orderId: valid } = await trader.request(buyMining, purchase(mine, '100'));
    const incomeOf = async (id: string) => (await trader.request(miningOrderDetail, { id })).income;
    const removePoison = await poisonRows(exchange, 'mining_order', 'update', `old.id = '${failing}'`);
    await passTo(nextMidnight() + HOUR_MS);
    await exchange.advanceTime(DAY_MS);
    await eventually(async () => {
      await exchange.doors.mining.jobs.settle();
      expect(await incomeOf(valid)).not.toBe('0');
    });
    expect(await incomeOf(failing)).toBe('0');
    expect(failingKeys('mining income')).toEqual([failing]);
    await removePoison();
    await exchange.advanceTime(HOUR_MS);
    await eventually(async () => {
      await exchange.doors.mining.jobs.settle();
      expect(await incomeOf(failing)).toBe(await incomeOf(valid));
    });
    expect(failingKeys('mining income')).toEqual([]);
  });
});

/** Creates an inviter and the given number of invitees who have paid a fee today. */
async function invitees(exchange: TestExchange, count: number) {
  const inviter = await exchange.aUser();
  const maker = await exchange.aUser({ BTC: '1' });
  const friends: TestTrader[] = [];
  for (let index = 0; index < count; index += 1) {
    const friend = await exchange.aUser({ USDT: '10000' });
    const { pool } = exchange.database;
    await pool.query('update user_account set invited_by = $1 where id = $2', [inviter.id, friend.id]);
    // Each user gets a separate device, because rewards for an invitee with the inviter's device are held.
    await pool.query(
      `update user_session set device_mark = decode(md5(user_id::text), 'hex') where user_id = $1`,
      [friend.id],
    );
    await place(maker, limit('sell', '50000', '0.1'));
    await place(friend, limit('buy', '50000', '0.1'));
    friends.push(friend);
  }
  return { inviter, friends };
}

it('JOB-692 INV-691 INV-980 a failing reward does not block the others; rewards are read from the primary, not from a lagging copy', async () => {
  // The test's replica is a database that receives no changes, so a reward computed from the replica would be zero.
  const copy = await testDatabase();
  const exchange = await anExchange({ replica: copy.pool });
  try {
    const { inviter, friends } = await invitees(exchange, 2);
    const removePoison = await poisonRows(
      exchange,
      'invite_reward',
      'insert',
      `new.invitee = '${friends[0]!.id}'`,
    );
    await exchange.advanceTime(startOfDay(exchange.clock.now()) + DAY_MS + HOUR_MS - exchange.clock.now());
    const { invite, bulkheads } = exchange.doors;
    await invite.reward();
    const income = async () =>
      (await inviter.request(invitation.inviteInfo)).income.map(({ amount }) => amount);
    expect(await income()).toEqual(['0.00002']);
    expect(bulkheads.failing().map(({ work }) => work)).toEqual(['invitation rewards']);
    await removePoison();
    await exchange.advanceTime(HOUR_MS);
    await invite.reward();
    expect(await income()).toEqual(['0.00004']);
    expect(bulkheads.failing()).toEqual([]);
  } finally {
    await exchange.close();
    await copy.drop();
  }
});

describe('a notice that cannot be written', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const QUEUES = [
    'deposit notices',
    'finance notices',
    'fund notices',
    'income digests',
    'invitation notices',
    'mining notices',
    'seconds refund results',
    'seconds results',
    'seconds void results',
    'subscription notices',
    'withdrawal notices',
  ];
  const failing = () => exchange.doors.bulkheads.failing().map(({ work }) => work);
  const kindsOf = async ({ id }: TestTrader) => {
    const { rows } = await exchange.database.pool.query<{ kind: string }>(
      'select distinct kind from message where user_id = $1 order by kind',
      [id],
    );
    return rows.map(({ kind }) => kind);
  };
  /** Runs the jobs of all products that send notifications to users. */
  const notifyAll = async () => {
    const { finance, mining, fund, subscription, income, deposits, withdrawals, invite, jobs } =
      exchange.doors;
    for (const { jobs: due } of [finance, mining, fund, subscription, income]) await due.settle();
    await deposits.jobs.watch();
    await withdrawals.jobs.advance();
    await invite.reward();
    await jobs.scheduled.get('seconds.notifyResults')!();
  };
  /**
   * Inserts two copies of a user's settled position: one with the status of a void position, one as a loss that was
   * refunded.
   */
  const insertResults = async (owner: string) => {
    const at = exchange.clock.now();
    await exchange.database.pool.query(
      `insert into seconds_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
         'finished_at', $2::bigint) || results.changes)).*
       from seconds_order o, unnest(array[
         '{"status": 2, "result": "void", "reason": "noSettlementPoint"}',
         jsonb_build_object('status', 1, 'result', 'lose', 'refunded_at', $2::bigint,
           'refund_interval', gen_random_uuid())]::jsonb[]) as results(changes)
       where o.owner = $1`,
      [owner, at],
    );
  };

  it('MSG-1085 MSG-1086 holds up no other of its product, is reported, and is written after growing pauses', async () => {
    await openSecondsMarket(exchange);
    const finance = await createProduct(exchange, 'notices', { payMode: 'daily' });
    const mine = await createMiningProduct(exchange, 'notices');
    const fund = await createFund(exchange, 'notices');
    const project = await createProject(exchange, 'notices');
    const traders = [
      await createSaver(exchange, { USDT: '3000' }),
      await createSaver(exchange, { USDT: '3000' }),
    ];
    const [bad, good] = traders as [TestTrader, TestTrader];
    const mend = await poisonRows(exchange, 'message', 'insert', `new.user_id = '${bad.id}'`);
    const { pool } = exchange.database;
    for (const trader of traders) {
      await trader.request(buyFinance, purchase(finance, '100'));
      await trader.request(buyMining, purchase(mine, '100'));
      await commitFor(exchange, trader.id, project, '100');
      await createHolding(exchange, trader.id, fund);
      await trader.request(sendTestDeposit, {
        currency: 'USDT',
        network: 'ERC20',
        amount: '25',
        clientId: 'one',
      });
      const place = { asset: 'USDT', network: 'TRC20', address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc' };
      const amount = Decimal.parse('20');
      await exchange.doors.withdrawals.withdrawals.submit(trader.id, {
        ...place,
        amount,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
      const player = await createPlayer(exchange, '100', trader);
      const { id } = await eventually(() => player.request(openSeconds, ticket('up', '10')));
      await eventually(async () => expect((await player.request(secondsDetail, { id })).status).not.toBe(0));
      await insertResults(trader.id);
      await pool.query(
        `insert into invite_notice (invitee, day, asset, inviter, amount) values ($1, 0, 'USDT', $1, 1)`,
        [trader.id],
      );
    }
    await notifyAll();
    await exchange.advanceTime(3 * DAY_MS);
    await notifyAll();
    // The message that summarizes today's income (digest) is sent after the next daily cut-off, so the clock moves by a
    // day.
    await exchange.advanceTime(DAY_MS);
    // The first run announces the end of the sale, and a later run allocates its tokens.
    for (let run = 0; run < 3; run += 1) {
      await notifyAll();
      await exchange.advanceTime(2 * MINUTE_MS);
    }
    expect([...new Set(failing())].toSorted()).toEqual(QUEUES);
    const kinds = await kindsOf(good);
    expect(kinds).toEqual(
      expect.arrayContaining([
        'depositCredited',
        'financeBought',
        'fundBought',
        'incomeDigest',
        'inviteRewarded',
      ]),
    );
    expect(kinds).toEqual(
      expect.arrayContaining(['miningStarted', 'secondsNoPrice', 'secondsRefunded', 'subscriptionAllocated']),
    );
    expect(kinds).toContain('withdrawalHeld');
    expect(await kindsOf(bad)).toEqual(['tradePasswordSet', 'welcome']);
    await mend();
    await exchange.advanceTime(HOUR_MS);
    await notifyAll();
    expect(failing()).toEqual([]);
    expect(await kindsOf(bad)).toEqual(kinds);
  });

  it('WDR-1085 WDR-1086 a withdrawal that fails holds up no other, and is tried again after growing pauses', async () => {
    const traders = [
      await createSaver(exchange, { USDT: '300' }),
      await createSaver(exchange, { USDT: '300' }),
    ];
    const { jobs, review, withdrawals } = exchange.doors.withdrawals;
    const ids: string[] = [];
    for (const { id: owner } of traders) {
      const address = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
      await markAddressKnown(exchange, owner, 'USDT', 'TRC20', address);
      const withdrawal = await withdrawals.submit(owner, {
        asset: 'USDT',
        network: 'TRC20',
        address,
        amount: Decimal.parse('20'),
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
      ids.push(withdrawal.id);
    }
    const [bad, good] = ids as [string, string];
    for (const id of ids) await review.decide(id, 'approve', { by: 'test', persons: 1 });
    const mend = await poisonRows(exchange, 'withdrawal', 'update', `old.id = '${bad}'`);
    const failures = () =>
      exchange.doors.bulkheads
        .failing()
        .flatMap((item) => (item.key === bad ? [[item.work, item.failures]] : []));
    const isSent = async (id: string) => (await withdrawals.find(id))!.txid !== undefined;
    // A row that cannot be stored makes the sequencer reload its state. Runs of jobs that are in progress
    // then end early, so each run is retried until it ends normally.
    const moveTimes = async (runs: number) => {
      for (let run = 0; run < runs; run += 1) await eventually(() => jobs.advance());
    };
    await moveTimes(4);
    expect(await isSent(good)).toBe(true);
    expect(failures()).toEqual([['withdrawals', 1]]);
    exchange.clock.shift(MINUTE_MS);
    await moveTimes(3);
    expect(failures()).toEqual([['withdrawals', 2]]);
    await mend();
    await moveTimes(1);
    expect(await isSent(bad)).toBe(false);
    exchange.clock.shift(2 * MINUTE_MS);
    await moveTimes(1);
    expect(await isSent(bad)).toBe(true);
    expect(failures()).toEqual([]);
  });
});
