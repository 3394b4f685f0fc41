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
import { confirmedBy, mailsTo, operateAs, signInAs } from '../../../testing/operators.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { createSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
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
    // A cancelled request counts towards the limit of requests per day; a repeated submission with the same key does
    // not.
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
    // The owner reads the same reason for a sanctions match as for an ordinary review, so that the match is not
    // revealed.
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
    // A request with a wrong code is refused, but it counts for the minimum time between two requests.
    expect(await send('one')).toMatchObject({ code: -5, errKey: 'l.code_other_deed' });
    const soon = await send('two');
    expect(soon).toMatchObject(tooEarly);
    expect(soon.text).toContain('You can request one withdrawal every 5 s. Try again in 5 s.');
    // A refused request stores no answer, so a repetition with its key counts as a new request.
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
    // The limit of a single operator per account and day suffices for two of three concurrent approvals.
    expect(await servedOf(slices.map(({ id }) => alone(id)))).toBe(2);
    const states = await Promise.all(slices.map(async ({ id }) => (await service().find(id))!));
    const left = states.find(({ status }) => status === 'pending')!;
    expect((await queue()).get(left.id)).toMatchObject({
      needsSecondPerson: true,
      approvedByOneUsdt: '8000',
    });
    expect((await queue()).get(exact.id)).toMatchObject({ needsSecondPerson: false });
    // Requirement WDR-680: the preview already refuses an approval by a single operator, before a code is entered. The
    // preview of an approval by two operators does not.
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
    // Two operators approve the third withdrawal of 4,000 USDT. Its amount does not count towards the limit
    // of a single operator.
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

  /**
   * Sends operations to the console's port in a console session given by `cookie`, without a confirmation code unless
   * `fields` contain one.
   */
  const as =
    (cookie: string) =>
    async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const answer = await fetch(exchange.consoleUrl + path, {
        method: 'POST',
        headers: { cookie, ...headers },
        body: new URLSearchParams({ ...BECAUSE, ...fields }),
      });
      const body = (await answer.json()) as Record<string, unknown>;
      return Object.assign(body, { status: answer.status });
    };
  const auditOf = async (action: string, event: string) => {
    const { rows } = await exchange.database.pool.query<{ result: string; parameters: string }>(
      'select result, parameters from operator_audit where action = $1 and event = $2 order by sequence',
      [action, event],
    );
    return rows;
  };

  it('OPS-1168 OPS-1169 OPS-1170 a code opens a period, which confirms routine decisions within its bounds until it ends', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const [small, next, large, last] = [
      await submit(trader, '999'),
      await submit(trader, '20'),
      await submit(trader, '1000.01'),
      await submit(trader, '30'),
    ];
    const call = as(await signInAs(exchange, 'owner'));
    const approve = (id: string) => call(`/ops/withdrawals/${id}/approve`, {});
    const noCode = { status: 400, key: 'l.operator_code_missing' };
    expect(await approve(small.id)).toMatchObject(noCode);
    expect(await call('/ops/session/period', { authenticatorCode: '000000' })).toMatchObject({
      key: 'l.operator_code_wrong',
    });
    const opened = await call('/ops/session/period', await confirmedBy(exchange, 'owner', {}));
    expect(opened).toMatchObject({ period: { decisionsLeft: 30, valueLeft: '10000' } });
    expect(await call(`/ops/withdrawals/${small.id}/approve/check`, {})).toMatchObject({ needsCode: false });
    expect(await approve(small.id)).toMatchObject({ status: 200 });
    // During a confirmation period, an operator's routine decisions need no code, up to a number and a total value. A
    // refused operation uses up none of either.
    expect(await approve(small.id)).toMatchObject({ key: 'l.withdraw_not_pending' });
    const rest = async () => {
      const { rows } = await exchange.database.pool.query<{ decisions_left: number; value_left: string }>(
        'select decisions_left, value_left::float8::text as value_left from operator_period',
      );
      return rows;
    };
    expect(await rest()).toEqual([{ decisions_left: 29, value_left: '9001' }]);
    // During a confirmation period, a withdrawal above the remaining value, and every operation that is not routine,
    // still needs a code.
    expect(await call(`/ops/withdrawals/${large.id}/approve/check`, {})).toMatchObject({ needsCode: true });
    expect(await approve(large.id)).toMatchObject(noCode);
    expect(
      await call('/ops/pairs/ltcusdt/status', { status: 'cancelOnly', publicCause: 'other' }),
    ).toMatchObject(noCode);
    // A confirmation period replaces codes only in the operator's console session, and from the network address, in
    // which it was begun.
    const other = as(await signInAs(exchange, 'owner'));
    expect(await other(`/ops/withdrawals/${next.id}/approve`, {})).toMatchObject(noCode);
    const moved = (address: string) =>
      exchange.database.pool.query('update operator_period set address = $1', [address]);
    await moved('192.0.2.1');
    expect(await approve(next.id)).toMatchObject(noCode);
    await moved('127.0.0.1');
    // Decisions beyond the remaining number or the remaining value of a confirmation period, and decisions after its
    // end, need a code.
    await exchange.database.pool.query('update operator_period set value_left = 19.99');
    expect(await approve(next.id)).toMatchObject(noCode);
    await exchange.database.pool.query('update operator_period set value_left = 50, decisions_left = 1');
    expect(await approve(next.id)).toMatchObject({ status: 200 });
    expect(await approve(last.id)).toMatchObject(noCode);
    await call('/ops/session/period', await confirmedBy(exchange, 'owner', {}));
    await call('/ops/session/period/end', {});
    expect(await approve(last.id)).toMatchObject(noCode);
    await call('/ops/session/period', await confirmedBy(exchange, 'owner', {}));
    exchange.clock.shift(10 * MINUTE_MS);
    expect(await approve(last.id)).toMatchObject(noCode);
    // A confirmation period ends with the operator's console session. The audit log names the decisions that needed no
    // code because of the period.
    await call('/ops/session/period', await confirmedBy(exchange, 'owner', {}));
    await call('/ops/session/end', {});
    expect(await rest()).toEqual([]);
    const begun = await auditOf('POST /ops/withdrawals/:id/approve', 'begun');
    expect(
      begun
        .filter(({ result }) => result === 'confirmed by a period')
        .map(({ parameters }) => (JSON.parse(parameters) as { id: string }).id),
    ).toEqual([small.id, next.id]);
    expect(await auditOf('session', 'periodOpened')).toHaveLength(4);
    expect(await auditOf('session', 'periodEnded')).toHaveLength(1);
  });

  it('OPS-1171 OPS-1172 several rows are decided with one confirmation, each checked and recorded by itself, once per key', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const ids: string[] = [];
    for (const amount of ['20', '30', '1000.01', '40']) ids.push((await submit(trader, amount)).id);
    const [first, second, large, cancelled] = ids as [string, string, string, string];
    await trader.request(cancelWithdrawal, { id: cancelled });
    const call = as(await signInAs(exchange, 'owner'));
    const APPROVE = 'POST /ops/withdrawals/:id/approve';
    const fieldsOf = (operation: string, rows: readonly string[], values = {}) => ({
      operation,
      rows: JSON.stringify(rows.map((id) => ({ id }))),
      values: JSON.stringify(values),
    });
    const several = async (fields: Record<string, string>, key: string) =>
      call('/ops/several', await confirmedBy(exchange, 'owner', fields), { 'idempotency-key': key });
    const outcomes = ({ outcomes: list }: Record<string, unknown>) =>
      (list as { state: string; error: string }[]).map(({ state }) => state);
    // The account received a deposit within the last 24 hours, so this withdrawal cannot be approved together with
    // others.
    const arrived = newId(systemRandom, exchange.clock.now());
    await exchange.database.pool.query(
      `insert into deposit (id, owner, asset, network, address, memo, txid, output, amount, remark, position, block,
         confirmations, status, is_small, created_at, finished_at)
       values ($1, $2, 'USDT', 'TRC20', $3, null, 'arrived', 0, 50, null, 0, 0, 1, 1, false, $4, $4)`,
      [arrived, trader.id, TRON, exchange.clock.now()],
    );
    expect(outcomes(await several(fieldsOf(APPROVE, [first]), 'risky'))).toEqual(['refused']);
    await exchange.database.pool.query('delete from deposit where id = $1', [arrived]);
    const unknown = '00000000-0000-7000-8000-000000000000';
    const all = fieldsOf(APPROVE, [first, second, large, cancelled, unknown, first]);
    expect(await call('/ops/several', all)).toMatchObject({ key: 'l.operator_code_missing' });
    const checked = await call('/ops/several/check', all);
    expect((checked['warnings'] as { text: string }[]).map(({ text }) => text.slice(0, 36))).toEqual([
      large,
      cancelled,
      unknown,
    ]);
    const states = ['done', 'done', 'refused', 'refused', 'refused'];
    const answer = await several(all, 'all');
    expect(outcomes(answer)).toEqual(states);
    expect(await several(all, 'all')).toEqual(answer);
    const begun = (await auditOf(APPROVE, 'begun')).filter(
      ({ result }) => result === 'confirmed with others',
    );
    expect(begun.map(({ parameters }) => (JSON.parse(parameters) as { id: string }).id)).toEqual([
      first,
      second,
    ]);
    // Within a confirmation period, the operation on several rows rejects withdrawals without a code; here it gets a
    // single row. The fields that apply to all its rows are those of the operation that rejects one withdrawal.
    await call('/ops/session/period', await confirmedBy(exchange, 'owner', {}));
    const rejected = fieldsOf('POST /ops/withdrawals/:id/reject', [large], { because: 'duplicate' });
    expect(outcomes(await call('/ops/several', rejected))).toEqual(['done']);
    expect(await service().find(large)).toMatchObject({ status: 'rejected', reason: 'duplicate' });
    // Operations that may not be executed for several rows together, and malformed requests, are refused.
    const refused = async (fields: Record<string, string>) => (await several(fields, '')) as { key?: string };
    for (const operation of ['POST /ops/withdrawals/:id/approve-large', 'POST /ops/nothing', ''])
      expect((await refused(fieldsOf(operation, [first]))).key).toBe('l.field_choice');
    for (const rows of ['', '[]', '{}', '[1]', '[{}]', '[{"id":1}]', 'no json'])
      expect((await refused({ operation: APPROVE, rows })).key).toBe('l.field_invalid');
    const many = Array.from({ length: 21 }, () => first);
    expect((await refused(fieldsOf(APPROVE, many))).key).toBe('l.several_max');
  });
});

/**
 * Advances the time by 61 seconds, requests a confirmation code for the withdrawal of 20 USDT that these tests use, and
 * returns the code from the email.
 */
async function mailedCode(exchange: TestExchange, trader: TestTrader): Promise<string> {
  const destination = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON };
  await exchange.advanceTime(61 * SECOND_MS);
  await trader.request(sendWithdrawalCode, destination);
  const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
  return ((await mail.json()) as { list: readonly { code?: string }[] }).list[0]!.code!;
}
