import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { confirmedBy, signInAs, operateAs, signInOperator } from '../../../testing/operators.ts';
import { takesCode } from '../../platform/console/operation.ts';
import { TOTP_STEP_MS, totpCode } from '../../platform/secrets/totp.ts';

type Body = Record<string, unknown>;

const SHARED_QUEUES = ['deposits/reported', 'kyc/submissions', 'support/requests', 'withdrawals'];
/**
 * The operations that need no authenticator code, each with the reason. All other operations need a code;
 * an addition to this list requires a deliberate decision.
 */
const WITHOUT_CODE = {
  '/ops/audit/check': 'It only reads.',
  '/ops/users/:user/note': 'It changes nothing for the user.',
  '/ops/proposals/:id/reject': 'Nothing is done by it: what is rejected can be proposed again.',
  '/ops/support/requests/:id/answer': 'It reaches one person, who has asked for it.',
  '/ops/support/decided/:id/answer': 'It reaches one person, who has asked for it.',
  '/ops/support/requests/:id/note': 'Only operators read it.',
  '/ops/support/requests/:id/close': 'Nothing moves by it, and whoever wrote may write again.',
  ...Object.fromEntries(
    SHARED_QUEUES.flatMap((queue) => [
      [`/ops/${queue}/:id/take`, 'It decides nothing and lapses by itself.'],
      [`/ops/${queue}/:id/assign`, 'It decides nothing and lapses by itself.'],
      [`/ops/${queue}/:id/put-back`, 'It decides nothing.'],
    ]),
  ),
};
const STATUS = '/ops/pairs/ltcusdt/status';

/**
 * Each code of an operator's authenticator can be used only once. These tests compute the codes themselves, because the
 * helper `codeOf` of other tests makes a used code valid again.
 */
describe('operators’ codes', () => {
  let exchange: TestExchange;
  let cookie: string;
  beforeAll(async () => {
    exchange = await anExchange();
    cookie = await signInAs(exchange, 'owner');
  });
  afterAll(() => exchange.close());

  const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;
  const loginOf = (name: string) => exchange.doors.operators.demoLogins.find((login) => login.name === name)!;
  const currentCode = (name = 'owner') => totpCode(loginOf(name).key, exchange.clock.now());
  /**
   * Advances the clock to the next time step and returns the authenticator's code of that step, which is
   * unused.
   */
  const freshCode = async (name = 'owner') => {
    await exchange.advanceTime(TOTP_STEP_MS);
    return currentCode(name);
  };
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(exchange.consoleUrl + path, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams(fields),
    });
  const setStatus = (status: string, authenticatorCode: string, headers: Record<string, string> = {}) =>
    send(STATUS, { status, publicCause: 'other', reason: 'a test', authenticatorCode }, headers);
  const statusNow = async () => {
    const { pairs } = (await bodyOf(fetch(`${exchange.consoleUrl}/ops/pairs`, { headers: { cookie } }))) as {
      pairs: Body[];
    };
    return pairs.find(({ symbol }) => symbol === 'ltcusdt')!['status'];
  };
  const wrongCode = () => String((Number(currentCode()) + 1) % 1_000_000).padStart(6, '0');
  const isIn = async (with_ = cookie) =>
    (await fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie: with_ } })).status === 200;

  it('OPS-060 a decision needs its own code, which is valid once: for signing in or for one decision', async () => {
    expect(await bodyOf(setStatus('cancelOnly', ''))).toMatchObject({
      key: 'l.operator_code_missing',
      field: 'authenticatorCode',
    });
    const code = await freshCode();
    expect(await bodyOf(setStatus('cancelOnly', wrongCode()))).toMatchObject({
      key: 'l.operator_code_wrong',
      field: 'authenticatorCode',
    });
    expect(await statusNow()).toBe('open');
    expect((await setStatus('cancelOnly', `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect(await statusNow()).toBe('cancelOnly');
    const again = await bodyOf(setStatus('closed', code));
    expect(again).toMatchObject({ key: 'l.operator_code_used', field: 'authenticatorCode' });
    expect(Number(again['seconds'])).toBeGreaterThan(0);
    expect(Number(again['seconds'])).toBeLessThanOrEqual(30);
    const { password } = loginOf('owner');
    const signIn = (typed: string) =>
      signInOperator(exchange.consoleUrl, { name: 'owner', password, code: typed });
    await expect(signIn(code)).rejects.toThrow('Incorrect');
    const nextCode = await freshCode();
    await signIn(nextCode);
    expect(await bodyOf(setStatus('closed', nextCode))).toMatchObject({ key: 'l.operator_code_used' });
    const [firstCode, secondCode] = [await freshCode(), totpCode(loginOf('owner').key, exchange.clock.now())];
    const answers = await Promise.all([setStatus('closed', firstCode), setStatus('cancelOnly', secondCode)]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
  });

  it('OPS-061 every operation that changes something needs a code, except those that state a reason', async () => {
    const changes = exchange.operations.filter(({ method }) => method === 'POST');
    const codeless = changes.filter((operation) => !takesCode(operation));
    expect(Object.fromEntries(codeless.map(({ path, withoutCode }) => [path, withoutCode]))).toEqual(
      WITHOUT_CODE,
    );
    const codeRequired: string[] = [];
    for (const { path } of changes.filter(takesCode)) {
      const answer = await send(path.replaceAll(/:\w+/g, 'nothing'), {
        reason: 'no code',
        publicCause: 'other',
      });
      expect([path, answer.status]).toEqual([path, 400]);
      if ((await bodyOf(answer))['key'] === 'l.operator_code_missing') codeRequired.push(path);
    }
    // The operations outside `codeRequired` were refused before the check of the code, for missing fields or an unknown
    // object.
    expect(codeRequired).toEqual(
      expect.arrayContaining([
        '/ops/withdrawals/resume',
        '/ops/operators/:name/roles',
        '/ops/users/:user/freeze',
        '/ops/assets/:asset/halt',
        '/ops/seconds/stop',
      ]),
    );
    const { operations } = (await bodyOf(
      fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie } }),
    )) as { operations: { path: string; method: string; takesCode: boolean }[] };
    expect(
      operations.filter((row) => row.method === 'POST' && !row.takesCode).map(({ path }) => path),
    ).toEqual(expect.arrayContaining(Object.keys(WITHOUT_CODE)));
    expect(operations.filter((row) => row.method === 'GET' && row.takesCode)).toEqual([]);
  });

  it('OPS-062 each of two operators confirms with their own code, and never with another’s', async () => {
    const answer = await setStatus('open', await freshCode());
    expect(answer.status).toBe(202);
    const { proposal } = await bodyOf(answer);
    cookie = await signInAs(exchange, 'approver');
    const approve = (authenticatorCode: string) =>
      send(`/ops/proposals/${proposal as string}/approve`, { reason: 'looked at it', authenticatorCode });
    expect(await bodyOf(approve(''))).toMatchObject({ key: 'l.operator_code_missing' });
    expect(await bodyOf(approve(await freshCode('owner')))).toMatchObject({ key: 'l.operator_code_wrong' });
    expect((await approve(currentCode('approver'))).status).toBe(200);
    cookie = await signInAs(exchange, 'owner');
    expect(await statusNow()).toBe('open');
  });

  it('OPS-063 TRE-110 a repeated confirmation returns the first answer although its code is used, and runs once', async () => {
    const code = await freshCode();
    const key = { 'idempotency-key': 'sent twice' };
    const first = await bodyOf(setStatus('cancelOnly', code, key));
    expect(first).toMatchObject({ status: 'cancelOnly' });
    expect(await bodyOf(setStatus('cancelOnly', code, key))).toEqual(first);
    expect(await bodyOf(setStatus('cancelOnly', wrongCode(), key))).toEqual(first);
    // A call with other fields is another decision and needs its own idempotency key.
    expect(await bodyOf(setStatus('closed', code, key))).toMatchObject({ key: 'l.duplicate_key' });
    await exchange.restart();
    expect(await bodyOf(setStatus('cancelOnly', code, key))).toEqual(first);
    expect(await bodyOf(setStatus('closed', code, key))).toMatchObject({ key: 'l.duplicate_key' });
    const { pool } = exchange.database;
    // Simulates that the server stopped before it stored the answer.
    await pool.query(`update operator_submission set answer = null where key = 'sent twice'`);
    expect(await bodyOf(setStatus('cancelOnly', code, key))).toMatchObject({ key: 'l.call_interrupted' });
    expect(await bodyOf(setStatus('cancelOnly', code, { 'idempotency-key': 'k'.repeat(201) }))).toMatchObject(
      {
        key: 'l.field_too_long',
      },
    );
  });

  it('OPS-064 a call refused for another reason leaves its code valid', async () => {
    const code = await freshCode();
    const refused = async (path: string, fields: Record<string, string>) =>
      (await bodyOf(send(path, { reason: 'a test', authenticatorCode: code, ...fields })))['key'];
    expect(await refused(STATUS, { reason: ' ', status: 'closed', publicCause: 'other' })).toBe(
      'l.field_required',
    );
    expect(await refused(STATUS, { status: 'shut' })).toBe('l.field_choice');
    expect(await refused('/ops/finance/products/slip', { asset: 'USDT', dailyRate: 'nine' })).toMatch(
      /^l\.field/,
    );
    expect(await refused('/ops/withdrawals/nothing/approve', {})).toBe('l.not_found');
    expect((await setStatus('closed', code)).status).toBe(200);
    expect(await refused(STATUS, { status: 'cancelOnly', publicCause: 'other' })).toBe(
      'l.operator_code_used',
    );
  });

  it('OPS-065 five wrong codes in a row end all sessions of the operator, in parallel and across a restart too', async () => {
    const otherSession = await signInAs(exchange, 'owner');
    const approver = await signInAs(exchange, 'approver');
    await freshCode();
    const wrong = async () => (await bodyOf(setStatus('cancelOnly', wrongCode())))['key'];
    for (let tries = 0; tries < 4; tries += 1) expect(await wrong()).toBe('l.operator_code_wrong');
    // A correct code resets the count of wrong codes. A code that was used already does not count as a wrong one.
    const right = currentCode();
    expect((await setStatus('cancelOnly', right)).status).toBe(200);
    for (let tries = 0; tries < 6; tries += 1)
      expect(await bodyOf(setStatus('closed', right))).toMatchObject({ key: 'l.operator_code_used' });
    for (let tries = 0; tries < 3; tries += 1) expect(await wrong()).toBe('l.operator_code_wrong');
    await exchange.restart();
    // The operator's count of wrong codes covers all sessions and expires only after `LIFETIMES.session`
    // (eight hours), so waiting does not reset it.
    for (let minutes = 0; minutes < 28; minutes += 14) {
      await exchange.advanceTime(14 * MINUTE_MS);
      expect([await isIn(), await isIn(otherSession), await isIn(approver)]).toEqual([true, true, true]);
    }
    const keys = await Promise.all(Array.from({ length: 12 }, wrong));
    expect(keys.filter((key) => key === 'l.operator_code_wrong')).toHaveLength(1);
    expect(keys).toContain('l.operator_codes_ended');
    expect([await isIn(), await isIn(otherSession), await isIn(approver)]).toEqual([false, false, true]);
    expect((await setStatus('cancelOnly', await freshCode())).status).toBe(401);
    expect(exchange.log.lines.some(({ event }) => event === 'operator.codes_guessed')).toBe(true);
    cookie = await signInAs(exchange, 'owner');
    expect((await setStatus('cancelOnly', await freshCode())).status).toBe(200);
  });

  it('OPS-066 a code appears in no log, proposal or answer; wrong attempts are recorded', async () => {
    const code = await freshCode();
    const { proposal } = await bodyOf(setStatus('open', code));
    const wrong = wrongCode();
    await setStatus('closed', wrong);
    const { pool } = exchange.database;
    const audit = await pool.query<Body>('select * from operator_audit order by sequence desc limit 20');
    const { rows } = await pool.query<Body>('select * from operator_proposal where id = $1', [proposal]);
    expect(rows[0]!['fields']).toContain('open');
    const storedText = JSON.stringify([audit.rows, rows, exchange.log.lines], (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(storedText).toContain('wrongCode');
    for (const typed of [code, wrong]) expect(storedText).not.toMatch(new RegExp(`\\b${typed}\\b`));
    expect(storedText).not.toContain('authenticatorCode');
    await operateAs(exchange, 'owner', `/ops/proposals/${proposal as string}/reject`, { reason: 'a test' });
  });

  it('OPS-067 a recovery code confirms nothing, and replaces the authenticator, which does', async () => {
    const form = await confirmedBy(exchange, 'owner', { reason: 'a test' });
    const { recoveryCodes } = (await bodyOf(send('/ops/operators/recovery-codes', form))) as {
      recoveryCodes: string[];
    };
    expect(await bodyOf(setStatus('closed', recoveryCodes[0]!))).toMatchObject({
      key: 'l.operator_code_missing',
    });
    const { password } = loginOf('owner');
    const replace = (recoveryCode: string, typed = password) =>
      send('/ops/session/authenticator', { name: 'owner', password: typed, recoveryCode });
    expect(await bodyOf(replace('00000-00000'))).toMatchObject({ key: 'l.operator_sign_in' });
    // A recovery code without the password does not replace the authenticator; the failed attempt does not use it up.
    expect(await bodyOf(replace(recoveryCodes[0]!, 'not it'))).toMatchObject({ key: 'l.operator_sign_in' });
    const { secret } = (await bodyOf(replace(recoveryCodes[0]!))) as { secret: string };
    expect(await isIn()).toBe(false);
    expect((await replace(recoveryCodes[0]!)).status).toBe(400);
    const enter = (code: string) => signInOperator(exchange.consoleUrl, { name: 'owner', password, code });
    await expect(enter(await freshCode())).rejects.toThrow('Incorrect');
    cookie = await enter(totpCode(secret, exchange.clock.now()));
    expect(await bodyOf(setStatus('closed', await freshCode()))).toMatchObject({
      key: 'l.operator_code_wrong',
    });
    await freshCode();
    expect((await setStatus('closed', totpCode(secret, exchange.clock.now()))).status).toBe(200);
    const auditRows = await exchange.database.pool.query('select fields, result from operator_audit');
    for (const hidden of [secret, ...recoveryCodes])
      expect(JSON.stringify(auditRows.rows)).not.toContain(hidden);
    // A demo account gets its original authenticator back at the next start of the server.
    await exchange.restart();
    expect((await setStatus('cancelOnly', await freshCode())).status).toBe(200);
  });

  it('OPS-068 a demo shows the current codes of its operators’ authenticators, and which were used', async () => {
    const page = async () => (await fetch(`${exchange.consoleUrl}/dev/codes`)).text();
    const spaced = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;
    const code = await freshCode();
    // The page shows the codes of the current and the next time step. The clock is frozen, so that the
    // current step does not end before the page is read.
    const letTimeGoOn = exchange.clock.freeze();
    expect(await page()).toContain(`<code>${spaced(code)}</code>`);
    expect(await page()).toContain(`<code>${spaced(currentCode('approver'))}</code>`);
    expect((await setStatus('closed', code)).status).toBe(200);
    expect(await page()).toContain(`<s>${spaced(code)}</s> used`);
    const nextCode = totpCode(loginOf('owner').key, (exchange.clock.now() + TOTP_STEP_MS) as never);
    expect(await page()).toContain(`<code>${spaced(nextCode)}</code>`);
    expect((await setStatus('cancelOnly', nextCode)).status).toBe(200);
    letTimeGoOn();
    const style = await fetch(`${exchange.consoleUrl}/dev/codes.css`);
    expect(style.headers.get('content-type')).toContain('text/css');
  });
});
