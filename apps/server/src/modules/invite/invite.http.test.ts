import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, startOfDay } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/invite.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { CODE_TYPES, register, sendEmailCode } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGREEMENT_FIELDS } from '../../../testing/agreement-fields.ts';
import { anExchange, TestTrader, type TestExchange } from '../../../testing/exchange.ts';
import { approveAs, evidenceOf, operateAs } from '../../../testing/operators.ts';
import { limit, place } from '../spot/testing/orders.ts';

describe('invitations', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  let count = 0;
  /** Registers a user with an invitation code and a type of browser, and credits the funds to the account. */
  async function invited(
    invitationCode: string,
    funds: Readonly<Record<string, string>>,
    browser: string,
    {
      email = `invited-${(count += 1)}@example.com`,
      deviceId,
      address,
    }: { email?: string; deviceId?: string; address?: string } = {},
  ) {
    await exchange.call(sendEmailCode, { email, type: CODE_TYPES.register });
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${encodeURIComponent(email)}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    const password = 'Jasmine4river';
    const { data } = await exchange.call(
      register,
      {
        email,
        code: list[0]!.code!,
        password,
        confirmPassword: password,
        invitationCode,
        ...AGREEMENT_FIELDS,
        lang: 'en-US',
        ...(deviceId === undefined ? {} : { deviceId }),
      },
      { headers: { 'user-agent': browser }, ...(address === undefined ? {} : { address }) },
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
    (await trader.request(spotAssets, { currency })).list[0]!.availableCurrency;
  const passTo = (at: number) => exchange.advanceTime(at - exchange.clock.now());
  const nextMidnight = () => startOfDay(exchange.clock.now()) + DAY_MS;

  it('INV-001 INV-003 INV-004 INV-005 INV-008 rewards a day’s fees once, at 00:30 UTC, and shares them', async () => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.request(wire.inviteInfo);
    const friend = await invited(
      invitationCode,
      { USDT: '10000' },
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    );
    const maker = await exchange.aUser({ BTC: '1' });
    await inviter.request(wire.setInviteShare, { points: '5' });
    await place(maker, limit('sell', '50000', '0.1'));
    await place(friend, limit('buy', '50000', '0.1'));
    expect(await inviter.request(wire.inviteInfo)).toMatchObject({
      rate: 20,
      share: 5,
      count: 1,
      validCount: 0,
      income: [],
      discount: 0,
      days: 365,
      link: `/login/register?code=${invitationCode}`,
    });
    expect((await friend.request(wire.inviteInfo)).discount).toBe(5);
    const before = await coins(friend, 'BTC');
    const midnight = nextMidnight();
    await passTo(midnight + HOUR_MS / 4);
    const { reward } = exchange.doors.invite;
    await reward();
    expect((await inviter.request(wire.inviteInfo)).income).toEqual([]);
    await passTo(midnight + HOUR_MS);
    await Promise.all([reward(), reward()]);
    await reward();
    // The buyer pays the fee in BTC: the taker rate of 0.1 % of 0.1 BTC.
    const fee = Decimal.parse('0.0001');
    const discount = fee.times(Decimal.parse('0.05'), 'down', 8);
    const share = fee.minus(discount).times(Decimal.parse('0.15'), 'down', 8);
    expect((await inviter.request(wire.inviteInfo)).income).toEqual([
      { currency: 'BTC', amount: share.toString() },
    ]);
    expect(await coins(inviter, 'BTC')).toBe(share.toString());
    expect(await coins(friend, 'BTC')).toBe(Decimal.parse(before).plus(discount).toString());
    const { list } = await inviter.request(wire.inviteRewards);
    const messages = (await inviter.request(messagePage, { type: '4' })).list;
    expect(messages.map(({ title, summary }) => [title, summary])).toEqual([
      [
        'Invitation reward received',
        `${share.toString()} BTC from the trading fees of ${new Date(midnight - DAY_MS).toISOString().slice(0, 10)}.`,
      ],
    ]);
    expect((await friend.request(messagePage, { type: '4' })).list).toEqual([]);
    expect(list).toMatchObject([
      { currency: 'BTC', fee: '0.0001', amount: share.toString(), date: midnight - DAY_MS },
    ]);
    const [row] = (await inviter.request(wire.invitees)).list;
    expect(row).toMatchObject({
      verified: 0,
      excluded: 0,
      income: [{ currency: 'BTC', amount: share.toString() }],
    });
    expect(row!.uid).toMatch(/^\d{2}\*{4}\d{2}$/);
    expect((await friend.request(wire.invitees)).list).toEqual([]);
    expect((await inviter.call(wire.setInviteShare, { points: '11' })).code).toBe(-1);
    const report = await exchange.audit();
    expect([...report.problems, ...report.books]).toEqual([]);
  });

  it('INV-690 INV-691 a reward in a halted coin stays owed, is paid once when the halt is lifted, and is read from the primary', async () => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.request(wire.inviteInfo);
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
    expect((await inviter.request(wire.inviteInfo)).income).toEqual([]);
    expect(await invite.health()).toMatchObject({ isUp: false });
    // Advances the clock past the end of one more day: the reward stays owed although a later day is rewarded.
    await passTo(nextMidnight() + HOUR_MS);
    await invite.reward();
    await inviter.request(wire.setInviteShare, { points: '10' });
    await halting.lift('BTC', { by: 'test', reason: 'looked' });
    await Promise.all([invite.reward(), invite.reward()]);
    await invite.reward();
    // The inviter's reward is 20 % of the fee of 0.0001 BTC, because the inviter passed on no points on that day.
    const share = Decimal.parse('0.0001').times(Decimal.parse('0.2'), 'down', 8).toString();
    expect((await inviter.request(wire.inviteInfo)).income).toEqual([{ currency: 'BTC', amount: share }]);
    expect(await invite.health()).toMatchObject({ isUp: true });
    const report = await exchange.audit();
    expect([...report.problems, ...report.books]).toEqual([]);
  });

  /** Changes a user's stored sessions as if they came from another device or network. */
  const rewriteSessions = (user: TestTrader, change: string, values: readonly unknown[] = []) =>
    exchange.database.pool.query(`update user_session set ${change} where user_id = $1`, [
      user.id,
      ...values,
    ]);
  const onDevice = (user: TestTrader, deviceId: string) =>
    rewriteSessions(user, 'device_mark = sha256($2), has_device_id = true', [Buffer.from(deviceId)]);
  /** Makes a trade for which the invitee pays a fee of 0.0001 BTC. */
  const trade = async (friend: TestTrader) => {
    const maker = await exchange.aUser({ BTC: '1' });
    await place(maker, limit('sell', '50000', '0.1'));
    await place(friend, limit('buy', '50000', '0.1'));
  };
  const rewarded = async () => {
    await passTo(nextMidnight() + HOUR_MS);
    await exchange.doors.invite.reward();
  };
  const share = Decimal.parse('0.0001').times(Decimal.parse('0.2'), 'down', 8).toString();
  const incomeOf = async (inviter: TestTrader) => (await inviter.request(wire.inviteInfo)).income;
  const aPair = async (options: { email?: string; deviceId?: string; address?: string } = {}) => {
    const inviter = await exchange.aUser();
    const { invitationCode } = await inviter.request(wire.inviteInfo);
    const friend = await invited(
      invitationCode,
      { USDT: '100000' },
      'Mozilla/5.0 (X11; Linux) Chrome/140',
      options,
    );
    return { inviter, friend };
  };
  const marksOf = async (friend: TestTrader) =>
    (
      await exchange.database.pool.query<{ reasons: string[] }>(
        'select reasons from invite_mark where invitee = $1',
        [friend.id],
      )
    ).rows[0]?.reasons;

  it('INV-006 INV-920 two accounts on one device are paid nothing, and the mark outlives the sessions', async () => {
    const { inviter, friend } = await aPair({ deviceId: 'shared-phone' });
    await onDevice(inviter, 'shared-phone');
    await trade(friend);
    await rewarded();
    expect(await inviter.request(wire.inviteInfo)).toMatchObject({ count: 1, income: [] });
    expect((await inviter.request(wire.invitees)).list).toMatchObject([{ excluded: 1 }]);
    // Simulates that old sessions were deleted: no stored session shows the shared device any more.
    await exchange.database.pool.query(
      'update user_session set device_mark = sha256(id::text::bytea) where user_id in ($1, $2)',
      [inviter.id, friend.id],
    );
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([]);
    expect(await marksOf(friend)).toEqual(['device']);
    // Rewards that are held because of a suspicion do not count as overdue in the health report.
    expect(await exchange.doors.invite.health()).toMatchObject({ isUp: true });
  });

  it('INV-922 a family on one network with separate devices gets its rewards', async () => {
    const { inviter, friend } = await aPair({ deviceId: 'phone-of-a-daughter', address: '198.51.100.9' });
    await onDevice(inviter, 'phone-of-a-mother');
    await rewriteSessions(inviter, "address_network = '198.51.100.0/24', device = $2", ['Chrome · Linux']);
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([{ currency: 'BTC', amount: share }]);
    expect(await marksOf(friend)).toBeUndefined();
  });

  it('INV-921 the inviter’s mailbox in another spelling is marked', async () => {
    const { inviter, friend } = await aPair({ email: `lilac.garden+${(count += 1)}@gmail.com` });
    await exchange.database.pool.query('update user_account set email = $2 where id = $1', [
      inviter.id,
      'lilacgarden@gmail.com',
    ]);
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([]);
    expect(await marksOf(friend)).toEqual(['mailbox']);
  });

  it('INV-923 a document submitted by both stops further rewards, including owed ones', async () => {
    const { inviter, friend } = await aPair();
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([{ currency: 'BTC', amount: share }]);
    await trade(friend);
    const { halting, invite } = exchange.doors;
    await halting.halt('BTC', { by: 'test', reason: 'to look' });
    await rewarded();
    await exchange.database.pool.query(
      `insert into kyc_submission (id, owner, country, sealed, document_hash, front, back, is_same_side, status, submitted_at)
       select gen_random_uuid(), owner, 'CN', '', sha256('one document'), gen_random_uuid(), gen_random_uuid(), false, 1, 0
       from unnest($1::uuid[]) owner`,
      [[inviter.id, friend.id]],
    );
    await halting.lift('BTC', { by: 'test', reason: 'looked' });
    await invite.reward();
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([{ currency: 'BTC', amount: share }]);
    expect(await marksOf(friend)).toEqual(['document']);
    const { rows } = await exchange.database.pool.query('select held from invite_owed where invitee = $1', [
      friend.id,
    ]);
    expect(rows).toEqual([{ held: true }, { held: true }]);
  });

  it('INV-924 operators see why a pair is marked and what is held, and two of them release it', async () => {
    const { inviter, friend } = await aPair({ deviceId: 'office-computer' });
    await onDevice(inviter, 'office-computer');
    await trade(friend);
    await rewarded();
    const bodyOf = async (answer: Response) => (await answer.json()) as Record<string, unknown>;
    const { marks } = (await bodyOf(await operateAs(exchange, 'owner', '/ops/invite/marks'))) as {
      marks: { owner: string }[];
    };
    expect(marks.find(({ owner }) => owner === friend.id)).toMatchObject({
      inviter: inviter.id,
      reasons: 'device',
      isHeld: true,
      held: `${share} BTC`,
    });
    const path = `/ops/invite/marks/${friend.id}/release`;
    const proposed = await operateAs(exchange, 'owner', path, {
      reason: 'two people share a computer at work',
    });
    expect(proposed.status).toBe(202);
    const { proposal } = (await bodyOf(proposed)) as { proposal: string };
    expect(await evidenceOf(exchange, 'approver', proposal)).toMatchObject({
      facts: { owner: friend.id, inviter: inviter.id, reasons: 'device' },
      context: { held: `${share} BTC` },
    });
    await exchange.doors.invite.reward();
    expect(await incomeOf(inviter)).toEqual([]);
    expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
    await Promise.all([exchange.doors.invite.reward(), exchange.doors.invite.reward()]);
    expect(await incomeOf(inviter)).toEqual([{ currency: 'BTC', amount: share }]);
    expect((await inviter.request(wire.invitees)).list).toMatchObject([{ excluded: 0 }]);
    // The operators' release dismissed the shared device as a reason. Now the pair also shares a mailbox, which is a
    // new reason.
    await exchange.database.pool.query(
      `update user_account set email = case id when $1 then 'office@example.com' else 'office+two@example.com' end
       where id in ($1, $2)`,
      [inviter.id, friend.id],
    );
    await trade(friend);
    await rewarded();
    expect(await incomeOf(inviter)).toEqual([{ currency: 'BTC', amount: share }]);
    expect(await marksOf(friend)).toEqual(['device', 'mailbox']);
    const report = await exchange.audit();
    expect([...report.problems, ...report.books]).toEqual([]);
  });
});
