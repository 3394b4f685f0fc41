import { createHmac } from 'node:crypto';
import { LOCALES } from '@exchange/core/locale.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { messageDetail, messagePage } from '@exchange/wire/message.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { sendTestDeposit } from '@exchange/wire/deposit.ts';
import {
  askSupport,
  replySupport,
  supportChat,
  supportRequests,
  supportThread,
} from '@exchange/wire/support.ts';
import { askAboutTransfer, trackTransfers } from '@exchange/wire/tracking.ts';
import { demoLogin, userInfo } from '@exchange/wire/user.ts';
import { SUPPORT_MESSAGES_MAX } from '@exchange/core/support.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoParts } from '../../../testing/demo-parts.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operateAs } from '../../../testing/operators.ts';
import { ANSWERED, ASKED } from './words/demo-texts.ts';

const CHAT = 'https://chat.example/window?site=7';
const KEY = 'a key of the chat, long enough for it';
const QUESTION = { topic: 'deposit', content: 'Where is my deposit?' } as const;
const ANSWER = 'It has 7 of its 12 confirmations.';

interface Waiting {
  readonly id: string;
  readonly uid: string;
  readonly email: string;
  readonly content: string;
}

describe('customer service', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ settings: { CUSTOMER_SERVICE_URL: CHAT, CUSTOMER_SERVICE_KEY: KEY } });
  });
  afterAll(() => exchange.close());

  const operateAsOperator = (name: string, path: string, fields?: Record<string, string>) =>
    operateAs(exchange, name, path, fields && { reason: 'a test', ...fields });
  const waiting = async () =>
    ((await (await operateAsOperator('owner', '/ops/support/requests')).json()) as { requests: Waiting[] })
      .requests;
  const mailsTo = async (to: string) =>
    (
      await exchange.database.pool.query<{ text: string }>(
        `select body as text from mail_outbox where purpose = 'support' and recipient = $1`,
        [to],
      )
    ).rows;

  const aDemo = async () => {
    const { identity } = exchange.doors;
    return {
      trader: (await identity.ensureDemoTrader()).id,
      now: exchange.clock.now(),
      systemUser: (name: string) => identity.ensureSystemUser(name),
      person: (name: string, email: string) => identity.ensureDemoPerson(name, email),
      fund: () => Promise.resolve(),
      ...demoParts(),
    };
  };

  it('HELP-010 HELP-011 HELP-012 a user asks once, and an operator answers once, in the inbox and by mail', async () => {
    const trader = await exchange.aUser();
    const question = { ...QUESTION, clientId: 'one' } as const;
    const { id } = await trader.request(askSupport, question);
    expect((await trader.request(askSupport, question)).id).toBe(id);
    expect(await trader.call(askSupport, { ...question, content: 'Another' })).toMatchObject({
      errKey: 'l.duplicate_key',
    });
    const { uid } = await trader.request(userInfo);
    expect((await waiting()).filter((request) => request.uid === uid)).toEqual([
      expect.objectContaining({ id, email: trader.email, content: QUESTION.content, locale: 'en-US' }),
    ]);
    expect(
      (await operateAsOperator('owner', `/ops/support/requests/${id}/answer`, { answer: ' ' })).status,
    ).toBe(400);
    expect(
      (await operateAsOperator('owner', `/ops/support/requests/${id}/answer`, { answer: ANSWER })).status,
    ).toBe(200);
    const again = await operateAsOperator('owner', `/ops/support/requests/${id}/answer`, {
      answer: 'Something else',
    });
    expect(await again.json()).toMatchObject({ key: 'l.support_decided' });
    const { list } = await trader.request(supportRequests, {});
    expect(list).toEqual([expect.objectContaining({ id, status: 2, answer: ANSWER, topic: 'deposit' })]);
    const inbox = (await trader.request(messagePage, {})).list;
    const message = inbox.find(({ title }) => title === 'Customer service has replied');
    const { content } = await trader.request(messageDetail, { id: message!.id });
    expect(content).toBe(`${ANSWER}\n\nYou wrote:\n${QUESTION.content}`);
    expect((await mailsTo(trader.email)).map(({ text }) => text.includes(ANSWER))).toEqual([true]);
  });

  it('HELP-010 a visitor provides an address; nobody sends more than five requests an hour', async () => {
    expect(await exchange.call(askSupport, QUESTION)).toMatchObject({ errKey: 'l.email_invalid' });
    const visitor = { ...QUESTION, email: ' Visitor@Example.com' };
    for (let count = 0; count < 5; count += 1)
      expect((await exchange.call(askSupport, { ...visitor, clientId: `v${count}` })).code).toBe(1);
    expect(await exchange.call(askSupport, { ...visitor, clientId: 'v5' })).toMatchObject({
      errKey: 'l.support_wait',
      data: { limit: '5' },
    });
    // A signed-in user has a request limit apart from that of visitors, and does not see the requests of visitors.
    const trader = await exchange.aUser();
    expect((await trader.call(askSupport, QUESTION)).code).toBe(1);
    expect((await trader.request(supportRequests, {})).totalRow).toBe(1);
    exchange.clock.shift(HOUR_MS + MINUTE_MS);
    expect((await exchange.call(askSupport, { ...visitor, clientId: 'v5' })).code).toBe(1);
    const visitorRequests = (await waiting()).filter(({ email }) => email === 'visitor@example.com');
    expect(visitorRequests).toHaveLength(6);
    expect(
      (await operateAsOperator('owner', `/ops/support/requests/${visitorRequests[0]!.id}/close`, {})).status,
    ).toBe(200);
    expect(await mailsTo('visitor@example.com')).toEqual([]);
  });

  it('OPS-1164 OPS-1167 a user finds their transfers by amount and transaction, asks about one, and nobody else finds them', async () => {
    const trader = await exchange.aUser();
    const other = await exchange.aUser();
    const { txid } = await trader.request(sendTestDeposit, {
      currency: 'USDT',
      network: 'TRC20',
      amount: '20.75',
    });
    await exchange.doors.deposits.jobs.watch();
    const [open] = (await trader.request(trackTransfers, {})).list;
    expect(open).toMatchObject({
      kind: 'deposit',
      currency: 'USDT',
      amount: '20.75',
      txid,
      stage: 'confirming',
      handler: 'network',
      late: 0,
    });
    for (const query of [txid, ` ${txid.toUpperCase()} `, '20.7', '20', open!.id]) {
      expect((await trader.request(trackTransfers, { query })).list.map(({ id }) => id)).toEqual([open!.id]);
      expect((await other.request(trackTransfers, { query })).list).toEqual([]);
    }
    for (const query of ['20.8', '2', 'nothing of mine'])
      expect((await trader.request(trackTransfers, { query })).list).toEqual([]);
    expect((await exchange.call(trackTransfers, {})).code).toBe(-2);

    const question = { transferKind: 'deposit', id: open!.id, content: 'When?', clientId: 'ask' } as const;
    const asked = await trader.request(askAboutTransfer, question);
    expect(await trader.request(askAboutTransfer, question)).toEqual(asked);
    expect(await trader.call(askAboutTransfer, { ...question, clientId: 'again' })).toMatchObject({
      errKey: 'l.support_pending',
      data: { number: String(asked.number) },
    });
    for (const [asker, kind] of [
      [other, 'deposit'],
      [trader, 'withdrawal'],
    ] as const)
      expect(
        await asker.call(askAboutTransfer, { ...question, transferKind: kind, clientId: kind }),
      ).toMatchObject({ errKey: 'l.not_found' });
    const ticket = { id: asked.id, number: asked.number, status: 1 };
    expect((await trader.request(trackTransfers, {})).list[0]).toMatchObject({ ticket });
    expect((await waiting()).find(({ id }) => id === asked.id)).toMatchObject({
      number: asked.number,
      about: 'deposit',
      aboutId: open!.id,
      topic: 'deposit',
    });
    await operateAsOperator('owner', `/ops/support/requests/${asked.id}/answer`, { answer: ANSWER });
    const next = await trader.request(askAboutTransfer, { ...question, clientId: 'next' });
    expect(next.number).toBeGreaterThan(asked.number);
    expect((await trader.request(trackTransfers, {})).list[0]).toMatchObject({
      ticket: { id: next.id, status: 1 },
    });
  });

  it('OPS-1173 OPS-1174 OPS-1175 both sides write to each other about a request, and notes stay with operators', async () => {
    const trader = await exchange.aUser();
    const other = await exchange.aUser();
    const { id, number } = await trader.request(askSupport, QUESTION);
    const request = `/ops/support/requests/${id}`;
    const write = async (path: string, answer: string) =>
      (await (await operateAsOperator('owner', path, { answer })).json()) as { key?: string };
    const reply = (content: string, clientId: string) => ({ id, content, clientId });
    const note = await operateAsOperator('approver', `${request}/note`, { reason: 'NOTE seen before' });
    expect(note.status).toBe(200);
    await write(`${request}/answer`, ANSWER);
    const second = reply('And now?', 'second');
    await trader.request(replySupport, second);
    await trader.request(replySupport, second);
    expect((await waiting()).find((row) => row.id === id)).toMatchObject({
      number,
      content: 'And now?',
      status: 'waiting',
      messages: 3,
      notes: 1,
    });
    await write(`${request}/answer`, 'All of them.');
    expect((await write(`${request}/answer`, 'Twice.')).key).toBe('l.support_decided');
    const followUp = `/ops/support/decided/${id}/answer`;
    expect((await write(followUp, 'It is credited.')).key).toBeUndefined();
    const decided = await operateAsOperator('owner', '/ops/support/decided');
    expect(((await decided.json()) as { requests: object[] }).requests[0]).toMatchObject({
      id,
      status: 'answered',
    });

    const thread = await trader.request(supportThread, { id });
    expect(thread).toMatchObject({ number, status: 2, canReply: 1 });
    expect(thread.list.map(({ isOwn, content }) => [isOwn, content])).toEqual([
      [1, QUESTION.content],
      [0, ANSWER],
      [1, 'And now?'],
      [0, 'All of them.'],
      [0, 'It is credited.'],
    ]);
    const seen = await operateAsOperator('owner', `${request}/thread`);
    const { messages } = (await seen.json()) as { messages: { author: string; by: string | null }[] };
    expect(messages.map(({ author }) => author)).toEqual([
      'customer',
      'note',
      'support',
      'customer',
      'support',
      'support',
    ]);
    expect(messages[1]).toMatchObject({ by: 'approver', content: 'NOTE seen before' });
    // Neither operators' notes nor the names of operators appear in what the customer can read.
    const told = JSON.stringify([
      thread,
      await trader.request(supportRequests, {}),
      await trader.request(messagePage, {}),
      await mailsTo(trader.email),
    ]);
    expect(told).not.toMatch(/NOTE|approver|owner/);
    expect((await mailsTo(trader.email)).every(({ text }) => text.includes(`#${number}`))).toBe(true);

    for (const call of [other.call(supportThread, { id }), other.call(replySupport, reply('Mine?', 'other'))])
      expect(await call).toMatchObject({ errKey: 'l.not_found' });
    for (const key of ['a', 'b', 'c', 'd']) await trader.request(replySupport, reply(key, key));
    expect(await trader.call(replySupport, reply('e', 'e'))).toMatchObject({ errKey: 'l.support_wait' });
    expect((await operateAsOperator('owner', `${request}/close`, {})).status).toBe(200);
    exchange.clock.shift(HOUR_MS + MINUTE_MS);
    expect(await trader.call(replySupport, reply('f', 'f'))).toMatchObject({ errKey: 'l.support_closed' });
    // After an operator's follow-up to a closed request, the customer can reply for 30 days.
    await write(followUp, 'One more thing.');
    const old = 'update support_request set decided_at = decided_at - $1 where id = $2';
    await exchange.database.pool.query(old, [30 * DAY_MS, id]);
    expect((await trader.request(supportThread, { id })).canReply).toBe(0);
    expect(await trader.call(replySupport, reply('g', 'g'))).toMatchObject({ errKey: 'l.support_closed' });
  });

  it('HELP-019 a conversation with the maximum number of messages says that nobody can reply; notes do not count', async () => {
    const trader = await exchange.aUser();
    const { id } = await trader.request(askSupport, QUESTION);
    const add = (author: number, count: number) =>
      exchange.database.pool.query(
        `insert into support_message (request, author, content, written_by, created_at)
         select $1, $2::smallint, 'text', case when $2::smallint = 1 then null else 'owner' end, 1 from generate_series(1, $3)`,
        [id, author, count],
      );
    const canReply = async () => {
      const { list } = await trader.request(supportRequests, {});
      const thread = await trader.request(supportThread, { id });
      return [list[0]?.canReply, thread.canReply];
    };
    await add(3, SUPPORT_MESSAGES_MAX);
    await add(1, SUPPORT_MESSAGES_MAX - 1);
    expect(await canReply()).toEqual([1, 1]);
    await trader.request(replySupport, { id, content: 'The last one.', clientId: 'last' });
    expect(await canReply()).toEqual([0, 0]);
    const further = { id, content: 'One more.', clientId: 'further' };
    expect(await trader.call(replySupport, further)).toMatchObject({ errKey: 'l.support_closed' });
  });

  it('HELP-013 the chat gets the signed uid of a signed-in user, and may be embedded', async () => {
    expect((await exchange.call(supportChat)).data).toEqual({ url: CHAT });
    expect((await exchange.call(parameter, { paramName: 'customer_service_url' })).data.valueName).toBe(CHAT);
    const trader = await exchange.aUser();
    const { searchParams } = new URL((await trader.request(supportChat)).url);
    const parameters = Object.fromEntries(searchParams) as Record<'uid' | 'expires' | 'signature', string>;
    expect(parameters.uid).toBe((await trader.request(userInfo)).uid);
    const expected = createHmac('sha256', KEY)
      .update(`${parameters.uid}.${parameters.expires}`)
      .digest('hex');
    expect(parameters.signature).toBe(expected);
    expect(JSON.stringify(parameters)).not.toContain(trader.token);
    expect(Number(parameters.expires)).toBeGreaterThan(exchange.clock.now());
    const page = await fetch(`${exchange.url}/main`);
    expect(page.headers.get('content-security-policy')).toContain('frame-src https://chat.example');
  });

  it('HELP-014 a demo started by another version creates no second request, whatever the first one was', async () => {
    const { support } = exchange.doors;
    const demo = await aDemo();
    await support.seed(demo);
    const count = async () =>
      (await exchange.database.pool.query<{ count: string }>('select count(*) from support_request')).rows;
    const countBefore = await count();
    await exchange.database.pool.query(`update support_request set content = 'What it asked before.'`);
    await support.seed(demo);
    expect(await count()).toEqual(countBefore);
  });

  it('HELP-016 the demo trader reads question, answer and inbox in each language, and unknown texts unchanged', async () => {
    const { support, demoTexts } = exchange.doors;
    const demo = await aDemo();
    const { trader } = demo;
    await support.seed(demo);
    demoTexts.setTrader(trader);
    const { pool } = exchange.database;
    const changed = 'update support_request set content = $1 where owner = $2';
    await pool.query(changed, [ASKED['en-US'], trader]);
    const { token } = (await exchange.call(demoLogin)).data;
    for (const locale of LOCALES) {
      const options = { token, headers: { 'x-lang': locale } };
      const { list } = (await exchange.call(supportRequests, {}, options)).data;
      expect(list).toEqual([expect.objectContaining({ content: ASKED[locale], answer: ANSWERED[locale] })]);
      const inbox = (await exchange.call(messagePage, {}, options)).data.list;
      const contents = await Promise.all(
        inbox.map(async ({ id }) => (await exchange.call(messageDetail, { id }, options)).data.content),
      );
      expect(contents.filter((content) => content.includes(ANSWERED[locale]))).toHaveLength(1);
    }
    await pool.query(changed, ['What it asked before.', trader]);
    const options = { token, headers: { 'x-lang': 'zh-CN' } };
    const { list } = (await exchange.call(supportRequests, {}, options)).data;
    expect(list).toEqual([expect.objectContaining({ content: 'What it asked before.' })]);
  });
});
