import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { confirmedBy, enterAs, operateAs, signInOperator } from '../../../testing/operators.ts';
import { takesCode } from '../../platform/console/operation.ts';
import { TOTP_STEP_MS, totpCode } from '../../platform/secrets/totp.ts';

type Body = Record<string, unknown>;

/** What takes no code, and why. A call that is added here was thought about; a call that is added elsewhere takes one. */
const WITHOUT_CODE = {
  '/ops/audit/check': 'It only reads.',
  '/ops/proposals/:id/reject': 'Nothing is done by it: what is rejected can be proposed again.',
  '/ops/support/requests/:id/answer': 'It reaches one person, who has asked for it.',
  '/ops/support/requests/:id/close': 'Nothing moves by it, and whoever wrote may write again.',
};
const STATUS = '/ops/pairs/ltcusdt/status';

/** Codes here are those that the authenticator shows at its moment, each used as often as the test says. */
describe('codes of operators', () => {
  let exchange: TestExchange;
  let cookie: string;
  beforeAll(async () => {
    exchange = await anExchange();
    cookie = await enterAs(exchange, 'owner');
  });
  afterAll(() => exchange.close());

  const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;
  const loginOf = (name: string) => exchange.doors.operators.demoLogins.find((one) => one.name === name)!;
  const shown = (name = 'owner') => totpCode(loginOf(name).key, exchange.clock.now());
  /** The next code, which was not shown before. */
  const fresh = async (name = 'owner') => {
    await exchange.pass(TOTP_STEP_MS);
    return shown(name);
  };
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(exchange.consoleUrl + path, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams(fields),
    });
  const setStatus = (status: string, authenticatorCode: string, headers: Record<string, string> = {}) =>
    send(STATUS, { status, reason: 'a test', authenticatorCode }, headers);
  const statusNow = async () => {
    const { pairs } = (await bodyOf(fetch(`${exchange.consoleUrl}/ops/pairs`, { headers: { cookie } }))) as {
      pairs: Body[];
    };
    return pairs.find(({ symbol }) => symbol === 'ltcusdt')!['status'];
  };
  const wrongCode = () => String((Number(shown()) + 1) % 1_000_000).padStart(6, '0');
  const isIn = async (with_ = cookie) =>
    (await fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie: with_ } })).status === 200;

  it('OPS-060 a decision is confirmed by a code of its own, which is right once: for signing in or for one decision', async () => {
    expect(await bodyOf(setStatus('cancelOnly', ''))).toMatchObject({
      key: 'l.operator_code_missing',
      field: 'authenticatorCode',
    });
    const code = await fresh();
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
    const next = await fresh();
    await signIn(next);
    expect(await bodyOf(setStatus('closed', next))).toMatchObject({ key: 'l.operator_code_used' });
    const [one, other] = [await fresh(), totpCode(loginOf('owner').key, exchange.clock.now())];
    const both = await Promise.all([setStatus('closed', one), setStatus('cancelOnly', other)]);
    expect(both.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
  });

  it('OPS-061 every call that changes something takes a code, but those that say why not', async () => {
    const changes = exchange.operations.filter(({ method }) => method === 'POST');
    const without = changes.filter((one) => !takesCode(one));
    expect(Object.fromEntries(without.map(({ path, withoutCode }) => [path, withoutCode]))).toEqual(
      WITHOUT_CODE,
    );
    const asked: string[] = [];
    for (const { path } of changes.filter(takesCode)) {
      const answer = await send(path.replaceAll(/:\w+/g, 'nothing'), { reason: 'no code' });
      expect([path, answer.status]).toEqual([path, 400]);
      if ((await bodyOf(answer))['key'] === 'l.operator_code_missing') asked.push(path);
    }
    // The others were refused before, for what their form lacks or for being about nothing.
    expect(asked).toEqual(
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
      operations.filter((one) => one.method === 'POST' && !one.takesCode).map(({ path }) => path),
    ).toEqual(expect.arrayContaining(Object.keys(WITHOUT_CODE)));
    expect(operations.filter((one) => one.method === 'GET' && one.takesCode)).toEqual([]);
  });

  it('OPS-062 each of two persons confirms with a code of their own, and nobody with another’s', async () => {
    const asked = await setStatus('open', await fresh());
    expect(asked.status).toBe(202);
    const { proposal } = await bodyOf(asked);
    cookie = await enterAs(exchange, 'approver');
    const approve = (authenticatorCode: string) =>
      send(`/ops/proposals/${proposal as string}/approve`, { reason: 'looked at it', authenticatorCode });
    expect(await bodyOf(approve(''))).toMatchObject({ key: 'l.operator_code_missing' });
    expect(await bodyOf(approve(await fresh('owner')))).toMatchObject({ key: 'l.operator_code_wrong' });
    expect((await approve(shown('approver'))).status).toBe(200);
    cookie = await enterAs(exchange, 'owner');
    expect(await statusNow()).toBe('open');
  });

  it('OPS-063 the same confirmation again is answered what the first was although its code is used, and is done once', async () => {
    const code = await fresh();
    const key = { 'idempotency-key': 'sent twice' };
    const first = await bodyOf(setStatus('cancelOnly', code, key));
    expect(first).toMatchObject({ status: 'cancelOnly' });
    expect(await bodyOf(setStatus('cancelOnly', code, key))).toEqual(first);
    expect(await bodyOf(setStatus('cancelOnly', wrongCode(), key))).toEqual(first);
    // Another call is another decision, whatever key it comes with.
    expect(await bodyOf(setStatus('closed', code, key))).toMatchObject({ key: 'l.operator_code_used' });
    await exchange.restart();
    // The server knows the key no more: the code that was used keeps the call from being done twice.
    expect(await bodyOf(setStatus('cancelOnly', code, key))).toMatchObject({ key: 'l.operator_code_used' });
  });

  it('OPS-064 what is refused for another reason leaves its code right', async () => {
    const code = await fresh();
    const refused = async (path: string, fields: Record<string, string>) =>
      (await bodyOf(send(path, { reason: 'a test', authenticatorCode: code, ...fields })))['key'];
    expect(await refused(STATUS, { reason: ' ', status: 'closed' })).toBe('l.field_required');
    expect(await refused(STATUS, { status: 'shut' })).toBe('l.field_choice');
    expect(await refused('/ops/finance/products/slip', { asset: 'USDT', dailyRate: 'nine' })).toMatch(
      /^l\.field/,
    );
    expect(await refused('/ops/withdrawals/nothing/approve', {})).toBe('l.not_found');
    expect((await setStatus('closed', code)).status).toBe(200);
    expect(await refused(STATUS, { status: 'cancelOnly' })).toBe('l.operator_code_used');
  });

  it('OPS-065 five wrong codes in a row end every session of that operator, however many come at a time and over a restart', async () => {
    const other = await enterAs(exchange, 'owner');
    const approver = await enterAs(exchange, 'approver');
    await fresh();
    const wrong = async () => (await bodyOf(setStatus('cancelOnly', wrongCode())))['key'];
    for (let tries = 0; tries < 4; tries += 1) expect(await wrong()).toBe('l.operator_code_wrong');
    // A right one begins the count anew, and one that was used is no guess.
    const right = shown();
    expect((await setStatus('cancelOnly', right)).status).toBe(200);
    for (let tries = 0; tries < 6; tries += 1)
      expect(await bodyOf(setStatus('closed', right))).toMatchObject({ key: 'l.operator_code_used' });
    for (let tries = 0; tries < 3; tries += 1) expect(await wrong()).toBe('l.operator_code_wrong');
    await exchange.restart();
    // A pause is no way around it: they count for as long as a session lasts.
    for (let minutes = 0; minutes < 28; minutes += 14) {
      await exchange.pass(14 * MINUTE_MS);
      expect([await isIn(), await isIn(other), await isIn(approver)]).toEqual([true, true, true]);
    }
    const keys = await Promise.all(Array.from({ length: 12 }, wrong));
    expect(keys.filter((key) => key === 'l.operator_code_wrong')).toHaveLength(1);
    expect(keys).toContain('l.operator_codes_ended');
    expect([await isIn(), await isIn(other), await isIn(approver)]).toEqual([false, false, true]);
    expect((await setStatus('cancelOnly', await fresh())).status).toBe(401);
    expect(exchange.log.lines.some(({ event }) => event === 'operator.codes_guessed')).toBe(true);
    cookie = await enterAs(exchange, 'owner');
    expect((await setStatus('cancelOnly', await fresh())).status).toBe(200);
  });

  it('OPS-066 a code stands in no log, proposal or answer; that wrong ones were tried does', async () => {
    const code = await fresh();
    const { proposal } = await bodyOf(setStatus('open', code));
    const wrong = wrongCode();
    await setStatus('closed', wrong);
    const { pool } = exchange.database;
    const audit = await pool.query<Body>('select * from operator_audit order by sequence desc limit 20');
    const { rows } = await pool.query<Body>('select * from operator_proposal where id = $1', [proposal]);
    expect(rows[0]!['fields']).toContain('open');
    const kept = JSON.stringify([audit.rows, rows, exchange.log.lines], (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(kept).toContain('wrongCode');
    for (const typed of [code, wrong]) expect(kept).not.toMatch(new RegExp(`\\b${typed}\\b`));
    expect(kept).not.toContain('authenticatorCode');
    await operateAs(exchange, 'owner', `/ops/proposals/${proposal as string}/reject`, { reason: 'a test' });
  });

  it('OPS-067 a recovery code confirms nothing, and gets a new authenticator, which does', async () => {
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
    // A list that was found beside a stolen session is not enough, and is not used up by trying.
    expect(await bodyOf(replace(recoveryCodes[0]!, 'not it'))).toMatchObject({ key: 'l.operator_sign_in' });
    const { secret } = (await bodyOf(replace(recoveryCodes[0]!))) as { secret: string };
    expect(await isIn()).toBe(false);
    expect((await replace(recoveryCodes[0]!)).status).toBe(400);
    const enter = (code: string) => signInOperator(exchange.consoleUrl, { name: 'owner', password, code });
    await expect(enter(await fresh())).rejects.toThrow('Incorrect');
    cookie = await enter(totpCode(secret, exchange.clock.now()));
    expect(await bodyOf(setStatus('closed', await fresh()))).toMatchObject({ key: 'l.operator_code_wrong' });
    await fresh();
    expect((await setStatus('closed', totpCode(secret, exchange.clock.now()))).status).toBe(200);
    const kept = await exchange.database.pool.query('select fields, result from operator_audit');
    for (const hidden of [secret, ...recoveryCodes]) expect(JSON.stringify(kept.rows)).not.toContain(hidden);
    // A demo's ready account gets its own back at the next start.
    await exchange.restart();
    expect((await setStatus('cancelOnly', await fresh())).status).toBe(200);
  });

  it('OPS-068 a demo shows what its operators’ authenticators show, and which codes were used', async () => {
    const page = async () => (await fetch(`${exchange.consoleUrl}/dev/codes`)).text();
    const spaced = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;
    const code = await fresh();
    // The page shows this step's code and the next one's: a step that ended meanwhile would be gone from it.
    const letTimeGoOn = exchange.clock.stand();
    expect(await page()).toContain(`<code>${spaced(code)}</code>`);
    expect(await page()).toContain(`<code>${spaced(shown('approver'))}</code>`);
    expect((await setStatus('closed', code)).status).toBe(200);
    expect(await page()).toContain(`<s>${spaced(code)}</s> used`);
    const next = totpCode(loginOf('owner').key, (exchange.clock.now() + TOTP_STEP_MS) as never);
    expect(await page()).toContain(`<code>${spaced(next)}</code>`);
    expect((await setStatus('cancelOnly', next)).status).toBe(200);
    letTimeGoOn();
    const style = await fetch(`${exchange.consoleUrl}/dev/codes.css`);
    expect(style.headers.get('content-type')).toContain('text/css');
  });
});
