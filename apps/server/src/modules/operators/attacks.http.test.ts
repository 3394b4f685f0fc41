import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { codeOf, confirmedBy, signInAs, mailsTo, operate, operateAs } from '../../../testing/operators.ts';
import type { Role } from '../../platform/console/operation.ts';

type Body = Record<string, unknown>;

/** Attacks by a malicious signed-in operator, or through a page controlled by someone else. */
describe('operators under attack', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;
  const signIn = (name: string) => signInAs(exchange, name);
  const request = (
    path: string,
    cookie: string,
    headers: Record<string, string> = {},
    fields?: Record<string, string>,
  ) =>
    fetch(exchange.consoleUrl + path, {
      headers: { cookie, ...headers },
      ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
    });
  const approve = (id: unknown, name = 'approver') =>
    operateAs(exchange, name, `/ops/proposals/${id as string}/approve`, { reason: 'looked at it' });
  const become = (name: string, roles: readonly Role[]) =>
    exchange.database.pool.query('update operator set roles = $1 where name = $2', [roles, name]);
  const announcement = (fields: Record<string, string> = {}) => ({
    titleEn: 'News',
    titleZh: '新闻',
    contentEn: 'One',
    contentZh: '一',
    topic: 'product',
    fromAt: String(exchange.clock.now()),
    untilAt: '',
    reason: 'news',
    ...fields,
  });
  const propose = async (fields: Record<string, string>) =>
    bodyOf(operateAs(exchange, 'owner', '/ops/board/announcements/versions', announcement(fields)));
  const published = async () => {
    const { entries } = (await bodyOf(operateAs(exchange, 'owner', '/ops/board/announcements'))) as {
      entries: Body[];
    };
    return entries.find(({ code }) => code === 'versions');
  };

  it('OPS-003 a page’s automatic requests do not extend a session, and eight hours end an active one', async () => {
    const left = await signIn('owner');
    const used = await signIn('owner');
    const isOpen = async (cookie: string, headers = {}) =>
      (await request('/ops/proposals', cookie, headers)).status === 200;
    const poll = { 'x-background': '1' };
    for (let minutes = 0; minutes < 14; minutes += 2) {
      await exchange.advanceTime(2 * MINUTE_MS);
      expect([await isOpen(left, poll), await isOpen(used)]).toEqual([true, true]);
    }
    await exchange.advanceTime(2 * MINUTE_MS);
    expect([await isOpen(left, poll), await isOpen(used)]).toEqual([false, true]);
    for (let minutes = 16; minutes < 470; minutes += 14) {
      await exchange.advanceTime(14 * MINUTE_MS);
      expect([minutes, await isOpen(used)]).toEqual([minutes, true]);
    }
    await exchange.advanceTime(HOUR_MS / 4);
    expect(await isOpen(used)).toBe(false);
  });

  it('OPS-006 an owner who disables the other operator gains no solo approval, and can enable that operator again unchanged', async () => {
    const reason = { reason: 'so that nobody is in my way' };
    const owner = async (path: string, fields = {}) =>
      operateAs(exchange, 'owner', `/ops/operators/${path}`, { ...reason, ...fields });
    expect((await owner('approver/disable')).status).toBe(200);
    const invited = await owner('myself/invite', { roles: 'approver', email: 'me@example.com' });
    expect(invited.status).toBe(202);
    expect((await owner('approver/invite', { roles: 'approver', email: 'me@example.com' })).status).toBe(202);
    expect((await owner('approver/roles', { roles: 'support' })).status).toBe(202);
    const { proposal } = await bodyOf(invited);
    expect(await bodyOf(approve(proposal, 'owner'))).toMatchObject({ key: 'l.second_person' });
    const { operators } = (await bodyOf(operateAs(exchange, 'owner', '/ops/operators'))) as {
      operators: Body[];
    };
    expect(operators.map(({ name }) => name)).not.toContain('myself');
    expect((await owner('approver/enable')).status).toBe(200);
    expect((await owner('approver/enable')).status).toBe(202);
    expect((await approve(proposal)).status).toBe(200);
    await owner('myself/disable');
  });

  it('OPS-004 OPS-890 repeated wrong attempts are delayed, but the owner with password and authenticator is not, from the same address', async () => {
    const { password } = exchange.doors.operators.demoLogins[0]!;
    const enter = async (fields: Record<string, string>, cookie = '') => {
      const answer = await request('/ops/session', cookie, {}, { name: 'owner', ...fields });
      return { cookies: answer.headers.getSetCookie(), body: await bodyOf(answer) };
    };
    const fresh = () => codeOf(exchange, 'owner');
    const wrongCode = async () => String((Number(await fresh()) + 1) % 1_000_000).padStart(6, '0');
    for (let tries = 0; tries < 40; tries += 1) await enter({ password: `guess ${tries}`, code: '123456' });
    // Above the limit of attempts, an attempt with only a correct password, or only a correct code, is refused like any
    // wrong attempt.
    for (const guess of [
      { password, code: await wrongCode() },
      { password: 'guess', code: await fresh() },
    ])
      expect((await enter(guess)).body).toMatchObject({ key: 'l.operator_wait' });
    const knownBrowser = await enter({ password, code: await fresh() });
    expect(knownBrowser.body).toEqual({ name: 'owner' });
    const browser = knownBrowser.cookies
      .map((cookie) => cookie.split(';')[0])
      .find((cookie) => cookie?.startsWith('operator_browser='))!;

    // A thief of the password has five attempts at the authenticator code. The attempts of the owner's
    // own browser are counted separately.
    for (let tries = 0; tries < 6; tries += 1) await enter({ password, code: await wrongCode() });
    expect((await enter({ password, code: await fresh() })).body).toHaveProperty('key');
    expect(exchange.log.lines.some(({ event }) => event === 'operator.password_in_wrong_hands')).toBe(true);
    expect((await enter({ password, code: await fresh() }, browser)).body).toEqual({ name: 'owner' });
    // The key of a known browser does not replace the password: five wrong passwords are refused, and further
    // attempts of this browser have to wait.
    for (let tries = 0; tries < 5; tries += 1)
      expect((await enter({ password: 'no', code: await fresh() }, browser)).body).toMatchObject({
        key: 'l.operator_sign_in',
      });
    expect((await enter({ password: 'no', code: await fresh() }, browser)).body).toMatchObject({
      key: 'l.operator_wait',
    });
    await exchange.advanceTime(16 * MINUTE_MS);
    expect((await enter({ password, code: await fresh() })).body).toEqual({ name: 'owner' });
  });

  it('OPS-890 a set-up code is accepted after any number of wrong ones from the same address', async () => {
    const invited = await operateAs(exchange, 'owner', '/ops/operators/nina/invite', {
      roles: 'support',
      email: 'nina@example.com',
      reason: 'new here',
    });
    const { proposal } = await bodyOf(invited);
    expect((await approve(proposal)).status).toBe(200);
    const setUp = async (setUpCode: string) =>
      bodyOf(request('/ops/session/set-up', '', {}, { setUpCode, password: 'a long enough one' }));
    for (let tries = 0; tries < 5; tries += 1)
      expect(await setUp('0'.repeat(30))).toMatchObject({ key: 'l.operator_sign_in' });
    expect(await setUp('0'.repeat(30))).toMatchObject({ key: 'l.operator_wait' });
    const [mail] = await mailsTo(exchange, 'nina@example.com');
    expect(await setUp(mail!.code!)).toMatchObject({ name: 'nina' });
  });

  it('EDGE-146 no other site signs anyone in or acts for them, and scripts cannot read the session', async () => {
    const { password } = exchange.doors.operators.demoLogins[0]!;
    const credentials = { name: 'owner', password, code: await codeOf(exchange, 'owner') };
    const answer = await fetch(`${exchange.consoleUrl}/ops/session`, {
      method: 'POST',
      body: new URLSearchParams(credentials),
    });
    const [session = ''] = answer.headers.getSetCookie();
    expect(session).toMatch(/; Path=\/ops;.*HttpOnly; SameSite=Strict/);
    const cookie = session.split(';')[0]!;
    const halt = { status: 'cancelOnly', reason: 'x' };
    for (const origin of ['null', 'https://elsewhere.example', exchange.url]) {
      expect((await request('/ops/session', '', { origin }, credentials)).status).toBe(403);
      expect((await request('/ops/pairs/ltcusdt/status', cookie, { origin }, halt)).status).toBe(403);
    }
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      const { status } = await fetch(`${exchange.consoleUrl}/ops/pairs/ltcusdt/status`, {
        method: 'POST',
        headers: { cookie, 'content-type': type },
        body: 'status=cancelOnly&reason=x',
      });
      expect([type, status >= 400]).toEqual([type, true]);
    }
    const { pairs } = (await bodyOf(request('/ops/pairs', cookie))) as { pairs: Body[] };
    expect(pairs.find(({ symbol }) => symbol === 'ltcusdt')).toMatchObject({ status: 'open' });
  });

  it('OPS-005 OPS-010 a proposal does not run for a proposer who lost the role, nor for its proposer in another session', async () => {
    const { proposal } = await propose({ titleEn: 'Lost' });
    const again = await signIn('owner');
    const confirmed = await confirmedBy(exchange, 'owner', { reason: 'mine' });
    const ownApproval = await request(`/ops/proposals/${proposal as string}/approve`, again, {}, confirmed);
    expect(await bodyOf(ownApproval)).toMatchObject({ key: 'l.second_person' });
    await become('owner', ['support']);
    expect(await bodyOf(approve(proposal))).toMatchObject({ key: 'l.proposal_over' });
    expect(
      (await operateAs(exchange, 'owner', '/ops/operators/approver/disable', { reason: 'x' })).status,
    ).toBe(403);
    await become('owner', ['owner']);
    await become('approver', ['support']);
    expect((await approve(proposal)).status).toBe(403);
    await become('approver', ['approver', 'auditor', 'support']);
    expect(await published()).toBeUndefined();
    await operateAs(exchange, 'owner', `/ops/proposals/${proposal as string}/reject`, {
      reason: 'taken back',
    });
  });

  it('OPS-013 an obviously invalid call is refused before a second operator is involved', async () => {
    const waiting = async () => {
      const { proposals } = (await bodyOf(operateAs(exchange, 'owner', '/ops/proposals'))) as {
        proposals: Body[];
      };
      return proposals.filter(({ state }) => state === 'open').length;
    };
    const before = await waiting();
    expect(await propose({ titleZh: '' })).toMatchObject({ field: 'titleZh' });
    const rate = { asset: 'USDT', dailyRate: 'nine', reason: 'x' };
    const refused = await operateAs(exchange, 'owner', '/ops/finance/products/slip', rate);
    expect(refused.status).toBe(400);
    expect(await waiting()).toBe(before);
  });

  it('OPS-035 a change of terms refers to the version that was seen, also while it is pending, and of two concurrent ones one is published', async () => {
    const first = await propose({ titleEn: 'First', version: '0' });
    expect((await approve(first['proposal'])).status).toBe(200);
    expect(await published()).toMatchObject({ version: 1 });
    // A proposal with version 0 would create an announcement. If an announcement with this code exists, the
    // proposal is refused and the announcement stays unchanged.
    expect(await propose({ titleEn: 'New', version: '0' })).toMatchObject({ key: 'l.version_changed' });
    const two = [await propose({ titleEn: 'Two' }), await propose({ titleEn: 'Other', version: '1' })];
    const answers = await Promise.all(two.map(({ proposal }) => approve(proposal)));
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
    expect(await published()).toMatchObject({ version: 2 });
    const refusedIndex = answers.findIndex(({ status }) => status === 400);
    expect(await bodyOf(approve(two[refusedIndex]!['proposal']))).toMatchObject({ key: 'l.version_changed' });
    const rejected = `/ops/proposals/${two[refusedIndex]!['proposal'] as string}/reject`;
    expect((await operateAs(exchange, 'approver', rejected, { reason: 'too late' })).status).toBe(200);
    for (const [path, list] of [
      ['/ops/seconds/terms', 'terms'],
      ['/ops/fund/funds', 'funds'],
      ['/ops/subscription/projects', 'projects'],
    ] as const)
      expect([path, Array.isArray((await bodyOf(operate(exchange, path)))[list])]).toEqual([path, true]);
  });

  it('OPS-036 a repeated confirmation runs once, a different one separately, and a refused one may be retried', async () => {
    const trader = await exchange.aUser();
    const cookie = await signIn('approver');
    const note = { titleEn: 'Hello', titleZh: '您好', textEn: 'One', textZh: '一', reason: 'asked' };
    const write = async (key: string, fields: Record<string, string> = note) =>
      request(
        `/ops/users/${trader.id}/message`,
        cookie,
        { 'idempotency-key': key },
        await confirmedBy(exchange, 'approver', fields),
      );
    const count = async () => {
      const { messages } = (await bodyOf(request(`/ops/users/${trader.id}/messages`, cookie))) as {
        messages: Body[];
      };
      return messages.filter(({ title }) => title === 'Hello').length;
    };
    expect((await write('one', { ...note, titleZh: '' })).status).toBe(400);
    const answers = await Promise.all([write('one'), write('one')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await bodyOf(write('one'))).toEqual(await bodyOf(answers[0]));
    expect(await count()).toBe(1);
    expect((await write('two')).status).toBe(200);
    expect(await count()).toBe(2);
  });
});
