import { createHmac } from 'node:crypto';
import { LOCALES } from '@exchange/core/locale.ts';
import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { messageDetail, messagePage } from '@exchange/wire/message.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { askSupport, supportChat, supportRequests } from '@exchange/wire/support.ts';
import { demoLogin, userInfo } from '@exchange/wire/user.ts';
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

  const as = (name: string, path: string, fields?: Record<string, string>) =>
    operateAs(exchange, name, path, fields && { reason: 'a test', ...fields });
  const waiting = async () =>
    ((await (await as('owner', '/ops/support/requests')).json()) as { requests: Waiting[] }).requests;
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

  it('HELP-010 HELP-011 HELP-012 somebody asks once, an operator answers once, in the inbox and by mail', async () => {
    const trader = await exchange.aUser();
    const sent = { ...QUESTION, clientId: 'one' } as const;
    const { id } = await trader.ask(askSupport, sent);
    expect((await trader.ask(askSupport, sent)).id).toBe(id);
    expect(await trader.call(askSupport, { ...sent, content: 'Another' })).toMatchObject({
      errKey: 'l.duplicate_key',
    });
    const { uid } = await trader.ask(userInfo);
    expect((await waiting()).filter((one) => one.uid === uid)).toEqual([
      expect.objectContaining({ id, email: trader.email, content: QUESTION.content, locale: 'en-US' }),
    ]);
    expect((await as('owner', `/ops/support/requests/${id}/answer`, { answer: ' ' })).status).toBe(400);
    expect((await as('owner', `/ops/support/requests/${id}/answer`, { answer: ANSWER })).status).toBe(200);
    const again = await as('owner', `/ops/support/requests/${id}/answer`, { answer: 'Something else' });
    expect(await again.json()).toMatchObject({ key: 'l.support_decided' });
    const { list } = await trader.ask(supportRequests, {});
    expect(list).toEqual([expect.objectContaining({ id, status: 2, answer: ANSWER, topic: 'deposit' })]);
    const inbox = (await trader.ask(messagePage, {})).list;
    const message = inbox.find(({ title }) => title === 'Customer service has replied');
    const { content } = await trader.ask(messageDetail, { id: message!.id });
    expect(content).toBe(`${ANSWER}\n\nYou wrote:\n${QUESTION.content}`);
    expect((await mailsTo(trader.email)).map(({ text }) => text.includes(ANSWER))).toEqual([true]);
  });

  it('HELP-010 a visitor names an address; nobody sends more than five an hour', async () => {
    expect(await exchange.call(askSupport, QUESTION)).toMatchObject({ errKey: 'l.email_invalid' });
    const visitor = { ...QUESTION, email: ' Visitor@Example.com' };
    for (let turn = 0; turn < 5; turn += 1)
      expect((await exchange.call(askSupport, { ...visitor, clientId: `v${turn}` })).code).toBe(1);
    expect(await exchange.call(askSupport, { ...visitor, clientId: 'v5' })).toMatchObject({
      errKey: 'l.support_wait',
      data: { limit: '5' },
    });
    // Whoever is signed in has five of their own, and sees nothing of others.
    const trader = await exchange.aUser();
    expect((await trader.call(askSupport, QUESTION)).code).toBe(1);
    expect((await trader.ask(supportRequests, {})).totalRow).toBe(1);
    exchange.clock.shift(HOUR_MS + MINUTE_MS);
    expect((await exchange.call(askSupport, { ...visitor, clientId: 'v5' })).code).toBe(1);
    const mine = (await waiting()).filter(({ email }) => email === 'visitor@example.com');
    expect(mine).toHaveLength(6);
    expect((await as('owner', `/ops/support/requests/${mine[0]!.id}/close`, {})).status).toBe(200);
    expect(await mailsTo('visitor@example.com')).toEqual([]);
  });

  it('HELP-013 the chat is given the uid, signed, of somebody who is signed in, and may stand in a frame', async () => {
    expect((await exchange.call(supportChat)).data).toEqual({ url: CHAT });
    expect((await exchange.call(parameter, { paramName: 'customer_service_url' })).data.valueName).toBe(CHAT);
    const trader = await exchange.aUser();
    const { searchParams } = new URL((await trader.ask(supportChat)).url);
    const given = Object.fromEntries(searchParams) as Record<'uid' | 'expires' | 'signature', string>;
    expect(given.uid).toBe((await trader.ask(userInfo)).uid);
    const expected = createHmac('sha256', KEY).update(`${given.uid}.${given.expires}`).digest('hex');
    expect(given.signature).toBe(expected);
    expect(JSON.stringify(given)).not.toContain(trader.token);
    expect(Number(given.expires)).toBeGreaterThan(exchange.clock.now());
    const page = await fetch(`${exchange.url}/main`);
    expect(page.headers.get('content-security-policy')).toContain('frame-src https://chat.example');
  });

  it('HELP-014 a demo that another version began asks nothing again, whatever that version had it ask', async () => {
    const { support } = exchange.doors;
    const demo = await aDemo();
    await support.seed(demo);
    const count = async () =>
      (await exchange.database.pool.query<{ count: string }>('select count(*) from support_request')).rows;
    const asked = await count();
    await exchange.database.pool.query(`update support_request set content = 'What it asked before.'`);
    await support.seed(demo);
    expect(await count()).toEqual(asked);
  });

  it('HELP-016 the trader of a demo reads question, answer and inbox in each language, and a text of another version as it is', async () => {
    const { support, demoTexts } = exchange.doors;
    const demo = await aDemo();
    const { trader } = demo;
    await support.seed(demo);
    demoTexts.begin(trader);
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
