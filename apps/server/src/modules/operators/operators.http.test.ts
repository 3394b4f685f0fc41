import { createHash, verify } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { announcements, banners } from '@exchange/wire/board.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { askSupport } from '@exchange/wire/support.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import {
  evidenceOf,
  signInAs,
  mailsTo,
  operate,
  operateAs,
  signInOperator,
} from '../../../testing/operators.ts';
import { ROLES, type Role } from '../../platform/console/operation.ts';
import { totpCode } from '../../platform/secrets/totp.ts';

type Body = Record<string, unknown>;

describe('operators', () => {
  let exchange: TestExchange;
  let setUpCode: string;
  let codes: string[];
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
  const decide = (name: string, id: string, verb = 'approve') =>
    operateAs(exchange, name, `/ops/proposals/${id}/${verb}`, { reason: 'looked at it' });
  const opened = async () => {
    const { rows } = await exchange.database.pool.query<{ reason: string }>(
      `select reason from spot_pair_status_history where status = 'open'`,
    );
    return rows.map(({ reason }) => reason);
  };

  it('OPS-001 OPS-002 OPS-005 OPS-006 OPS-008 an invited operator sets up an account, signs in with each code once, and may do what the roles permit', async () => {
    const invitation = { roles: 'support', email: 'rita@example.com', reason: 'new here' };
    const proposal = await operateAs(exchange, 'owner', '/ops/operators/rita/invite', invitation);
    expect(proposal.status).toBe(202);
    expect((await decide('approver', (await bodyOf(proposal))['proposal'] as string)).status).toBe(200);
    const ownRoleChange = await operateAs(exchange, 'owner', '/ops/operators/approver/roles', {
      roles: 'owner',
      reason: 'more',
    });
    expect(
      await bodyOf(decide('approver', (await bodyOf(ownRoleChange))['proposal'] as string)),
    ).toMatchObject({
      key: 'l.second_person',
    });
    setUpCode = (await mailsTo(exchange, 'rita@example.com'))[0]!.code!;
    expect(setUpCode).toMatch(/^[0-9a-f]{30}$/);
    const password = 'a long enough one';
    expect((await post('/ops/session/set-up', { setUpCode, password: 'short' })).status).toBe(400);
    const { secret, recoveryCodes } = (await bodyOf(
      post('/ops/session/set-up', { setUpCode, password }),
    )) as { secret: string; recoveryCodes: string[] };
    const signIn = (code: string) => signInOperator(exchange.consoleUrl, { name: 'rita', password, code });
    await expect(signIn('')).rejects.toThrow('Incorrect');
    const code = totpCode(secret, exchange.clock.now());
    const cookie = await signIn(code);
    await expect(signIn(code)).rejects.toThrow('Incorrect');
    expect((await post('/ops/session/set-up', { setUpCode, password })).status).toBe(400);
    expect(new Set(recoveryCodes).size).toBe(10);
    await signIn(recoveryCodes[0]!);
    await expect(signIn(recoveryCodes[0]!)).rejects.toThrow('Incorrect');
    const renew = (typed: string) =>
      post('/ops/operators/recovery-codes', { authenticatorCode: typed, reason: 'used one' }, cookie);
    expect((await renew(recoveryCodes[1]!)).status).toBe(400);
    await exchange.advanceTime(MINUTE_MS);
    const renewed = await bodyOf(renew(totpCode(secret, exchange.clock.now())));
    codes = renewed['recoveryCodes'] as string[];
    await expect(signIn(recoveryCodes[1]!)).rejects.toThrow('Incorrect');
    await signIn(codes[0]!);
    expect((await post('/ops/pairs/ltcusdt/status', { status: 'closed', reason: 'x' }, cookie)).status).toBe(
      403,
    );
    expect((await operate(exchange, '/ops/operators/owner/disable', { reason: 'x' })).status).toBe(400);
    await operate(exchange, '/ops/operators/rita/disable', { reason: 'gone' });
    expect((await fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie } })).status).toBe(401);
  });

  it('OPS-005 each operation answers only its roles, nobody without a session, and no other site', async () => {
    const { operations } = exchange;
    expect(operations.length).toBeGreaterThan(60);
    const request = (method: string, path: string, headers: Record<string, string>) =>
      fetch(exchange.consoleUrl + path, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body: new URLSearchParams() }),
      });
    const cookie = await signInAs(exchange, 'approver');
    const become = (roles: readonly Role[]) =>
      exchange.database.pool.query(`update operator set roles = $1 where name = 'approver'`, [roles]);
    for (const { method, path } of operations) {
      expect([path, (await request(method, path, {})).status]).toEqual([path, 401]);
      if (method === 'GET') continue;
      const elsewhere = { cookie, origin: 'https://elsewhere.example' };
      expect([path, (await request(method, path, elsewhere)).status]).toEqual([path, 403]);
    }
    for (const role of ROLES) {
      await become([role]);
      for (const { method, path, roles } of operations) {
        // A call by an operator with the right role gets past the check of the role. It is refused with a status other
        // than 403, because its reason is missing or its object is unknown.
        const isRefused = (await request(method, path, { cookie })).status === 403;
        expect([role, path, isRefused]).toEqual([role, path, role !== 'owner' && !roles.includes(role)]);
      }
    }
    await become(['approver', 'auditor', 'support']);
  });

  it('OPS-010 OPS-012 a proposal runs once, after another operator’s approval, also across a restart', async () => {
    const halt = await operate(exchange, '/ops/pairs/ltcusdt/status', {
      status: 'cancelOnly',
      publicCause: 'other',
    });
    expect(await bodyOf(halt)).toMatchObject({ field: 'reason' });
    const id = await propose('ltcusdt', 'once');
    expect(await propose('ltcusdt', 'once')).toBe(id);
    expect(await bodyOf(decide('owner', id))).toMatchObject({ key: 'l.second_person' });
    await exchange.restart();
    const answers = await Promise.all([decide('approver', id), decide('approver', id)]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
    expect((await decide('approver', id)).status).toBe(400);
    expect((await opened()).filter((reason) => reason === 'once')).toHaveLength(1);
  });

  it('OPS-003 OPS-011 rejected and expired proposals never run, and idle sessions end', async () => {
    const rejected = await propose('xrpusdt', 'rejected');
    expect((await decide('approver', rejected, 'reject')).status).toBe(200);
    expect((await decide('approver', rejected)).status).toBe(400);
    const expiringProposal = await propose('xrpusdt', 'late');
    const cookie = await signInAs(exchange, 'owner');
    const session = () => fetch(`${exchange.consoleUrl}/ops/session`, { headers: { cookie } });
    expect((await session()).status).toBe(200);
    await exchange.advanceTime(31 * MINUTE_MS);
    expect((await session()).status).toBe(401);
    await exchange.advanceTime(24 * HOUR_MS);
    expect((await decide('approver', expiringProposal)).status).toBe(400);
    expect(await opened()).not.toContain('late');
    expect(await opened()).not.toContain('rejected');
  });

  it('OPS-004 OPS-007 after five wrong passwords further wrong ones wait for 15 minutes, also across a restart', async () => {
    const wrong = () => post('/ops/session', { name: 'approver', password: 'wrong' });
    const keys = await Promise.all(Array.from({ length: 8 }, async () => (await bodyOf(wrong()))['key']));
    expect(keys.filter((key) => key === 'l.operator_sign_in')).toHaveLength(5);
    expect(keys.filter((key) => key === 'l.operator_wait')).toHaveLength(3);
    await exchange.restart();
    expect(await bodyOf(wrong())).toMatchObject({ key: 'l.operator_wait' });
    await exchange.advanceTime(16 * MINUTE_MS);
    await signInAs(exchange, 'approver');
  });

  it('OPS-030 OPS-031 a user is found by the start of any identifier, and every view is recorded', async () => {
    const trader = await exchange.aUser({ USDT: '250' });
    const user = trader.id;
    const view = (path: string) => operateAs(exchange, 'approver', path);
    const search = async (query: string) =>
      ((await bodyOf(view(`/ops/users?query=${encodeURIComponent(query)}`)))['users'] as Body[]).map(
        (row) => row['user'],
      );
    const [profile] = (await bodyOf(view(`/ops/users/${user}`)))['profile'] as [Body];
    expect(profile).toMatchObject({ user, email: trader.email, isFrozen: false, identity: 'none' });
    expect(profile).toMatchObject({
      userAgreement: `version ${AGREEMENT_VERSIONS.user}, in en-US`,
      privacyPolicy: `version ${AGREEMENT_VERSIONS.privacy}, in en-US`,
      acceptedAt: profile['createdAt'],
    });
    // Accounts without recorded agreements, such as the demo trader, show `not known`.
    const { id: older } = await exchange.doors.identity.ensureDemoTrader();
    const [unknown] = (await bodyOf(view(`/ops/users/${older}`)))['profile'] as [Body];
    expect(unknown).toMatchObject({ userAgreement: 'not known', privacyPolicy: 'not known' });
    expect(unknown['acceptedAt']).toBeUndefined();
    for (const query of [
      trader.email,
      trader.email.slice(0, -3),
      profile['uid'] as string,
      user.slice(0, 23),
    ])
      expect(await search(query)).toContain(user);
    expect(await search('%')).toEqual([]);
    const house = await exchange.doors.identity.ensureSystemUser('maker-1');
    expect(await search(house)).toEqual([]);
    expect((await view(`/ops/users/${house}`)).status).toBe(400);
    const hits = await bodyOf(view(`/ops/search?query=${user}`));
    expect(hits['found']).toContainEqual(expect.objectContaining({ kind: 'user', to: `users/${user}` }));
    const resting = {
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      amount: '0.001',
      price: '45000',
      orderType: 'limit',
    } as const;
    await exchange.setPrice('btcusdt', '50000');
    await trader.request(createOrder, { ...resting, tradeType: 'buy' });
    await exchange.doors.movements.catchUp();
    const userPart = async (name: string) => Object.values(await bodyOf(view(`/ops/users/${user}/${name}`)));
    expect(await userPart('balances')).toEqual([[expect.objectContaining({ asset: 'USDT', total: '250' })]]);
    expect(await userPart('entries')).toEqual([
      expect.arrayContaining([
        expect.objectContaining({ kind: 'inventory.funded', amount: '250', balance: '250' }),
        expect.objectContaining({ kind: 'spot.held', amount: '-45', balance: '205' }),
      ]),
    ]);
    expect(await userPart('limits')).toEqual([
      [
        expect.anything(),
        expect.objectContaining({ level: 0, used: '0' }),
        { limit: 'Withdrawals requested in 24 hours', level: 0, most: 20, used: 0 },
      ],
    ]);
    expect(await userPart('sessions')).toEqual([
      [expect.objectContaining({ session: expect.anything() as unknown })],
    ]);
    const [open] = (await userPart('open')) as [Body[]];
    expect(open.map(({ open: count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0]);
    for (const name of ['deposits', 'withdrawals', 'security', 'messages'])
      expect((await view(`/ops/users/${user}/${name}`)).status).toBe(200);
    const [decisions] = await userPart('decisions');
    expect(decisions).toContainEqual(
      expect.objectContaining({
        event: 'seen',
        action: 'GET /ops/users/:user/balances',
        operator: 'approver',
      }),
    );
  });

  it('OPS-1142 OPS-1143 OPS-1146 one search finds every record by its identifiers, for the roles that may open it, and the audit log names the users whom it revealed', async () => {
    const trader = await exchange.aUser({ USDT: '250' });
    const { pool } = exchange.database;
    const now = exchange.clock.now();
    const txid = 'c3'.repeat(32);
    const [deposit, withdrawal, apiKey] = ['d1', 'd2', 'd3'].map(
      (end) => `01a20bb7-1aa9-7299-bdac-58d95d508e${end}`,
    ) as [string, string, string];
    await pool.query(
      `insert into deposit (id, owner, asset, network, address, txid, output, amount, position, block, confirmations,
         status, created_at, finished_at)
       values ($1, $2, 'USDT', 'TRC20', 'TDepositOfSearch', $3, 0, 12.5, 0, 0, 1, 2, $4, $4)`,
      [deposit, trader.id, txid, now],
    );
    await pool.query(
      `insert into withdrawal (id, owner, asset, network, address, amount, fee, value, is_auto, status, reason,
         confirmations, created_at, finished_at)
       values ($1, $2, 'ETH', 'ERC20', '0xAbCdEf0123', 2, 0.1, 2, false, 2, 'hold', 1, $3, $3)`,
      [withdrawal, trader.id, now],
    );
    await pool.query(
      `insert into api_key (id, owner, name, key, kind, public_key, may_trade, addresses, created_at, revoked_at)
       values ($1, $2, 'bot', 'PublicHalf42', 'ed25519', 'x', true, '{}', $3, $3)`,
      [apiKey, trader.id, now],
    );
    await trader.request(askSupport, { topic: 'deposit', content: 'Where is it?', clientId: 'search' });
    const { rows: tickets } = await pool.query<{ id: string }>(
      'select id from support_request where owner = $1',
      [trader.id],
    );
    const find = async (query: string) => {
      const body = await bodyOf(
        operateAs(exchange, 'approver', `/ops/search?${new URLSearchParams({ query }).toString()}`),
      );
      return (body['found'] as Body[]).filter(({ kind }) => kind !== 'audit');
    };
    const become = (roles: readonly Role[]) =>
      pool.query(`update operator set roles = $1 where name = 'approver'`, [roles]);
    const at = (kind: string, id: string) => ({
      kind,
      to: `users/${trader.id}?record=${kind}.${id}`,
      user: trader.id,
    });
    await become(['support']);
    for (const [query, hit] of [
      [`0x${txid.toUpperCase()}`, at('deposit', deposit)],
      [' tdepositofsearch ', at('deposit', deposit)],
      [deposit.toUpperCase(), at('deposit', deposit)],
      ['０ｘａｂｃｄｅｆ０１２３', at('withdrawal', withdrawal)],
      [withdrawal, at('withdrawal', withdrawal)],
      ['PublicHalf42', at('apiKey', apiKey)],
      [tickets[0]!.id, at('ticket', tickets[0]!.id)],
    ] as const)
      expect([query, await find(query)]).toEqual([query, [expect.objectContaining(hit)]]);
    expect((await find(deposit))[0]?.['label']).toBe('Deposit over TRC20, 12.5 USDT, rejected');
    expect(await find(trader.email)).toEqual([
      expect.objectContaining({ kind: 'user', user: trader.id }),
      expect.objectContaining(at('ticket', tickets[0]!.id)),
    ]);
    const recorded = async () => {
      const { rows } = await pool.query<{ fields: string; result: string }>(
        `select fields, result from operator_audit where action = 'GET /ops/search' order by sequence desc limit 1`,
      );
      return rows[0];
    };
    expect(await recorded()).toEqual({
      fields: JSON.stringify({ query: trader.email }),
      result: JSON.stringify({ users: [trader.id] }),
    });
    // A search text without results is masked in the audit log, because it may be a document number.
    expect(await find('ZX-99118822')).toEqual([]);
    expect(await recorded()).toEqual({
      fields: JSON.stringify({ query: 'ZX***22' }),
      result: JSON.stringify({ users: [] }),
    });
    // The search lists tickets only for operators of the customer service. Operators with only the role `product` may
    // not open user accounts, so their search finds neither users nor users' records.
    await become(['finance']);
    expect(await find(tickets[0]!.id)).toEqual([]);
    expect(await find(txid)).toHaveLength(1);
    await become(['product']);
    for (const query of [txid, trader.email, tickets[0]!.id, 'PublicHalf42', '0xAbCdEf0123'])
      expect([query, await find(query)]).toEqual([query, []]);
    await become(['approver', 'auditor', 'support']);
  });

  it('OPS-1147 OPS-1148 OPS-1149 the timeline tells a user’s story from every module in pages, by kind and day, for the roles that may read it', async () => {
    const trader = await exchange.aUser({ USDT: '250' });
    const { pool } = exchange.database;
    const now = exchange.clock.now();
    await exchange.setPrice('btcusdt', '50000');
    const order = await trader.request(createOrder, {
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      amount: '0.001',
      price: '45000',
      orderType: 'limit',
      tradeType: 'buy',
    });
    // Sixty deposits of the past sixty days, one a day.
    await pool.query(
      `insert into deposit (id, owner, asset, network, address, txid, output, amount, position, block, confirmations,
         status, created_at, finished_at)
       select (lpad(to_hex($2::bigint - n * 86400000::bigint), 12, '0') || '7000800000000000' || lpad(n::text, 4, '0'))::uuid, $1,
         'USDT', 'TRC20', 'TStory', 'story-' || n, 0, n, 0, 0, 1, 2, $2::bigint - n * 86400000::bigint, $2::bigint - n * 86400000::bigint
       from generate_series(1, 60) n`,
      [trader.id, now],
    );
    await trader.request(askSupport, { topic: 'deposit', content: '<b>Where</b>?', clientId: 'story' });
    const act = (path: string, fields: Record<string, string>) =>
      operateAs(exchange, 'approver', `/ops/users/${trader.id}/${path}`, fields);
    expect((await act('note', { reason: 'called back & agreed' })).status).toBe(200);
    expect((await act('note', { reason: '' })).status).toBe(400);
    expect((await act('purchases', { mayPurchase: '0', reason: 'a review' })).status).toBe(200);
    const read = async (query: Record<string, string>) =>
      bodyOf(
        operateAs(
          exchange,
          'approver',
          `/ops/users/${trader.id}/timeline?${new URLSearchParams(query).toString()}`,
        ),
      );
    const rows: Body[] = [];
    for (let before: string | undefined = ''; before !== undefined;) {
      const page: Body = await read({ before });
      rows.push(...(page['timeline'] as Body[]));
      before = page['next'] as string | undefined;
    }
    const times = rows.map(({ at }) => at as number);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect(new Set(rows.map(({ kind, id }) => `${String(kind)} ${String(id)}`)).size).toBe(rows.length);
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'deposit')).toHaveLength(60);
    for (const kind of ['order', 'ticket', 'note', 'decision', 'security']) expect(kinds).toContain(kind);
    expect(rows.find(({ kind }) => kind === 'note')?.['event']).toBe(
      'Note by approver: called back & agreed',
    );
    expect(rows.filter(({ kind }) => kind === 'decision').map(({ event }) => event)).toContain(
      'Permit or stop purchases, by approver',
    );
    expect(rows.find(({ kind }) => kind === 'order')).toMatchObject({
      id: order.id,
      event: 'Buy limit BTC/USDT at 45000',
      amount: '0.001',
      asset: 'BTC',
      status: 'open',
    });
    const day = new Date(now - 3 * 86_400_000).toISOString().slice(0, 10);
    const ofDay = (await read({ kind: 'deposit', from: day, to: day }))['timeline'] as Body[];
    expect(ofDay.map(({ amount }) => amount)).toEqual(['3']);
    expect(await read({ kind: 'nothing' })).toMatchObject({ field: 'kind' });
    expect(await read({ from: '2026-13-01' })).toMatchObject({ field: 'from' });
    expect(await read({ before: 'x' })).toMatchObject({ field: 'before' });
    const [opened] = (await read({ record: `order.${order.id}` }))['timeline'] as [Body];
    expect(JSON.parse(opened['detail'] as string)).toMatchObject({ price: '45000', held: '45', side: 'buy' });
    const other = await exchange.aUser();
    const foreign = await operateAs(
      exchange,
      'approver',
      `/ops/users/${other.id}/timeline?record=order.${order.id}`,
    );
    expect(foreign.status).toBe(400);
    await pool.query(`update operator set roles = '{finance}' where name = 'approver'`);
    expect(await read({ kind: 'ticket' })).toMatchObject({ field: 'kind' });
    expect(
      await read({ record: `ticket.${String(rows.find(({ kind }) => kind === 'ticket')?.['id'])}` }),
    ).toMatchObject({
      key: 'l.not_found',
    });
    await pool.query(`update operator set roles = '{approver,auditor,support}' where name = 'approver'`);
  });

  it('OPS-1150 accounts that share a device, a network or a document number with a user are shown, no others', async () => {
    const [trader, sameDevice, sameNetwork, stranger] = await Promise.all(
      Array.from({ length: 4 }, () => exchange.aUser()),
    );
    const { pool } = exchange.database;
    const place = (user: string, device: string, network: string) =>
      pool.query(
        `update user_session set device_mark = sha256($2::bytea), has_device_id = true, address_network = $3
         where user_id = $1`,
        [user, Buffer.from(device), network],
      );
    await place(trader!.id, 'shared', '203.0.113.0/24');
    await place(sameDevice!.id, 'shared', '198.51.100.0/24');
    await place(sameNetwork!.id, 'other', '203.0.113.0/24');
    await place(stranger!.id, 'third', '192.0.2.0/24');
    const { shared } = (await bodyOf(operateAs(exchange, 'approver', `/ops/users/${trader!.id}/shared`))) as {
      shared: Body[];
    };
    expect(new Map(shared.map(({ user, shares }) => [user, shares]))).toEqual(
      new Map([
        [sameDevice!.id, 'device'],
        [sameNetwork!.id, 'address'],
      ]),
    );
  });

  it('OPS-1151 a case file has the timeline and the ledger with its hashes, and proves by its signature that nothing was changed', async () => {
    const trader = await exchange.aUser({ USDT: '250' });
    await trader.request(askSupport, {
      topic: 'deposit',
      content: '<script>alert(1)</script>',
      clientId: 'case',
    });
    await exchange.doors.movements.catchUp();
    const answer = await operateAs(exchange, 'approver', `/ops/users/${trader.id}/case-file`);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="case-\d{8}\.html"$/);
    const file = await answer.text();
    expect(file).not.toContain('<script>');
    expect(file).toContain('&lt;script&gt;');
    const { rows } = await exchange.database.pool.query<{ hash: string }>(
      `select encode(e.hash, 'hex') as hash from ledger_entry e join ledger_movement m on m.entry = e.sequence
       where m.owner = $1`,
      [trader.id],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { hash } of rows) expect(file).toContain(hash);
    const [, signed = '', sha256 = '', key = '', signature = ''] =
      /<!-- (case file\|\d{8}\|([0-9a-f]{64})) key=(\w+) ed25519=(\S+) -->\n$/.exec(file) ?? [];
    const content = file.slice(0, file.lastIndexOf('<!-- case file|'));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    const { rows: keys } = await exchange.database.pool.query<{ public_key: string }>(
      'select public_key from signing_key where id = $1',
      [key],
    );
    const publicKey = keys[0]!.public_key;
    expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    const refused = await operateAs(exchange, 'approver', `/ops/users/${trader.id}/case-file?from=soon`);
    expect(refused.status).toBe(400);
    const { rows: seen } = await exchange.database.pool.query(
      `select 1 from operator_audit where action = 'GET /ops/users/:user/case-file' and parameters like $1`,
      [`%${trader.id}%`],
    );
    expect(seen).toHaveLength(2);
  });

  it('OPS-1223 the case file of an old period has its ledger entries, however many follow it', async () => {
    const trader = await exchange.aUser({ USDT: '31.5' });
    await exchange.doors.movements.catchUp();
    const { pool } = exchange.database;
    const {
      rows: [funding],
    } = await pool.query<{ at: string }>('select max(at) as at from ledger_movement where owner = $1', [
      trader.id,
    ]);
    const day = new Date(Number(funding!.at)).toISOString().slice(0, 10);
    const laterMs = Number(funding!.at) + 2 * DAY_MS;
    // More statement rows than a case file may contain are inserted directly, without the trades that would cause them.
    await pool.query(
      `insert into ledger_movement (owner, entry, posting, account, asset, bucket, kind, amount, balance, at)
       select owner, entry + number, posting, account, asset, bucket, 'spot.trade', 1, 1, $2
       from ledger_movement cross join generate_series(1, 10001) as number where owner = $1`,
      [trader.id, laterMs],
    );
    const path = `/ops/users/${trader.id}/case-file`;
    const old = await (await operateAs(exchange, 'approver', `${path}?to=${day}`)).text();
    const whole = await (await operateAs(exchange, 'approver', path)).text();
    await pool.query('delete from ledger_movement where owner = $1 and at = $2', [trader.id, laterMs]);
    expect(old).toContain('31.5 USDT');
    expect(old).not.toContain('More than');
    expect(whole).toContain('More than 10000 movements of the ledger');
  });

  it('OPS-1153 OPS-1154 one operator claims a row, no other operator decides it meanwhile, and today’s decisions are listed', async () => {
    const trader = await exchange.aUser();
    const ticketOf = async (content: string) => {
      await trader.request(askSupport, { topic: 'deposit', content, clientId: 'queue' });
      const { rows } = await exchange.database.pool.query<{ id: string }>(
        'select id from support_request where content = $1',
        [content],
      );
      return rows[0]!.id;
    };
    const id = await ticketOf('Taken by one?');
    const act = (name: string, action: string, fields: Record<string, string> = {}) =>
      operateAs(exchange, name, `/ops/support/requests/${id}/${action}`, fields);
    const claimedBy = async () => {
      const { requests } = (await bodyOf(operateAs(exchange, 'owner', '/ops/support/requests'))) as {
        requests: Body[];
      };
      return requests.find((row) => row['id'] === id)?.['claimedBy'];
    };
    expect(await claimedBy()).toBeUndefined();
    const answers = await Promise.all([act('owner', 'take'), act('approver', 'take')]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
    const [taker, other] = answers[0].status === 200 ? ['owner', 'approver'] : ['approver', 'owner'];
    expect(await claimedBy()).toBe(taker);
    const answer = { answer: 'By you alone.', reason: 'asked' };
    const refused = await bodyOf(act(other, 'answer', answer));
    expect(refused).toMatchObject({ key: 'l.claimed' });
    expect(refused['error']).toContain(taker);
    expect(await bodyOf(act(other, 'answer/check', answer))).toMatchObject({ key: 'l.claimed' });
    expect(await bodyOf(act(other, 'close', { reason: 'spam' }))).toMatchObject({ key: 'l.claimed' });
    // An operator cannot end another operator's claim of a queue row. The row can be assigned to
    // another operator, and a claim expires.
    expect((await act(other, 'put-back')).status).toBe(200);
    expect(await claimedBy()).toBe(taker);
    expect(await bodyOf(act(other, 'assign', { to: 'nobody', reason: 'x' }))).toMatchObject({ field: 'to' });
    expect((await act(taker, 'assign', { to: other, reason: 'my shift ends' })).status).toBe(200);
    expect(await claimedBy()).toBe(other);
    expect(await bodyOf(act(taker, 'answer', answer))).toMatchObject({ key: 'l.claimed' });
    await exchange.advanceTime(31 * MINUTE_MS);
    expect(await claimedBy()).toBeUndefined();
    expect((await act(taker, 'take')).status).toBe(200);
    expect((await act(taker, 'answer', answer)).status).toBe(200);
    const { done } = (await bodyOf(operateAs(exchange, 'owner', '/ops/support/requests/done'))) as {
      done: Body[];
    };
    expect(done.filter(({ record }) => record === id)).toEqual([
      expect.objectContaining({
        action: 'POST /ops/support/requests/:id/answer',
        event: 'done',
        operator: taker,
        reason: 'asked',
      }),
    ]);
    const { rows: left } = await exchange.database.pool.query(
      'select 1 from operator_claim where record = $1',
      [id],
    );
    expect(left).toEqual([]);
  });

  it('OPS-032 OPS-033 a restriction applies at once, lifting it needs a second operator, and a message is read in its reader’s language', async () => {
    const trader = await exchange.aUser();
    const perform = (action: string, fields: Record<string, string>) =>
      operateAs(exchange, 'approver', `/ops/users/${trader.id}/${action}`, { reason: 'a review', ...fields });
    const profile = async () =>
      ((await bodyOf(operateAs(exchange, 'approver', `/ops/users/${trader.id}`)))['profile'] as [Body])[0];
    expect((await perform('purchases', { mayPurchase: '0' })).status).toBe(200);
    expect(await bodyOf(perform('hold', { hours: '721' }))).toMatchObject({
      key: 'l.field_max',
      field: 'hours',
    });
    expect((await perform('hold', { hours: '48' })).status).toBe(200);
    expect(await profile()).toMatchObject({ mayPurchase: false, heldBecause: 'review' });
    expect(await trader.request(userInfo)).toMatchObject({ holdReason: 'review' });
    expect((await perform('hold', { hours: '72' })).status).toBe(200);
    expect((await perform('hold', { hours: '1' })).status).toBe(202);
    const note = { titleEn: 'About you', titleZh: '关于您', textEn: 'Hello\nyou', textZh: '您好' };
    expect((await perform('message', { ...note, titleEn: '' })).status).toBe(400);
    expect((await perform('message', note)).status).toBe(200);
    const titles = async (lang: string) => {
      const { data } = await trader.call(
        messagePage,
        { pageNo: '1', pageSize: '10' },
        { headers: { 'accept-language': lang } },
      );
      return data.list.map(({ title, summary }) => [title, summary]);
    };
    expect(await titles('zh-CN')).toContainEqual(['关于您', '您好']);
    expect(await titles('ko-KR')).toContainEqual(['About you', 'Hello']);
    const otherUser = await exchange.aUser();
    const otherUserSessions = async () =>
      (await bodyOf(operateAs(exchange, 'approver', `/ops/users/${otherUser.id}/sessions`)))[
        'sessions'
      ] as Body[];
    const [session] = await otherUserSessions();
    const end = await operateAs(
      exchange,
      'approver',
      `/ops/users/${trader.id}/sessions/${session!['session'] as string}/end`,
      { reason: 'x' },
    );
    expect(end.status).toBe(400);
    expect((await perform('freeze', {})).status).toBe(200);
    expect((await trader.call(userInfo)).code).toBe(-2);
    // The evidence for the second operator still shows the freeze as the latest change of the account's restrictions,
    // although the security log has 60 newer entries about failed logins.
    await exchange.database.pool.query(
      `insert into security_event (id, user_id, kind, device, address, detail, at)
       select gen_random_uuid(), $1, 'loginFailed', '', '', '', $2::bigint + n from generate_series(1, 60) as n`,
      [trader.id, exchange.clock.now()],
    );
    const unfreeze = await perform('unfreeze', {});
    expect(unfreeze.status).toBe(202);
    const { proposal } = (await unfreeze.json()) as { proposal: string };
    expect((await evidenceOf(exchange, 'owner', proposal)).context).toMatchObject({
      lastChange: expect.stringContaining('a review') as string,
    });
    expect(await profile()).toMatchObject({ isFrozen: true });
    const holdRelease = await operate(exchange, `/ops/users/${trader.id}/hold`, {
      hours: '0',
      reason: 'looked at',
    });
    expect(holdRelease.status).toBe(200);
    expect(await profile()).not.toHaveProperty('heldBecause');
  });

  it('OPS-040 OPS-041 a board entry is shown from its start until its end, in each language, in its latest version', async () => {
    const now = exchange.clock.now();
    const words = { titleEn: 'Soon', titleZh: '即将上线', contentEn: 'One\n\nTwo', contentZh: '一' };
    const period = { fromAt: String(now + HOUR_MS), untilAt: String(now + 2 * HOUR_MS) };
    const publish = (path: string, fields: Record<string, string>) =>
      operate(exchange, `/ops/board/${path}`, { reason: 'news', ...words, ...period, ...fields });
    const shownAnnouncements = async (lang = 'en-US') => {
      const { data } = await exchange.call(announcements, {}, { headers: { 'accept-language': lang } });
      return data.list.map(({ title, version }) => [title, version]);
    };
    expect((await publish('announcements/soon', { topic: 'product' })).status).toBe(200);
    expect((await publish('announcements/soon', { topic: 'product' })).status).toBe(200);
    expect(await shownAnnouncements()).toEqual([]);
    await exchange.advanceTime(HOUR_MS);
    expect(await shownAnnouncements()).toEqual([['Soon', 1]]);
    expect((await publish('announcements/soon', { topic: 'product', titleEn: 'Now' })).status).toBe(200);
    expect(await shownAnnouncements()).toEqual([['Now', 2]]);
    expect(await shownAnnouncements('zh-CN')).toEqual([['即将上线', 2]]);
    await exchange.advanceTime(HOUR_MS);
    expect(await shownAnnouncements()).toEqual([]);
    const banner = { position: '1', picture: 'finance', fromAt: '0', untilAt: '' };
    for (const link of ['https://evil.example', '//evil.example', '/nowhere', '/finance/list?a=<'])
      expect(await bodyOf(publish('banners/earn', { ...banner, link }))).toMatchObject({ field: 'link' });
    expect((await publish('banners/earn', { ...banner, link: '/finance/list' })).status).toBe(200);
    expect((await publish('banners/first', { ...banner, position: '0', link: '' })).status).toBe(200);
    const shownBanners = async () =>
      (await exchange.call(banners)).data.list.map(({ code, link }) => [code, link]);
    expect(await shownBanners()).toEqual([
      ['first', ''],
      ['earn', '/finance/list'],
    ]);
    const withdrawal = await operateAs(exchange, 'approver', '/ops/board/withdraw/first', {
      reason: 'wrong',
    });
    expect(withdrawal.status).toBe(200);
    expect(await shownBanners()).toEqual([['earn', '/finance/list']]);
    const { versions } = await bodyOf(operateAs(exchange, 'approver', '/ops/board/history'));
    expect(versions).toContainEqual(
      expect.objectContaining({
        code: 'soon',
        version: 1,
        by: 'owner, approved by approver',
        reason: 'news',
      }),
    );
  });

  it('OPS-050 OPS-669 the exchange’s accounts, their movements, and a zero sum per coin', async () => {
    const [buyer, seller] = [await exchange.aUser({ USDT: '1000' }), await exchange.aUser({ BTC: '1' })];
    await exchange.setPrice('btcusdt', '50000');
    const order = {
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      amount: '0.01',
      price: '50000',
      orderType: 'limit',
    } as const;
    await seller.request(createOrder, { ...order, tradeType: 'sell' });
    await buyer.request(createOrder, { ...order, tradeType: 'buy' });
    const view = (path: string) => bodyOf(operate(exchange, `/ops/house/${path}`));
    const { accounts } = (await view('accounts')) as { accounts: Body[] };
    const { coins } = (await view('coins')) as { coins: Body[] };
    expect(coins).toContainEqual(expect.objectContaining({ asset: 'USDT' }));
    const sumOf = ({ users, house, outside }: Body) =>
      [house, outside].reduce<Decimal>(
        (sum, amountText) => sum.plus(Decimal.parse(amountText as string)),
        Decimal.parse(users as string),
      );
    expect(coins.map((coin) => sumOf(coin).toString())).toEqual(coins.map(() => '0'));
    // OPS-669: market makers' holdings count as the exchange's own both in the list of coins and in the
    // coverage.
    await exchange.database.pool.query(
      "update user_account set email = null, password_hash = null, house_name = 'maker-2' where id = $1",
      [seller.id],
    );
    await exchange.advanceTime(MINUTE_MS);
    await exchange.doors.proofs.coverage.refresh();
    const again = ((await view('coins')) as { coins: Body[] }).coins;
    const { rows = [] } = exchange.doors.proofs.coverage.health();
    for (const { asset, owedToUsers } of rows)
      expect([asset, again.find((coin) => coin['asset'] === asset)?.['users']]).toEqual([asset, owedToUsers]);
    expect(again.map((coin) => sumOf(coin).toString())).toEqual(again.map(() => '0'));
    await exchange.database.pool.query(
      "update user_account set email = 'seller@example.com', house_name = null where id = $1",
      [seller.id],
    );
    expect(accounts.map(({ account, asset }) => [account, asset])).toContainEqual(['fees', 'USDT']);
    for (const { account, asset, purpose } of accounts) {
      expect(purpose).not.toBe('');
      const { entries } = (await view(`accounts/${account as string}/${asset as string}`)) as {
        entries: Body[];
      };
      expect(entries.length).toBeGreaterThan(0);
    }
    expect((await view('checks'))['checks']).toHaveLength(1);
    expect(await view('accounts/fees/nothing')).toEqual({ entries: [] });
  });

  it('OPS-024 the audit log is filtered, paged and exported', async () => {
    const audit = (query: string) => bodyOf(operateAs(exchange, 'approver', `/ops/audit?${query}`));
    const rowsOf = async (query: string) => (await audit(query))['audit'] as Body[];
    const freezes = await rowsOf('operation=POST+/ops/users/:user/freeze&operator=approver');
    expect(freezes.map(({ event }) => event)).toEqual(['done', 'begun']);
    expect(await rowsOf('operation=POST+/ops/users/:user/freeze&operator=owner')).toEqual([]);
    const { user } = JSON.parse(freezes[0]!['parameters'] as string) as { user: string };
    const about = await rowsOf(`subject=${user}`);
    expect(about.length).toBeGreaterThan(4);
    expect(about.every(({ parameters }) => String(parameters).includes(user))).toBe(true);
    expect(await rowsOf('from=2099-01-01')).toEqual([]);
    expect(await audit('to=yesterday')).toMatchObject({ key: 'l.field_invalid', field: 'to' });
    const first = await audit('');
    const [all, last] = [first['audit'] as Body[], first['next']];
    expect(all).toHaveLength(50);
    const behind = await rowsOf(`before=${last as string}`);
    expect(behind[0]!['sequence']).toBe((all.at(-1)!['sequence'] as number) - 1);
    const file = await operateAs(exchange, 'approver', `/ops/audit/export?subject=${user}`);
    expect(file.headers.get('content-disposition')).toContain('audit.csv');
    expect((await file.text()).trim().split('\r\n')).toHaveLength(about.length + 1);
  });

  it('OPS-020 OPS-021 the audit log records who did what, cannot be changed, and shows where it was tampered with', async () => {
    const { audit: rows } = await bodyOf(
      operateAs(exchange, 'approver', '/ops/audit?operation=POST+/ops/pairs/:symbol/status'),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ event: 'done', operator: 'owner', approvedBy: 'approver', reason: 'once' }),
    );
    const auditRows = await exchange.database.pool.query('select fields, result from operator_audit');
    for (const secret of [setUpCode, ...codes]) expect(JSON.stringify(auditRows.rows)).not.toContain(secret);
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
