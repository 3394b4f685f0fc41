import { Decimal } from '@exchange/core/decimal.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS, untilText } from '@exchange/core/time.ts';
import {
  cancelWithdrawal,
  sendWithdrawalCode,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalDetail,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { mailsTo, operateAs } from '../../../testing/operators.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { createSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
import { Submission } from '../../platform/sequencer/submission.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const BECAUSE = { reason: 'a test' };

describe('limits on withdrawal requests and on approvals by one operator', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ limits: { ...NO_LIMITS, withdrawal: LIMITS.withdrawal } });
  });
  afterAll(() => exchange.close());

  const service = () => exchange.doors.withdrawals.withdrawals;
  const submit = (trader: TestTrader, amount: string, key?: string) => {
    const request = {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address: TRON,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    };
    const submission =
      key === undefined
        ? undefined
        : Submission.create({ actor: trader.id, operation: 'withdrawals.submit', key, sent: request });
    return service().submit(trader.id, request, submission);
  };
  const config = (trader: TestTrader) =>
    trader.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
  const servedOf = async (calls: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (cause: unknown) => (cause instanceof Refused ? cause.refusal : cause),
    );

  it('WDR-033 of parallel requests twenty are accepted within 24 hours, whatever their outcome, and one is available again a day later', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    const resumeClock = exchange.clock.freeze();
    const [first] = [await submit(trader, '11', 'first'), exchange.clock.shift(HOUR_MS)];
    expect(await servedOf(Array.from({ length: 30 }, () => submit(trader, '10')))).toBe(19);
    const nextAt = later(first.createdAt, DAY_MS);
    expect(await refusalOf(submit(trader, '10'))).toMatchObject({
      kind: 'rateLimited',
      key: 'l.withdraw_requests',
      parameters: { limit: '20', value: '20', nextAt: String(nextAt), until: untilText(nextAt) },
    });
    expect(await config(trader)).toMatchObject({
      requestLimit: 20,
      requestsUsed: 20,
      nextRequestTime: nextAt,
    });
    expect((await trader.request(userInfo)).limits).toMatchObject({
      withdrawalsPerDay: 20,
      withdrawalGapSeconds: 5,
    });
    // A cancelled request still counts, and a repeated key does not.
    await trader.request(cancelWithdrawal, { id: first.id });
    expect((await submit(trader, '11', 'first')).id).toBe(first.id);
    resumeClock();
    await exchange.restart();
    expect(await refusalOf(submit(trader, '10'))).toMatchObject({ key: 'l.withdraw_requests' });
    await exchange.advanceTime(nextAt - exchange.clock.now() - MINUTE_MS);
    expect(await refusalOf(submit(trader, '10'))).toMatchObject({ key: 'l.withdraw_requests' });
    await exchange.advanceTime(MINUTE_MS);
    expect(await config(trader)).toMatchObject({ requestsUsed: 19, nextRequestTime: 0 });
    expect(await servedOf([submit(trader, '10'), submit(trader, '10')])).toBe(1);
  });

  it('WDR-660 a sanctions match is stored and shown to operators, and appears to its owner as a review in every answer', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    const shownReason = async (because: 'sanctions' | 'hold') => {
      const { id } = await submit(trader, '20');
      const rejected = await operateAs(exchange, 'owner', `/ops/withdrawals/${id}/reject`, {
        reason: 'the list names them',
        because,
      });
      expect(await rejected.json()).toMatchObject({ reason: because });
      const { rows } = await exchange.database.pool.query('select reason from withdrawal where id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ reason: because }]);
      return trader.request(withdrawalDetail, { id });
    };
    // Holds are shown with the same reason, because a distinct one would reveal the match.
    expect([(await shownReason('sanctions')).reason, (await shownReason('hold')).reason]).toEqual([
      'review',
      'review',
    ]);
    await exchange.doors.withdrawals.jobs.advance();
    const answers = [
      await trader.request(withdrawalRecords, {}),
      await trader.request(messagePage, {}),
      await mailsTo(exchange, (await trader.request(userInfo)).email),
    ];
    expect(answers.map((answer) => JSON.stringify(answer)).join(' ')).not.toMatch(/sanction|the list names/i);
  });

  it('WDR-033 WDR-002 refused requests do not count towards the twenty', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    expect(await servedOf(Array.from({ length: 25 }, () => submit(trader, '9')))).toBe(0);
    expect((await config(trader)).requestsUsed).toBe(0);
    await submit(trader, '10');
    expect((await config(trader)).requestsUsed).toBe(1);
  });

  it('WDR-034 requests are five seconds apart, accepted or refused; a repeated one gets its answer', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    const send = (clientId: string, code = '000000', amount = '20') =>
      trader.call(submitWithdrawal, {
        currency: 'USDT',
        network: 'TRC20',
        amount,
        address: TRON,
        assetsPwd: TRADE_PASSWORD,
        code,
        clientId,
      });
    const tooEarly = {
      status: 429,
      code: -9,
      errKey: 'l.withdraw_often',
      data: { limit: '5', seconds: '5' },
    };
    const resumeClock = exchange.clock.freeze();
    // The code is wrong, so the request is refused but counts.
    expect(await send('one')).toMatchObject({ code: -5, errKey: 'l.code_other_deed' });
    const soon = await send('two');
    expect(soon).toMatchObject(tooEarly);
    expect(soon.text).toContain('You can request one withdrawal every 5 s. Try again in 5 s.');
    // Repeating the key of a refused request is a new request.
    expect(await send('one')).toMatchObject({ errKey: 'l.withdraw_often' });
    expect(await send('three', '000000', 'abc')).toMatchObject({ errKey: 'l.withdraw_often' });
    exchange.clock.shift(5 * SECOND_MS - 1);
    expect(await send('three')).toMatchObject({ errKey: 'l.withdraw_often', data: { seconds: '1' } });
    exchange.clock.shift(1);
    expect(await send('four', '000000', 'abc')).toMatchObject({ errKey: 'l.field_number' });
    expect(await send('five')).toMatchObject({ errKey: 'l.withdraw_often' });

    const code = await mailedCode(exchange, trader);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('same', code)));
    const ids = answers.map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(1);
    expect((await send('same', code)).data.id).toBe(ids[0]);
    expect(await send('another', code)).toMatchObject({ errKey: 'l.withdraw_often' });
    expect((await config(trader)).requestsUsed).toBe(1);
    const otherTrader = await createSaver(exchange, { USDT: '1000' });
    expect(
      await otherTrader.call(submitWithdrawal, {
        currency: 'USDT',
        network: 'TRC20',
        amount: '20',
        address: TRON,
        assetsPwd: TRADE_PASSWORD,
        code: '000000',
      }),
    ).toMatchObject({ errKey: 'l.code_other_deed' });
    resumeClock();
  });

  it('WDR-015 WDR-006 WDR-680 one operator’s approvals for an account within 24 hours are summed up, concurrently too', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    const otherTrader = await createSaver(exchange, { USDT: '5000' });
    for (const { id } of [trader, otherTrader]) await markAddressKnown(exchange, id, 'USDT', 'TRC20', TRON);
    const approve = async ({ id }: { readonly id: string }) => {
      const answer = await operateAs(exchange, 'owner', `/ops/withdrawals/${id}/approve`, BECAUSE);
      return (await answer.json()) as { key?: string; error?: string };
    };
    const alone = (id: string) =>
      exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'test', persons: 1 });
    const queue = async () => {
      const answer = await operateAs(exchange, 'owner', '/ops/withdrawals');
      const { withdrawals } = (await answer.json()) as { withdrawals: Record<string, unknown>[] };
      return new Map(withdrawals.map((row) => [row['id'], row]));
    };
    const slices = [await submit(trader, '4000'), await submit(trader, '4000'), await submit(trader, '4000')];
    const [small, exact] = [await submit(trader, '1999'), await submit(trader, '2000')];
    const stranger = await submit(otherTrader, '4000');
    expect((await queue()).get(slices[0]!.id)).toMatchObject({ needsSecondPerson: false });
    // Two of three concurrent approvals fit.
    expect(await servedOf(slices.map(({ id }) => alone(id)))).toBe(2);
    const states = await Promise.all(slices.map(async ({ id }) => (await service().find(id))!));
    const left = states.find(({ status }) => status === 'pending')!;
    expect((await queue()).get(left.id)).toMatchObject({
      needsSecondPerson: true,
      approvedByOneUsdt: '8000',
    });
    expect((await queue()).get(exact.id)).toMatchObject({ needsSecondPerson: false });
    // WDR-680: the preview refuses it before a code is used.
    const preview = async (verb: 'approve' | 'approve-large') => {
      const answer = await operateAs(exchange, 'owner', `/ops/withdrawals/${left.id}/${verb}/check`, BECAUSE);
      return (await answer.json()) as object;
    };
    expect(await preview('approve')).toMatchObject({ key: 'l.withdraw_second_person' });
    expect(await preview('approve-large')).not.toHaveProperty('key');
    expect(await approve(left)).toMatchObject({
      key: 'l.withdraw_second_person',
      error: expect.stringMatching(/up to 10,000 USDT .* 8,000 USDT has already .* worth 4,000 USDT/),
    });
    expect(await approve(stranger)).not.toHaveProperty('key');
    expect(await approve(exact)).not.toHaveProperty('key');
    expect(await approve(small)).toMatchObject({ key: 'l.withdraw_second_person' });
    // With two operators it is approved, and does not count towards one operator's limit.
    await exchange.doors.withdrawals.review.decide(left.id, 'approve', { by: 'test', persons: 2 });
    await exchange.restart();
    expect(await approve(small)).toMatchObject({ key: 'l.withdraw_second_person' });
    await exchange.advanceTime(DAY_MS + SECOND_MS);
    expect(await approve(small)).not.toHaveProperty('key');
    const large = await submit(trader, '10000.01');
    expect((await queue()).get(large.id)).toMatchObject({
      needsSecondPerson: true,
      approvedByOneUsdt: '1999',
    });
  });
});

/** The code of the withdrawal that these tests request. */
async function mailedCode(exchange: TestExchange, trader: TestTrader): Promise<string> {
  const destination = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON };
  await exchange.advanceTime(61 * SECOND_MS);
  await trader.request(sendWithdrawalCode, destination);
  const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
  return ((await mail.json()) as { list: readonly { code?: string }[] }).list[0]!.code!;
}
