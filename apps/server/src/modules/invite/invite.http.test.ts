import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, startOfDay } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/invite.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { CODE_TYPES, register, sendEmailCode } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGREED } from '../../../testing/agreed.ts';
import { anExchange, TestTrader, type TestExchange } from '../../../testing/exchange.ts';
import { limit, place } from '../spot/testing/orders.ts';

describe('invitations', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  let count = 0;
  /** Somebody who signs up with a code, with a device of their own, and is given funds. */
  async function invited(invitationCode: string, funds: Readonly<Record<string, string>>, device: string) {
    const email = `invited-${(count += 1)}@example.com`;
    await exchange.call(sendEmailCode, { email, type: CODE_TYPES.register });
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    const password = 'Jasmine4river';
    const { data } = await exchange.call(
      register,
      {
        ...{ email, code: list[0]!.code!, password, confirmPassword: password, invitationCode },
        ...AGREED,
        lang: 'en-US',
      },
      { headers: { 'user-agent': device } },
    );
    const trader = new TestTrader(exchange, {
      id: data.userId as TestTrader['id'],
      email,
      token: data.token,
      password,
    } as never);
    await exchange.fund(trader, funds);
    return trader;
  }
  const coins = async (trader: TestTrader, currency = 'USDT') =>
    (await trader.ask(spotAssets, { currency })).list[0]!.availableCurrency;
  const passTo = (at: number) => exchange.pass(at - exchange.clock.now());
  const nextMidnight = () => startOfDay(exchange.clock.now()) + DAY_MS;

  it('INV-001 INV-003 INV-004 INV-005 INV-008 rewards the fees of a day once, at 00:30 UTC, and shares them', async () => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.ask(wire.inviteInfo);
    const friend = await invited(
      invitationCode,
      { USDT: '10000' },
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    );
    const maker = await exchange.aUser({ BTC: '1' });
    await inviter.ask(wire.setInviteShare, { points: '5' });
    await place(maker, limit('sell', '50000', '0.1'));
    await place(friend, limit('buy', '50000', '0.1'));
    expect(await inviter.ask(wire.inviteInfo)).toMatchObject({
      ...{ rate: 20, share: 5, count: 1, validCount: 0, income: [], discount: 0, days: 365 },
      link: `/login/register?code=${invitationCode}`,
    });
    expect((await friend.ask(wire.inviteInfo)).discount).toBe(5);
    const before = await coins(friend, 'BTC');
    const midnight = nextMidnight();
    await passTo(midnight + HOUR_MS / 4);
    const { reward } = exchange.doors.invite;
    await reward();
    expect((await inviter.ask(wire.inviteInfo)).income).toEqual([]);
    await passTo(midnight + HOUR_MS);
    await Promise.all([reward(), reward()]);
    await reward();
    // The buyer pays the fee in BTC: 0.1 at the taker's rate of 0.1 %.
    const fee = Decimal.parse('0.0001');
    const discount = fee.times(Decimal.parse('0.05'), 'down', 8);
    const share = fee.minus(discount).times(Decimal.parse('0.15'), 'down', 8);
    expect((await inviter.ask(wire.inviteInfo)).income).toEqual([
      { currency: 'BTC', amount: share.toString() },
    ]);
    expect(await coins(inviter, 'BTC')).toBe(share.toString());
    expect(await coins(friend, 'BTC')).toBe(Decimal.parse(before).plus(discount).toString());
    const { list } = await inviter.ask(wire.inviteRewards);
    const told = (await inviter.ask(messagePage, { type: '4' })).list;
    expect(told.map(({ title, summary }) => [title, summary])).toEqual([
      [
        'Invitation reward received',
        `${share.toString()} BTC from the trading fees of ${new Date(midnight - DAY_MS).toISOString().slice(0, 10)}.`,
      ],
    ]);
    expect((await friend.ask(messagePage, { type: '4' })).list).toEqual([]);
    expect(list).toMatchObject([
      { currency: 'BTC', fee: '0.0001', amount: share.toString(), date: midnight - DAY_MS },
    ]);
    const [row] = (await inviter.ask(wire.invitees)).list;
    expect(row).toMatchObject({
      verified: 0,
      excluded: 0,
      income: [{ currency: 'BTC', amount: share.toString() }],
    });
    expect(row!.uid).toMatch(/^\d{2}\*{4}\d{2}$/);
    expect((await friend.ask(wire.invitees)).list).toEqual([]);
    expect((await inviter.call(wire.setInviteShare, { points: '11' })).code).toBe(-1);
    const report = await exchange.audit();
    expect([...report.problems, ...report.books]).toEqual([]);
  });

  it('INV-690 INV-691 a reward of a halted coin stays owed, is paid once when it is released, and is read from the primary', async () => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.ask(wire.inviteInfo);
    const friend = await invited(
      invitationCode,
      { USDT: '10000' },
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
    );
    const maker = await exchange.aUser({ BTC: '1' });
    await place(maker, limit('sell', '50000', '0.1'));
    await place(friend, limit('buy', '50000', '0.1'));
    const { invite, halting } = exchange.doors;
    await halting.halt('BTC', { by: 'test', reason: 'to look' });
    await passTo(nextMidnight() + HOUR_MS);
    await invite.reward();
    expect((await inviter.ask(wire.inviteInfo)).income).toEqual([]);
    expect(await invite.health()).toMatchObject({ isUp: false });
    // The day is done; another one passes before anybody looks.
    await passTo(nextMidnight() + HOUR_MS);
    await invite.reward();
    await inviter.ask(wire.setInviteShare, { points: '10' });
    await halting.lift('BTC', { by: 'test', reason: 'looked' });
    await Promise.all([invite.reward(), invite.reward()]);
    await invite.reward();
    // By the points of the day: none were passed on then.
    const share = Decimal.parse('0.0001').times(Decimal.parse('0.2'), 'down', 8).toString();
    expect((await inviter.ask(wire.inviteInfo)).income).toEqual([{ currency: 'BTC', amount: share }]);
    expect(await invite.health()).toMatchObject({ isUp: true });
    const report = await exchange.audit();
    expect([...report.problems, ...report.books]).toEqual([]);
  });

  it('INV-006 two accounts on one device earn nothing, and what nobody was invited to pays nobody', async () => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.ask(wire.inviteInfo);
    const own = await invited(invitationCode, { USDT: '10000' }, '');
    await exchange.database.pool.query(
      `update user_session set device_mark = (select device_mark from user_session where user_id = $1 limit 1)
       where user_id = $2`,
      [inviter.id, own.id],
    );
    const maker = await exchange.aUser({ BTC: '1' });
    await place(maker, limit('sell', '50000', '0.1'));
    await place(own, limit('buy', '50000', '0.1'));
    await passTo(nextMidnight() + HOUR_MS);
    await exchange.doors.invite.reward();
    expect(await inviter.ask(wire.inviteInfo)).toMatchObject({ count: 1, income: [] });
    expect((await inviter.ask(wire.invitees)).list).toMatchObject([{ excluded: 1 }]);
  });
});
