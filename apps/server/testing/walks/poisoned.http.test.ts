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

/** One item that cannot be executed, before one that can: the second is served, the first is reported and tried again. */
describe('a poisoned item of due work', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const failing = (work: string) =>
    exchange.doors.bulkheads.failing().flatMap((item) => (item.work === work ? [item.key] : []));
  const passTo = (at: number) => exchange.pass(at - exchange.clock.now());
  const nextMidnight = () => startOfDay(exchange.clock.now()) + DAY_MS;

  it('JOB-692 JOB-1060 a position of the seconds contract leaves the others of its bucket settled', async () => {
    await openSecondsMarket(exchange);
    const players = await Promise.all(Array.from({ length: 4 }, () => aPlayer(exchange, '100')));
    const opened = await Promise.all(
      players.map(async (player) => ({ player, ...(await player.ask(openSeconds, ticket('up', '10'))) })),
    );
    const buckets = opened.map(({ expireTime }) => opened.filter((other) => other.expireTime === expireTime));
    const [bucket] = buckets.toSorted((one, other) => other.length - one.length);
    const [bad, good] = bucket!.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const [unlucky, lucky] = [bad!.player, good!.player];
    // What fails fills a page of its own, in front of all others.
    const { settling } = exchange.doors.seconds;
    const { lookedUp } = settling;
    settling.lookedUp = 1;
    const mend = await poisoned(exchange, 'seconds_order', 'update', `old.id = '${bad!.id}'`);
    const status = async (player: TestTrader, id: string) => (await player.ask(secondsDetail, { id })).status;
    await eventually(async () => expect(await status(lucky, good!.id)).not.toBe(0));
    await eventually(() => expect(failing('seconds positions')).toEqual([bad!.id]));
    expect(await status(unlucky, bad!.id)).toBe(0);
    await mend();
    exchange.clock.shift(MINUTE_MS);
    await eventually(async () => expect(await status(unlucky, bad!.id)).not.toBe(0));
    expect(failing('seconds positions')).toEqual([]);
    settling.lookedUp = lookedUp;
  });

  it('JOB-692 JOB-1060 CON-980 a refund that fails leaves the others refunded, and its interval open until it is made', async () => {
    const players = [await aPlayer(exchange, '100'), await aPlayer(exchange, '100')];
    const opened: { readonly player: TestTrader; readonly id: string; readonly expireTime: number }[] = [];
    for (const player of players) {
      // Time that was let go by before has no index: positions open again when the seconds of now have one.
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
    const [bad, good] = [opened[0]!, opened[1]!];
    const mend = await poisoned(exchange, 'seconds_order', 'update', `old.id = '${bad.id}'`);
    const { seconds, settling } = exchange.doors.seconds;
    const period = {
      from: later(instant(bad.expireTime), -1_000),
      to: instant(Math.max(bad.expireTime, good.expireTime)),
    };
    await seconds.declareVoid('btcusdt', period, { by: 'anna', reason: 'a source was wrong' });
    const { lookedUp } = settling;
    settling.lookedUp = 1;
    // What fails now ends a run, since the house may be short of the coin; the next one goes on behind what pauses.
    await settling.refund();
    await settling.refund();
    settling.lookedUp = lookedUp;
    const refundOf = async ({ player, id }: typeof bad) => (await player.ask(secondsDetail, { id })).refund;
    expect([await refundOf(bad), await refundOf(good)]).toEqual([undefined, '10.1']);
    expect(failing('seconds refunds')).toEqual([bad.id]);
    await mend();
    exchange.clock.shift(MINUTE_MS);
    await settling.refund();
    expect(await refundOf(bad)).toBe('10.1');
    expect(failing('seconds refunds')).toEqual([]);
  });

  it('JOB-692 JOB-1060 a holding of a fund leaves the others charged for their day, and liquidated', async () => {
    const fund = await aFund(exchange, 'poisoned');
    const owner = await aSaver(exchange, { USDT: '1000' });
    const bad = await aHolding(exchange, owner.id, fund, { leverage: 3 });
    // It is due at a lower value than the other, so it is looked up behind that one.
    const good = await aHolding(exchange, owner.id, fund, { leverage: 2 });
    const { watch } = exchange.doors.fund;
    const { lookedUp } = watch;
    watch.lookedUp = 1;
    const record = (id: string) => owner.ask(fundRecordDetail, { id });
    const mend = await poisoned(exchange, 'fund_position', 'update', `old.id = '${bad}'`);
    await passTo(nextMidnight() + MINUTE_MS);
    await eventually(async () => {
      await exchange.doors.fund.jobs.settle();
      expect((await record(good)).cost).not.toBe('0');
    });
    expect((await record(bad)).cost).toBe('0');
    expect(failing('fund costs')).toEqual([bad]);
    await exchange.setPrice('btcusdt', '25000');
    await exchange.setPrice('ethusdt', '1250');
    await eventually(async () => expect(await record(good)).toMatchObject({ status: 3 }));
    await eventually(() => expect(failing('fund watch')).toEqual([bad]));
    expect(await record(bad)).toMatchObject({ status: 1 });
    await mend();
    exchange.clock.shift(HOUR_MS);
    await eventually(async () => expect(await record(bad)).toMatchObject({ status: 3 }));
    expect(failing('fund watch')).toEqual([]);
    watch.lookedUp = lookedUp;
    await exchange.setPrice('btcusdt', '50000');
  });

  it('JOB-692 a mining order leaves those behind it paid', async () => {
    const mine = await aMine(exchange, 'poisoned');
    const trader = await aSaver(exchange, { USDT: '1000' });
    const { orderId: bad } = await trader.ask(buyMining, purchase(mine, '100'));
    const { orderId: good } = await trader.ask(buyMining, purchase(mine, '100'));
    const incomeOf = async (id: string) => (await trader.ask(miningOrderDetail, { id })).income;
    const mend = await poisoned(exchange, 'mining_order', 'update', `old.id = '${bad}'`);
    await passTo(nextMidnight() + HOUR_MS);
    await exchange.pass(DAY_MS);
    await eventually(async () => {
      await exchange.doors.mining.jobs.settle();
      expect(await incomeOf(good)).not.toBe('0');
    });
    expect(await incomeOf(bad)).toBe('0');
    expect(failing('mining income')).toEqual([bad]);
    await mend();
    await exchange.pass(HOUR_MS);
    await eventually(async () => {
      await exchange.doors.mining.jobs.settle();
      expect(await incomeOf(bad)).toBe(await incomeOf(good));
    });
    expect(failing('mining income')).toEqual([]);
  });
});

/** An inviter, and so many people whom they invited and who paid a fee today. */
async function invitees(exchange: TestExchange, count: number) {
  const inviter = await exchange.aUser();
  const maker = await exchange.aUser({ BTC: '1' });
  const friends: TestTrader[] = [];
  for (let at = 0; at < count; at += 1) {
    const friend = await exchange.aUser({ USDT: '10000' });
    const { pool } = exchange.database;
    await pool.query('update user_account set invited_by = $1 where id = $2', [inviter.id, friend.id]);
    // On a device of their own: people of one device earn each other nothing.
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

it('JOB-692 INV-691 INV-980 a poisoned reward leaves the others paid; all is read from the primary, not from a copy that lags', async () => {
  // Nothing of what happens arrives in this one: a reward that was read from it would be nothing.
  const copy = await testDatabase();
  const exchange = await anExchange({ replica: copy.pool });
  try {
    const { inviter, friends } = await invitees(exchange, 2);
    const mend = await poisoned(exchange, 'invite_reward', 'insert', `new.invitee = '${friends[0]!.id}'`);
    await exchange.pass(startOfDay(exchange.clock.now()) + DAY_MS + HOUR_MS - exchange.clock.now());
    const { invite, bulkheads } = exchange.doors;
    await invite.reward();
    const income = async () => (await inviter.ask(invitation.inviteInfo)).income.map(({ amount }) => amount);
    expect(await income()).toEqual(['0.00002']);
    expect(bulkheads.failing().map(({ work }) => work)).toEqual(['invitation rewards']);
    await mend();
    await exchange.pass(HOUR_MS);
    await invite.reward();
    expect(await income()).toEqual(['0.00004']);
    expect(bulkheads.failing()).toEqual([]);
  } finally {
    await exchange.close();
    await copy.drop();
  }
});
