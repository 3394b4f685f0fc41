import { HOUR_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { mailsTo, operateAs } from '../../../testing/operators.ts';

type Body = Record<string, unknown>;
const PASSWORD = 'a long enough one';

describe('operator invitations', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const bodyOf = async (answer: Response) => (await answer.json()) as Body;
  const propose = (name: string, email: string, extraFields: Record<string, string> = {}) =>
    operateAs(exchange, 'owner', `/ops/operators/${name}/invite`, {
      roles: 'support',
      email,
      reason: 'new here',
      ...extraFields,
    });
  /**
   * Invites an operator and returns, as one text, everything that the inviter and the approver see: answers and lists.
   */
  const invite = async (name: string, email: string): Promise<string> => {
    const proposal = await bodyOf(await propose(name, email));
    const path = `/ops/proposals/${proposal['proposal'] as string}/approve`;
    const approved = await bodyOf(await operateAs(exchange, 'approver', path, { reason: 'known' }));
    expect(approved).toEqual({ name, mailedTo: email });
    const lists = await Promise.all(
      ['operators', 'proposals', 'audit'].map(async (list) =>
        bodyOf(await operateAs(exchange, 'owner', `/ops/${list}`)),
      ),
    );
    return JSON.stringify([proposal, approved, lists]);
  };
  const setUp = (setUpCode: string) =>
    fetch(`${exchange.consoleUrl}/ops/session/set-up`, {
      method: 'POST',
      body: new URLSearchParams({ setUpCode, password: PASSWORD }),
    });

  it('OPS-009 the code reaches the invited operator by mail, and neither the inviter nor the approver sees it', async () => {
    const shownText = await invite('rita', 'rita@example.com');
    const [mail, ...furtherMails] = await mailsTo(exchange, 'rita@example.com');
    expect(furtherMails).toEqual([]);
    expect(mail!.code).toMatch(/^[0-9a-f]{30}$/);
    expect(mail!.text).toContain(mail!.code!);
    expect(mail!.text).toContain('“rita” (support)');
    expect(shownText).toContain('rita@example.com');
    expect(shownText).not.toContain(mail!.code);
    const { rows } = await exchange.database.pool.query(
      `select to_jsonb(o)::text from operator o union all select to_jsonb(p)::text from operator_proposal p
       union all select to_jsonb(a)::text from operator_audit a`,
    );
    expect(JSON.stringify(rows)).not.toContain(mail!.code);
    expect(await bodyOf(await setUp(mail!.code!))).toMatchObject({ name: 'rita' });
  });

  it('OPS-009 a new invitation invalidates the previous code, and a code is valid for a day', async () => {
    await invite('sam', 'sam@example.com');
    const first = (await mailsTo(exchange, 'sam@example.com'))[0]!.code!;
    await invite('sam', 'sam@example.com');
    const second = (await mailsTo(exchange, 'sam@example.com'))[0]!.code!;
    expect(second).not.toBe(first);
    expect((await setUp(first)).status).toBe(400);
    expect((await setUp(second)).status).toBe(200);
    await exchange.advanceTime(24 * HOUR_MS);
    expect((await setUp(second)).status).toBe(400);
    expect(await mailsTo(exchange, 'sam@example.com')).toHaveLength(2);
  });

  it('OPS-013 an invalid address, name or role is refused before a second operator is involved', async () => {
    expect(await bodyOf(await propose('tom', 'nowhere'))).toMatchObject({
      field: 'email',
      key: 'l.email_invalid',
    });
    expect(await bodyOf(await propose('tom', ''))).toMatchObject({ key: 'l.field_required' });
    expect(await bodyOf(await propose('Tom!', 'tom@example.com'))).toMatchObject({ field: 'name' });
    const roles = { roles: 'king' };
    expect(await bodyOf(await propose('tom', 'tom@example.com', roles))).toMatchObject({ field: 'roles' });
    const { proposals } = await bodyOf(await operateAs(exchange, 'owner', '/ops/proposals'));
    expect((proposals as Body[]).filter(({ state }) => state === 'open')).toEqual([]);
    expect(await mailsTo(exchange, 'tom@example.com')).toEqual([]);
  });

  it('OPS-014 an operator reset to a different address is notified at the previous one, without the code', async () => {
    await invite('ursula', 'ursula@example.com');
    await invite('ursula', 'mallory@example.com');
    const [moved, invitation] = await mailsTo(exchange, 'ursula@example.com');
    const code = (await mailsTo(exchange, 'mallory@example.com'))[0]!.code!;
    expect(moved!.text).toContain('“ursula”');
    expect(moved!.code).toBeUndefined();
    expect(moved!.text).not.toContain(code);
    expect((await setUp(invitation!.code!)).status).toBe(400);
    expect((await setUp(code)).status).toBe(200);
  });

  it('OPS-009 a failed invitation sends no code', async () => {
    const { pool } = exchange.database;
    await pool.query(`alter table operator add constraint no_vera check (name <> 'vera')`);
    const proposal = await bodyOf(await propose('vera', 'vera@example.com'));
    const path = `/ops/proposals/${proposal['proposal'] as string}/approve`;
    expect((await operateAs(exchange, 'approver', path, { reason: 'known' })).status).toBe(500);
    expect(await mailsTo(exchange, 'vera@example.com')).toEqual([]);
    await pool.query('alter table operator drop constraint no_vera');
  });
});
