import * as message from '@exchange/wire/message.ts';
import * as parameter from '@exchange/wire/parameter.ts';
import { login } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anAddress } from '../../../testing/calling.ts';
import { passwordChanged } from '../identity/index.ts';
import {
  collectingFeed,
  identityHouse,
  type IdentityHouse,
  type TestUser,
} from '../identity/testing/identity-fixture.ts';
import { DemoTexts } from '../../platform/demo-texts.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { createParameters } from '../parameters/index.ts';
import { financeMessages } from '../finance/words/messages.ts';
import { fundMessages } from '../fund/words/messages.ts';
import { miningMessages } from '../mining/words/messages.ts';
import { createMessages, type Message, type Messages } from './index.ts';

const { financeIncome } = financeMessages.kinds;
const { miningIncome } = miningMessages.kinds;

const FACTS = {
  mode: 'demo',
  showsMail: true,
  passkeyDomain: 'localhost',
  version: '9.9.9',
} as const;

describe('the inbox', () => {
  let house: IdentityHouse;
  let messages: Messages;
  const feed = collectingFeed();
  beforeAll(async () => {
    house = await identityHouse((parts) => {
      messages = createMessages({ ...parts, feed, mail: parts.outbox, demoTexts: new DemoTexts([]) });
      messages.declare([financeMessages, fundMessages, miningMessages]);
      return [...messages.routes, ...createParameters({ ...parts, ...FACTS }).routes];
    });
  });
  afterAll(() => house.close());

  const count = async (user: TestUser) =>
    (await house.call(message.messageCount, {}, { token: user.token })).data.count;
  const aReader = async () => {
    const user = await house.aUser();
    // The server writes the welcome message after it has answered the registration, then publishes the count.
    const rung = { topic: 'notice', userId: user.userId, data: { count: 1 } };
    await eventually(async () => expect(feed.sent).toContainEqual(rung));
    return user;
  };

  it('MSG-001 a new user finds a welcome message, in the language of each request', async () => {
    const user = await aReader();
    const page = await house.call(message.messagePage, {}, { token: user.token });
    expect(page.data).toMatchObject({
      totalRow: 1,
      sum: 1,
      list: [{ title: 'Welcome to Amethyst', type: 1, readFlag: 0, createTime: house.clock.now() }],
    });
    const chinese = await house.call(message.messagePage, {}, { token: user.token, language: 'zh-CN,zh' });
    expect(chinese.data.list[0]?.title).toBe('欢迎来到 Amethyst');
  });

  it('MSG-002 opening a message marks it as read, and the unread count is published at once', async () => {
    const user = await aReader();
    const { data } = await house.call(message.messagePage, {}, { token: user.token });
    const id = data.list[0]?.id ?? '';
    feed.sent.length = 0;
    const detail = await house.call(message.messageDetail, { id }, { token: user.token });
    expect(detail.data).toMatchObject({
      id,
      readFlag: 1,
      content: expect.stringContaining('trade password'),
    });
    expect(await count(user)).toBe(0);
    expect(feed.sent).toEqual([{ topic: 'notice', userId: user.userId, data: { count: 0 } }]);
    const unread = await house.call(message.messagePage, { readFlag: '0' }, { token: user.token });
    expect(unread.data).toMatchObject({ list: [], totalRow: 0 });
  });

  it('ID-133 a user who signs in after an agreement changed is notified once, and sign-in works as before', async () => {
    const [current, outdated, unknown] = [await aReader(), await aReader(), await aReader()];
    const { pool } = house.testDatabase;
    await pool.query('alter table account_agreement disable trigger account_agreement_append_only');
    await pool.query(`update account_agreement set version = '1' where user_id = $1 and name = 'privacy'`, [
      outdated.userId,
    ]);
    await pool.query('delete from account_agreement where user_id = $1', [unknown.userId]);
    await pool.query('alter table account_agreement enable trigger account_agreement_append_only');
    const titles = async ({ token }: TestUser) => {
      const { data } = await house.call(message.messagePage, {}, { token });
      return data.list.map(({ title }) => title).filter((title) => title.startsWith('User agreement'));
    };
    for (const user of [outdated, unknown, current, outdated]) {
      const code = await house.codeFor(user.email, 'login');
      const fields = { account: user.email, code, password: user.password };
      expect((await house.call(login, fields, { address: anAddress() })).code).toBe(1);
      const expectedCount = user === current ? 0 : 1;
      await eventually(async () => expect(await titles(user)).toHaveLength(expectedCount));
      house.clock.pass(60_000);
    }
    for (const user of [outdated, unknown])
      expect(await titles(user)).toEqual(['User agreement and privacy policy updated']);
    expect(await titles(current)).toEqual([]);
  });

  it('MSG-003 another user’s message is not found, whatever the action', async () => {
    const [owner, otherUser] = [await aReader(), await aReader()];
    const { data } = await house.call(message.messagePage, {}, { token: owner.token });
    const id = data.list[0]?.id ?? '';
    const answers = [
      await house.call(message.messageDetail, { id }, { token: otherUser.token }),
      await house.call(message.readMessages, { id }, { token: otherUser.token }),
      await house.call(message.messageDetail, { id: otherUser.userId }, { token: otherUser.token }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, errKey: 'l.not_found' });
    expect(await count(owner)).toBe(1);
  });

  it('MSG-004 messages are marked as read one by one or all at once, and pages contain what was requested', async () => {
    const user = await aReader();
    const { clock, database } = house;
    for (let n = 0; n < 12; n += 1) {
      clock.pass(1_000);
      await database.transaction((tx) =>
        messages.send(tx, [
          {
            userId: user.userId as Parameters<Messages['announce']>[0],
            message: {
              type: n % 2 === 0 ? 'trade' : 'asset',
              kind: 'newDevice',
              parameters: { device: `device ${n}`, address: '203.0.113.1', time: 'now' },
            },
          },
        ]),
      );
    }
    const second = await house.call(message.messagePage, { pageNo: '2' }, { token: user.token });
    expect(second.data.list.map((item) => item.summary)).toEqual([
      'device 1, 203.0.113.1',
      'device 0, 203.0.113.1',
      'Your account is ready. Three steps make it safer.',
    ]);
    const trades = await house.call(message.messagePage, { type: '2', pageSize: '3' }, { token: user.token });
    expect(trades.data).toMatchObject({ totalRow: 6, pageSize: 3 });
    expect(trades.data.list.map((item) => item.type)).toEqual([2, 2, 2]);
    const id = trades.data.list[0]?.id ?? '';
    expect((await house.call(message.readMessages, { id }, { token: user.token })).data).toEqual({
      count: 12,
    });
    expect((await house.call(message.readMessages, {}, { token: user.token })).code).toBe(-1);
    house.clock.pass(2_000);
    expect((await house.call(message.readMessages, { all: '1' }, { token: user.token })).data).toEqual({
      count: 0,
    });
  });

  it('MSG-005 a sign-in on a new device and a password change appear in the inbox', async () => {
    const user = await aReader();
    const { login } = await import('@exchange/wire/user.ts');
    const code = await house.codeFor(user.email, 'login');
    await house.call(
      login,
      { account: user.email, code, password: user.password, deviceId: 'phone-1' },
      { address: anAddress() },
    );
    await eventually(async () => expect(await count(user)).toBe(2));
    const { data } = await house.call(message.messagePage, {}, { token: user.token });
    expect(data.list[0]).toMatchObject({ title: 'New login', type: 1 });
  });

  it('PKY-016 the message about a password reset names the passkeys that the account has, if there are any', async () => {
    const user = await aReader();
    const { clock, events } = house;
    for (const passkeys of [undefined, 'Phone (2026-03-01 14:05 UTC)']) {
      const fact = { userId: user.userId, at: clock.now(), byReset: true, holdUntil: clock.now(), passkeys };
      const before = await count(user);
      events.publish([{ name: passwordChanged.name, fact }]);
      await eventually(async () => expect(await count(user)).toBe(before + 1));
      clock.pass(1_000);
    }
    const { list } = (await house.call(message.messagePage, {}, { token: user.token })).data;
    const contents = await Promise.all(
      list.slice(0, 2).map(async ({ id }) => {
        const detail = await house.call(message.messageDetail, { id }, { token: user.token });
        return detail.data.content;
      }),
    );
    expect(contents[0]).toContain('account:\nPhone (2026-03-01 14:05 UTC)\nIf you do not recognize one');
    expect(contents[1]).not.toMatch(/passkey|\{\{/);
  });

  const send = (user: TestUser, kind: Message['kind'], about?: string) =>
    house.database.transaction((tx) =>
      messages.send(tx, [
        {
          userId: user.userId as Parameters<Messages['announce']>[0],
          message: { type: 'asset', kind, parameters: { amount: '5', coin: 'USDT' } },
          ...(about === undefined ? {} : { about }),
        },
      ]),
    );
  const titles = async (user: TestUser) =>
    (await house.call(message.messagePage, {}, { token: user.token })).data.list.map(({ title }) => title);
  const mailed = async (user: TestUser) =>
    (await house.outbox.latest(user.email)).filter(({ code }) => code === undefined);

  it('MSG-044 messages sent together keep their order', async () => {
    const user = await aReader();
    const { fundBought, fundWarned, fundLiquidated } = fundMessages.kinds;
    const kinds = [fundBought, fundWarned, fundLiquidated, financeIncome, miningIncome];
    const addressed = kinds.map((kind) => ({
      userId: user.userId as Parameters<Messages['announce']>[0],
      message: { type: 'asset' as const, kind, parameters: {} },
    }));
    await house.database.transaction((tx) => messages.send(tx, addressed));
    // The welcome message is not compared, because its creation time, by which the list is sorted, may equal that of
    // other messages.
    const titles = (await house.call(message.messagePage, {}, { token: user.token })).data.list
      .map(({ title }) => title)
      .filter((title) => !title.startsWith('Welcome'));
    const patterns = [/^Mining income/, /^Interest/, /liquidated$/, /margin ratio/, /bought/];
    expect(titles).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)));
  });

  it('MSG-040 messages are deleted one by one or all read ones at once; sent ones are not sent again', async () => {
    const [user, otherUser] = [await aReader(), await aReader()];
    const about = newId(systemRandom, house.clock.now());
    await send(user, financeIncome, about);
    const { data } = await house.call(message.messagePage, {}, { token: user.token });
    const ids = data.list.map(({ id }) => id).join(',');
    expect((await house.call(message.messageCount, {}, { token: user.token })).data).toEqual({
      count: 2,
      byType: { 1: 1, 2: 0, 3: 1, 4: 0 },
    });
    await house.call(message.deleteMessages, { ids }, { token: otherUser.token });
    await house.call(message.deleteMessages, { all: '1' }, { token: user.token });
    expect(await titles(user)).toHaveLength(2);
    const income = data.list.find(({ type }) => type === 3)!.id;
    const left = await house.call(message.deleteMessages, { ids: income }, { token: user.token });
    expect(left.data).toEqual({ count: 1 });
    expect((await house.call(message.messageDetail, { id: income }, { token: user.token })).errKey).toBe(
      'l.not_found',
    );
    await send(user, financeIncome, about);
    expect(await titles(user)).toEqual(['Welcome to Amethyst']);
    await house.call(message.readMessages, { all: '1' }, { token: user.token });
    await house.call(message.deleteMessages, { all: '1' }, { token: user.token });
    expect(await titles(user)).toEqual([]);
    expect((await house.call(message.deleteMessages, {}, { token: user.token })).code).toBe(-1);
    const wrong = await house.call(message.deleteMessages, { ids: 'x,y' }, { token: user.token });
    expect(wrong.code).toBe(-1);
  });

  it('MSG-041 MSG-042 MSG-043 users choose what is delivered to inbox and mail; some channels are fixed', async () => {
    const user = await aReader();
    const choose = (topic: message.NoticeTopic, fields: { inbox?: '0' | '1'; mail?: '0' | '1' }) =>
      house.call(message.setMessageSetting, { topic, ...fields }, { token: user.token });
    await send(user, financeIncome);
    await send(user, 'depositCredited');
    expect(await titles(user)).toHaveLength(3);
    expect((await mailed(user)).map(({ subject }) => subject)).toEqual([
      '[Amethyst] Deposit credited: 5 USDT',
    ]);
    await choose('income', { inbox: '0', mail: '1' });
    await choose('transfers', { mail: '0' });
    const about = newId(systemRandom, house.clock.now());
    await send(user, financeIncome, about);
    await send(user, financeIncome, about);
    await send(user, 'depositCredited');
    expect(await titles(user)).toHaveLength(4);
    expect((await mailed(user)).map(({ subject }) => subject)).toEqual([
      '[Amethyst] Interest received: 5 USDT',
      '[Amethyst] Deposit credited: 5 USDT',
    ]);
    await choose('income', { mail: '0' });
    await send(user, miningIncome);
    expect([(await titles(user)).length, (await mailed(user)).length]).toEqual([4, 2]);
    for (const topic of ['account', 'risk', 'transfers'] as const)
      expect(await choose(topic, { inbox: '0' })).toMatchObject({ code: -1, errKey: 'l.notice_fixed' });
    expect(await choose('account', { mail: '0' })).toMatchObject({ code: -1, errKey: 'l.notice_fixed' });
    expect((await choose('risk', { inbox: '1' })).code).toBe(1);
  });

  it('MSG-010 public parameters are answered by name; any other name has an empty value', async () => {
    const readParameter = async (paramName: string) =>
      (await house.call(parameter.parameter, { paramName }, {})).data.valueName;
    expect(await readParameter('contract_fee_rate')).toBe('0');
    expect(await readParameter('customer_service_email')).toBe('support@amethyst.example');
    await house.testDatabase.pool.query(
      "insert into parameter values ('smtp_password', 'hunter2', false), ('signer_key', 'k', true)",
    );
    await house.testDatabase.pool.query(
      "update parameter set public = false where name = 'customer_service_url'",
    );
    for (const name of ['smtp_password', 'signer_key', 'customer_service_url', 'nothing', "x' or '1'='1"]) {
      expect(await readParameter(name)).toBe('');
    }
  });

  it('MSG-011 a page can request the mode, whether mail is shown, the clock and the version', async () => {
    const { data } = await house.call(parameter.serverInfo, {}, {});
    expect(data).toEqual({ ...FACTS, time: house.clock.now() });
  });
});
