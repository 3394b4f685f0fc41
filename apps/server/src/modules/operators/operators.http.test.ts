import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate, operateAs, signInOperator } from '../../../testing/operators.ts';
import { totpCode } from '../../platform/secrets/totp.ts';

type Body = Record<string, unknown>;

describe('operators', () => {
  let exchange: TestExchange;
  let setUpCode: string;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(exchange.consoleUrl + path, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
    });
  const propose = async (symbol: string, reason: string) => {
    const fields = { status: 'open', reason };
    const answer = await operateAs(exchange, 'owner', `/ops/pairs/${symbol}/status`, fields);
    expect(answer.status).toBe(202);
    return (await bodyOf(answer))['proposal'] as string;
  };
  const decide = (name: string, id: string, how = 'approve') =>
    operateAs(exchange, name, `/ops/proposals/${id}/${how}`, { reason: 'looked at it' });
  const opened = async () => {
    const { rows } = await exchange.database.pool.query<{ reason: string }>(
      `select reason from spot_pair_status_history where status = 'open'`,
    );
    return rows.map(({ reason }) => reason);
  };
  const logged = async () => {
    const { audit } = await bodyOf(operateAs(exchange, 'approver', '/ops/audit'));
    return audit as Body[];
  };

  it('OPS-001 OPS-002 OPS-005 OPS-006 an invited operator sets up, signs in with each code once, and may what the roles permit', async () => {
    const invitation = { roles: 'support', reason: 'new here' };
    const asked = await operateAs(exchange, 'owner', '/ops/operators/rita/invite', invitation);
    expect(asked.status).toBe(202);
    const invited = await bodyOf(decide('approver', (await bodyOf(asked))['proposal'] as string));
    const own = await operateAs(exchange, 'owner', '/ops/operators/approver/roles', {
      ...{ roles: 'owner', reason: 'more' },
    });
    expect(await bodyOf(decide('approver', (await bodyOf(own))['proposal'] as string))).toMatchObject({
      key: 'l.second_person',
    });
    setUpCode = invited['setUpCode'] as string;
    expect(setUpCode).toMatch(/^[0-9a-f]{30}$/);
    const password = 'a long enough one';
    expect((await post('/ops/session/set-up', { setUpCode, password: 'short' })).status).toBe(400);
    const { secret } = (await bodyOf(post('/ops/session/set-up', { setUpCode, password }))) as {
      secret: string;
    };
    const signIn = (code: string) => signInOperator(exchange.consoleUrl, { name: 'rita', password, code });
    await expect(signIn('')).rejects.toThrow('wrong');
    const code = totpCode(secret, exchange.clock.now());
    const cookie = await signIn(code);
    await expect(signIn(code)).rejects.toThrow('wrong');
    expect((await post('/ops/session/set-up', { setUpCode, password })).status).toBe(400);
    expect((await post('/ops/pairs/ltcusdt/status', { status: 'closed', reason: 'x' }, cookie)).status).toBe(
      403,
    );
    expect((await operate(exchange, '/ops/operators/owner/disable', { reason: 'x' })).status).toBe(400);
    await operate(exchange, '/ops/operators/rita/disable', { reason: 'gone' });
    expect((await fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie } })).status).toBe(401);
  });

  it('OPS-005 refuses every operation to whoever has no session or lacks its role', async () => {
    const { operations } = (await bodyOf(operateAs(exchange, 'owner', '/ops/session'))) as {
      operations: { method: string; path: string }[];
    };
    const allowed = (await bodyOf(operateAs(exchange, 'approver', '/ops/session'))) as typeof allOf;
    const allOf = { operations };
    const names = new Set(allowed.operations.map(({ method, path }) => `${method} ${path}`));
    expect(operations.length).toBeGreaterThan(20);
    for (const { method, path } of operations) {
      const fields = method === 'GET' ? undefined : {};
      const without = await fetch(exchange.consoleUrl + path, {
        ...(fields === undefined ? {} : { method, body: new URLSearchParams(fields) }),
      });
      expect([path, without.status]).toEqual([path, 401]);
      if (names.has(`${method} ${path}`)) continue;
      expect([path, (await operateAs(exchange, 'approver', path, fields)).status]).toEqual([path, 403]);
    }
  });

  it('OPS-010 OPS-012 a proposal runs once, for another operator’s approval, over a restart', async () => {
    const halt = await operate(exchange, '/ops/pairs/ltcusdt/status', { status: 'cancelOnly' });
    expect(await bodyOf(halt)).toMatchObject({ field: 'reason' });
    const id = await propose('ltcusdt', 'once');
    expect(await propose('ltcusdt', 'once')).toBe(id);
    expect(await bodyOf(decide('owner', id))).toMatchObject({ key: 'l.second_person' });
    await exchange.restart();
    const both = await Promise.all([decide('approver', id), decide('approver', id)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
    expect((await decide('approver', id)).status).toBe(400);
    expect((await opened()).filter((reason) => reason === 'once')).toHaveLength(1);
  });

  it('OPS-003 OPS-011 what was rejected or waited for a day never runs, and idle sessions end', async () => {
    const rejected = await propose('xrpusdt', 'rejected');
    expect((await decide('approver', rejected, 'reject')).status).toBe(200);
    expect((await decide('approver', rejected)).status).toBe(400);
    const late = await propose('xrpusdt', 'late');
    const { password } = exchange.doors.operators.demoLogins[0]!;
    const cookie = await signInOperator(exchange.consoleUrl, { name: 'owner', password });
    const session = () => fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie } });
    expect((await session()).status).toBe(200);
    await exchange.pass(31 * MINUTE_MS);
    expect((await session()).status).toBe(401);
    await exchange.pass(24 * HOUR_MS);
    expect((await decide('approver', late)).status).toBe(400);
    expect(await opened()).not.toContain('late');
    expect(await opened()).not.toContain('rejected');
  });

  it('OPS-004 five wrong passwords make that name wait for a quarter of an hour', async () => {
    const wrong = () => post('/ops/session', { name: 'approver', password: 'wrong' });
    for (let n = 0; n < 5; n += 1) expect(await bodyOf(wrong())).toMatchObject({ key: 'l.operator_sign_in' });
    expect(await bodyOf(wrong())).toMatchObject({ key: 'l.operator_wait' });
    await exchange.pass(16 * MINUTE_MS);
    const { password } = exchange.doors.operators.demoLogins.find(({ name }) => name === 'approver')!;
    await signInOperator(exchange.consoleUrl, { name: 'approver', password });
  });

  it('OPS-020 OPS-021 the log tells who did what, cannot be changed, and shows where it was', async () => {
    const rows = await logged();
    expect(rows).toContainEqual(
      expect.objectContaining({ event: 'done', operator: 'owner', approvedBy: 'approver', reason: 'once' }),
    );
    expect(JSON.stringify(rows)).not.toContain(setUpCode);
    const check = async () =>
      bodyOf(operateAs(exchange, 'approver', '/ops/audit/check', { reason: 'a look' }));
    expect(await check()).toMatchObject({ isWhole: true });
    const change = `update operator_audit set reason = 'other' where sequence = 2`;
    await expect(exchange.database.pool.query(change)).rejects.toThrow('append-only');
    await exchange.database.pool.query(`
      alter table operator_audit disable trigger operator_audit_append_only; ${change};
      alter table operator_audit enable trigger operator_audit_append_only`);
    expect(await check()).toMatchObject({ isWhole: false, brokenAt: 2 });
  });
});
