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
import { knowAddress } from '../../../testing/known-address.ts';
import { mailsTo, operateAs } from '../../../testing/operators.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { aSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
import { Submission } from '../../platform/sequencer/submission.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const BECAUSE = { reason: 'a test' };

describe('how many withdrawals somebody asks for, and how much one person lets out', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ limits: { ...NO_LIMITS, withdrawal: LIMITS.withdrawal } });
  });
  afterAll(() => exchange.close());

  const service = () => exchange.doors.withdrawals.withdrawals;
  const ask = (of: TestTrader, amount: string, key?: string) => {
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
        : Submission.of({ actor: of.id, operation: 'withdrawals.submit', key, sent: request });
    return service().submit(of.id, request, submission);
  };
  const config = (of: TestTrader) => of.ask(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
  const servedOf = async (asked: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length;
  const refusalOf = (asked: Promise<unknown>) =>
    asked.then(
      () => undefined,
      (cause: unknown) => (cause instanceof Refused ? cause.refusal : cause),
    );

  it('WDR-033 of parallel requests twenty stand within 24 hours, whatever becomes of them, and a day later there is one again', async () => {
    const of = await aSaver(exchange, { USDT: '1000' });
    const goOn = exchange.clock.stand();
    const [first] = [await ask(of, '11', 'first'), exchange.clock.shift(HOUR_MS)];
    expect(await servedOf(Array.from({ length: 30 }, () => ask(of, '10')))).toBe(19);
    const nextAt = later(first.createdAt, DAY_MS);
    expect(await refusalOf(ask(of, '10'))).toMatchObject({
      kind: 'rateLimited',
      key: 'l.withdraw_requests',
      parameters: { limit: '20', value: '20', nextAt: String(nextAt), until: untilText(nextAt) },
    });
    expect(await config(of)).toMatchObject({
      requestLimit: 20,
      requestsUsed: 20,
      nextRequestTime: nextAt,
    });
    expect((await of.ask(userInfo)).limits).toMatchObject({ withdrawalsPerDay: 20, withdrawalGapSeconds: 5 });
    // Taken back it was a request all the same, and repeated under its key it is none.
    await of.ask(cancelWithdrawal, { id: first.id });
    expect((await ask(of, '11', 'first')).id).toBe(first.id);
    goOn();
    await exchange.restart();
    expect(await refusalOf(ask(of, '10'))).toMatchObject({ key: 'l.withdraw_requests' });
    await exchange.pass(nextAt - exchange.clock.now() - MINUTE_MS);
    expect(await refusalOf(ask(of, '10'))).toMatchObject({ key: 'l.withdraw_requests' });
    await exchange.pass(MINUTE_MS);
    expect(await config(of)).toMatchObject({ requestsUsed: 19, nextRequestTime: 0 });
    expect(await servedOf([ask(of, '10'), ask(of, '10')])).toBe(1);
  });

  it('WDR-660 a sanctions match is stored and told to operators, and is a review to its owner in every answer', async () => {
    const of = await aSaver(exchange, { USDT: '1000' });
    const told = async (because: 'sanctions' | 'hold') => {
      const { id } = await ask(of, '20');
      const rejected = await operateAs(exchange, 'owner', `/ops/withdrawals/${id}/reject`, {
        reason: 'the list names them',
        because,
      });
      expect(await rejected.json()).toMatchObject({ reason: because });
      const { rows } = await exchange.database.pool.query('select reason from withdrawal where id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ reason: because }]);
      return of.ask(withdrawalDetail, { id });
    };
    // The word of a match alone would give it away: holds have the same.
    expect([(await told('sanctions')).reason, (await told('hold')).reason]).toEqual(['review', 'review']);
    await exchange.doors.withdrawals.jobs.move();
    const answers = [
      await of.ask(withdrawalRecords, {}),
      await of.ask(messagePage, {}),
      await mailsTo(exchange, (await of.ask(userInfo)).email),
    ];
    expect(answers.map((answer) => JSON.stringify(answer)).join(' ')).not.toMatch(/sanction|the list names/i);
  });

  it('WDR-033 WDR-002 what was refused is none of the twenty', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    expect(await servedOf(Array.from({ length: 25 }, () => ask(of, '9')))).toBe(0);
    expect((await config(of)).requestsUsed).toBe(0);
    await ask(of, '10');
    expect((await config(of)).requestsUsed).toBe(1);
  });

  it('WDR-034 requests come five seconds apart, served or refused; a repeated one gets its answer', async () => {
    const of = await aSaver(exchange, { USDT: '1000' });
    const send = (clientId: string, code = '000000', amount = '20') =>
      of.call(submitWithdrawal, {
        currency: 'USDT',
        network: 'TRC20',
        amount,
        address: TRON,
        assetsPwd: TRADE_PASSWORD,
        code,
        clientId,
      });
    const early = { status: 429, code: -9, errKey: 'l.withdraw_often', data: { limit: '5', seconds: '5' } };
    const goOn = exchange.clock.stand();
    // The code is wrong: the request is refused, and counts.
    expect(await send('one')).toMatchObject({ code: -5, errKey: 'l.code_other_deed' });
    const soon = await send('two');
    expect(soon).toMatchObject(early);
    expect(soon.text).toContain('You can request one withdrawal every 5 s. Try again in 5 s.');
    // The same key again is no repetition of what was refused.
    expect(await send('one')).toMatchObject({ errKey: 'l.withdraw_often' });
    expect(await send('three', '000000', 'abc')).toMatchObject({ errKey: 'l.withdraw_often' });
    exchange.clock.shift(5 * SECOND_MS - 1);
    expect(await send('three')).toMatchObject({ errKey: 'l.withdraw_often', data: { seconds: '1' } });
    exchange.clock.shift(1);
    expect(await send('four', '000000', 'abc')).toMatchObject({ errKey: 'l.field_number' });
    expect(await send('five')).toMatchObject({ errKey: 'l.withdraw_often' });

    const code = await mailedCode(exchange, of);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('same', code)));
    const ids = answers.map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(1);
    expect((await send('same', code)).data.id).toBe(ids[0]);
    expect(await send('another', code)).toMatchObject({ errKey: 'l.withdraw_often' });
    expect((await config(of)).requestsUsed).toBe(1);
    const other = await aSaver(exchange, { USDT: '1000' });
    expect(
      await other.call(submitWithdrawal, {
        currency: 'USDT',
        network: 'TRC20',
        amount: '20',
        address: TRON,
        assetsPwd: TRADE_PASSWORD,
        code: '000000',
      }),
    ).toMatchObject({ errKey: 'l.code_other_deed' });
    goOn();
  });

  it('WDR-015 WDR-006 WDR-680 what one person approves of an account within 24 hours counts together, at the same moment too', async () => {
    const of = await aSaver(exchange, { USDT: '50000' });
    const other = await aSaver(exchange, { USDT: '5000' });
    for (const { id } of [of, other]) await knowAddress(exchange, id, 'USDT', 'TRC20', TRON);
    const approve = async ({ id }: { readonly id: string }) => {
      const answer = await operateAs(exchange, 'owner', `/ops/withdrawals/${id}/approve`, BECAUSE);
      return (await answer.json()) as { key?: string; error?: string };
    };
    const alone = (id: string) => service().decide(id, 'approve', { by: 'test', persons: 1 });
    const queue = async () => {
      const answer = await operateAs(exchange, 'owner', '/ops/withdrawals');
      const { withdrawals } = (await answer.json()) as { withdrawals: Record<string, unknown>[] };
      return new Map(withdrawals.map((row) => [row['id'], row]));
    };
    const slices = [await ask(of, '4000'), await ask(of, '4000'), await ask(of, '4000')];
    const [small, exact] = [await ask(of, '1999'), await ask(of, '2000')];
    const stranger = await ask(other, '4000');
    expect((await queue()).get(slices[0]!.id)).toMatchObject({ needsSecondPerson: false });
    // Of three at the same moment two fit.
    expect(await servedOf(slices.map(({ id }) => alone(id)))).toBe(2);
    const states = await Promise.all(slices.map(async ({ id }) => (await service().find(id))!));
    const left = states.find(({ status }) => status === 'pending')!;
    expect((await queue()).get(left.id)).toMatchObject({
      needsSecondPerson: true,
      approvedByOneUsdt: '8000',
    });
    expect((await queue()).get(exact.id)).toMatchObject({ needsSecondPerson: false });
    // WDR-680: the preview says so, before a code is used.
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
    // With two persons it goes, and takes nothing of what one alone may let out.
    await service().decide(left.id, 'approve', { by: 'test', persons: 2 });
    await exchange.restart();
    expect(await approve(small)).toMatchObject({ key: 'l.withdraw_second_person' });
    await exchange.pass(DAY_MS + SECOND_MS);
    expect(await approve(small)).not.toHaveProperty('key');
    const large = await ask(of, '10000.01');
    expect((await queue()).get(large.id)).toMatchObject({
      needsSecondPerson: true,
      approvedByOneUsdt: '1999',
    });
  });
});

/** The code of the withdrawal that these stories ask for. */
async function mailedCode(exchange: TestExchange, of: TestTrader): Promise<string> {
  const place = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON };
  await exchange.pass(61 * SECOND_MS);
  await of.ask(sendWithdrawalCode, place);
  const mail = await fetch(`${exchange.url}/dev/mail.json?to=${of.email}`);
  return ((await mail.json()) as { list: readonly { code?: string }[] }).list[0]!.code!;
}
