import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { fundRecordDetail } from '@exchange/wire/fund.ts';
import * as invitation from '@exchange/wire/invite.ts';
import { buyMining, miningOrderDetail } from '@exchange/wire/mining.ts';
import { openSeconds, secondsDetail } from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSaver, purchase } from '../../src/modules/finance/testing/products.ts';
import { aFund, aHolding } from '../../src/modules/fund/testing/funds.ts';
import { aMine } from '../../src/modules/mining/testing/products.ts';
import { aPlayer, openSecondsMarket, ticket } from '../../src/modules/seconds/testing/players.ts';
import { limit, place } from '../../src/modules/spot/testing/orders.ts';
import { testDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { poisoned } from '../poison.ts';

/**
 * One failing item precedes a valid item: the valid item is processed, and the failing item is reported and
 * retried.
 */
describe('a failing item of due work', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const failingKeys = (work: string) =>
    exchange.doors.bulkheads.failing().flatMap((item) => (item.work === work ? [item.key] : []));
  const passTo = (at: number) => exchange.pass(at - exchange.clock.now());
  const nextMidnight = () => startOfDay(exchange.clock.now()) + DAY_MS;

  it('JOB-692 JOB-1060 a failing position of the seconds contract does not block the others of its bucket', async () => {
    await openSecondsMarket(exchange);
    const players = await Promise.all(Array.from({ length: 4 }, () => aPlayer(exchange, '100')));
    const opened = await Promise.all(
      players.map(async (player) => ({ player, ...(await player.ask(openSeconds, ticket('up', '10'))) })),
    );
    const buckets = opened.map(({ expireTime }) =>
      opened.filter((candidate) => candidate.expireTime === expireTime),
    );
    const [bucket] = buckets.toSorted((a, b) => b.length - a.length);
    const [failing, valid] = bucket!.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [unlucky, lucky] = [failing!.player, valid!.player];
    // The failing item fills the first page of the lookup.
    const { settling } = exchange.doors.seconds;
    const { lookedUp } = settling;
    settling.lookedUp = 1;
    const removePoison = await poisoned(exchange, 'seconds_order', 'update', `old.id = '${failing!.id}'`);
    const status = async (player: TestTrader, id: string) => (await player.ask(secondsDetail, { id })).status;
    await eventually(async () => expect(await status(lucky, valid!.id)).not.toBe(0));
    await eventually(() => expect(failingKeys('seconds positions')).toEqual([failing!.id]));
    expect(await status(unlucky, failing!.id)).toBe(0);
    await removePoison();
    exchange.clock.shift(MINUTE_MS);
    await eventually(async () => expect(await status(unlucky, failing!.id)).not.toBe(0));
    expect(failingKeys('seconds positions')).toEqual([]);
    settling.lookedUp = lookedUp;
  });

  it('JOB-692 JOB-1060 CON-980 a failing refund does not block the others, and its interval stays open until it succeeds', async () => {
    const players = [await aPlayer(exchange, '100'), await aPlayer(exchange, '100')];
    const opened: { readonly player: TestTrader; readonly id: string; readonly expireTime: number }[] = [];
    for (const player of players) {
      // The skipped time has no index; positions can be opened again when the current seconds have an index.
      const { id, expireTime } = await eventually(() => player.ask(openSeconds, ticket('up', '10')));
      opened.push({ player, id, expireTime });
    }
    for (const { player, id } of opened)
      await eventually(async () => expect((await player.ask(secondsDetail, { id })).buyPrice).toBeDefined());
    await exchange.setPrice('btcusdt', '49900');
    for (const { player, id } of opened)
      await eventually(async () =>
        expect(await player.ask(secondsDetail, { id })).toMatchObject({ result: 'lose' }),
      );
    const [failing, valid] = [opened[0]!, opened[1]!];
    const removePoison = await poisoned(exchange, 'seconds_order', 'update', `old.id = '${failing.id}'`);
    const { seconds, settling } = exchange.doors.seconds;
    const period = {
      from: later(instant(failing.expireTime), -1_000),
      to: instant(Math.max(failing.expireTime, valid.expireTime)),
    };
    await seconds.declareVoid('btcusdt', period, { by: 'anna', reason: 'a source was wrong' });
    const { lookedUp } = settling;
    settling.lookedUp = 1;
    // A failure ends the run, because the house may lack the coin; the next run continues behind the paused
    // item.
    await settling.refund();
    await settling.refund();
    settling.lookedUp = lookedUp;
    const refundOf = async ({ player, id }: typeof failing) =>
      (await player.ask(secondsDetail, { id })).refund;
    expect([await refundOf(failing), await refundOf(valid)]).toEqual([undefined, '10.1']);
    expect(failingKeys('seconds refunds')).toEqual([failing.id]);
    await removePoison();
    exchange.clock.shift(MINUTE_MS);
    await settling.refund();
    expect(await refundOf(failing)).toBe('10.1');
    expect(failingKeys('seconds refunds')).toEqual([]);
  });

  it('JOB-692 JOB-1060 a failing fund holding does not block the daily costs and liquidations of the others', async () => {
    const fund = await aFund(exchange, 'poisoned');
    const owner = await aSaver(exchange, { USDT: '1000' });
    const failing = await aHolding(exchange, owner.id, fund, { leverage: 3 });
    // It is due at a lower value than the failing holding, so it is looked up after it.
    const valid = await aHolding(exchange, owner.id, fund, { leverage: 2 });
    const { watch } = exchange.doors.fund;
    const { lookedUp } = watch;
    watch.lookedUp = 1;
    const record = (id: string) => owner.ask(fundRecordDetail, { id });
    const removePoison = await poisoned(exchange, 'fund_position', 'update', `old.id = '${failing}'`);
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
    watch.lookedUp = lookedUp;
    await exchange.setPrice('btcusdt', '50000');
  });

  it('JOB-692 a failing mining order does not block the payments behind it', async () => {
    const mine = await aMine(exchange, 'poisoned');
    const trader = await aSaver(exchange, { USDT: '1000' });
    const { orderId: failing } = await trader.ask(buyMining, purchase(mine, '100'));
    const { orderId: valid } = await trader.ask(buyMining, purchase(mine, '100'));
    const incomeOf = async (id: string) => (await trader.ask(miningOrderDetail, { id })).income;
    const removePoison = await poisoned(exchange, 'mining_order', 'update', `old.id = '${failing}'`);
    await passTo(nextMidnight() + HOUR_MS);
    await exchange.pass(DAY_MS);
    await eventually(async () => {
      await exchange.doors.mining.jobs.settle();
      expect(await incomeOf(valid)).not.toBe('0');
    });
    expect(await incomeOf(failing)).toBe('0');
    expect(failingKeys('mining income')).toEqual([failing]);
    await removePoison();
    await exchange.pass(HOUR_MS);
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
    // A separate device, because users of one device earn no rewards from each other.
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
  // The copy receives no changes, so a reward computed from it would be zero.
  const copy = await testDatabase();
  const exchange = await anExchange({ replica: copy.pool });
  try {
    const { inviter, friends } = await invitees(exchange, 2);
    const removePoison = await poisoned(
      exchange,
      'invite_reward',
      'insert',
      `new.invitee = '${friends[0]!.id}'`,
    );
    await exchange.pass(startOfDay(exchange.clock.now()) + DAY_MS + HOUR_MS - exchange.clock.now());
    const { invite, bulkheads } = exchange.doors;
    await invite.reward();
    const income = async () => (await inviter.ask(invitation.inviteInfo)).income.map(({ amount }) => amount);
    expect(await income()).toEqual(['0.00002']);
    expect(bulkheads.failing().map(({ work }) => work)).toEqual(['invitation rewards']);
    await removePoison();
    await exchange.pass(HOUR_MS);
    await invite.reward();
    expect(await income()).toEqual(['0.00004']);
    expect(bulkheads.failing()).toEqual([]);
  } finally {
    await exchange.close();
    await copy.drop();
  }
});
