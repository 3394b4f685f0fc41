import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { collectingLog } from '../../../testing/edge.ts';
import { systemClock } from '../clock.ts';
import { databaseOver, type Database } from '../database/database.ts';
import { JobRunner } from '../jobs/jobs.ts';
import { systemRandom } from '../secrets/random.ts';
import { SmtpTransport } from './transport.ts';
import { devMailPages } from './dev-pages.ts';
import { MailOutbox, type MailMessage } from './mail.ts';

const LETTER: MailMessage = {
  to: 'someone@example.com',
  purpose: 'code.login',
  subject: 'Amethyst 验证码：123456',
  text: '您用于登录的验证码：\n\n123456\n\n<b>&</b>\n',
  code: '123456',
};

describe('the outbox', () => {
  let testDb: TestDatabase;
  let database: Database;
  const received: string[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const isRefused = refusals > 0;
        refusals = Math.max(0, refusals - 1);
        if (!isRefused) received.push(Buffer.concat(chunks).toString());
        done(isRefused ? Object.assign(new Error('busy'), { responseCode: 451 }) : null);
      });
    },
  });
  const running: { stop(): Promise<void> | void }[] = [];

  beforeAll(async () => {
    testDb = await testDatabase();
    database = databaseOver(testDb.pool);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
  });
  afterEach(async () => {
    for (const part of running.splice(0)) await part.stop();
    received.length = 0;
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => server.close(resolve));
    await testDb.drop();
  });

  const outboxWith = async (keepsWords: boolean) => {
    const jobs = new JobRunner({ connection: testDb.connection, database, log: collectingLog() });
    const { port } = server.server.address() as AddressInfo;
    const transport = new SmtpTransport({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Amethyst <no-reply@amethyst.example>',
    });
    const outbox = new MailOutbox({
      database,
      clock: systemClock,
      random: systemRandom,
      jobs,
      transport,
      keepsWords,
    });
    jobs.start();
    running.push(jobs, { stop: () => transport.close() });
    return outbox;
  };
  const stored = async () =>
    (
      await testDb.pool.query(
        'select status, subject, body, code, attempts from mail_outbox order by number desc limit 1',
      )
    ).rows[0];

  it('ID-070 an email is sent after the commit, in any script, and in live mode its text is then removed', async () => {
    const outbox = await outboxWith(false);
    await database.transaction((tx) => outbox.write(tx, LETTER));
    await eventually(() => expect(received).toHaveLength(1));
    const [source = ''] = received;
    expect(subjectOf(source)).toBe(LETTER.subject);
    expect(source).toMatch(/^To: someone@example\.com\r$/m);
    expect(source).toMatch(/^Message-ID: <[0-9a-f-]{36}@amethyst\.example>\r$/m);
    expect(Buffer.from(bodyOf(source), 'base64').toString()).toContain('您用于登录的验证码');
    await eventually(async () =>
      expect(await stored()).toEqual({ status: 'sent', subject: '', body: '', code: null, attempts: 1 }),
    );
  });

  it('ID-076 urgent emails are sent before all waiting ones, and alerts after them', async () => {
    const idle = new JobRunner({ connection: testDb.connection, database, log: collectingLog() });
    const transport = { send: () => Promise.resolve(), close: () => undefined };
    const outbox = new MailOutbox({
      database,
      clock: systemClock,
      random: systemRandom,
      jobs: idle,
      transport,
      keepsWords: true,
    });
    const emails = [...Array<'last'>(6).fill('last'), undefined, undefined, 'first', 'first'] as const;
    for (const [n, order] of emails.entries()) {
      const message = { ...LETTER, to: `${order ?? 'usual'}.${n}@example.com`, ...(order && { order }) };
      await database.transaction((tx) => outbox.write(tx, message));
    }
    await outboxWith(true);
    await eventually(() => expect(received).toHaveLength(emails.length));
    const kinds = received.map((source) => /^To: (\w+)\./m.exec(source)?.[1]);
    // The test also accepts two consecutive mails in either order, as if two mail jobs ran at a time.
    expect(kinds.slice(0, 3)).toContain('first');
    expect(kinds.indexOf('usual')).toBeLessThan(kinds.indexOf('last') + 2);
    expect(kinds.slice(-4)).toEqual(Array(4).fill('last'));
  });

  it('ID-071 an email is never sent when its transaction fails', async () => {
    const outbox = await outboxWith(true);
    const failed = database.transaction(async (tx) => {
      await outbox.write(tx, { ...LETTER, to: 'rolled.back@example.com' });
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    await database.transaction((tx) => outbox.write(tx, { ...LETTER, to: 'after@example.com' }));
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]).toContain('after@example.com');
  });

  it('ID-072 sending the same message is retried when the mail server refuses it', async () => {
    const outbox = await outboxWith(true);
    refusals = 1;
    await database.transaction((tx) => outbox.write(tx, { ...LETTER, to: 'again@example.com' }));
    await eventually(() => expect(received).toHaveLength(1));
    expect(await eventually(stored)).toMatchObject({ attempts: 2 });
  });

  it('EDGE-201 health shows number, age and reason of unsent mail without addresses, and is up again once a mail was sent', async () => {
    await testDb.pool.query('delete from mail_outbox');
    const clock = new FakeClock(systemClock.now());
    let isFailing = true;
    const transport = {
      send: () =>
        isFailing
          ? Promise.reject(Object.assign(new Error('550 <x@example.com> no'), { responseCode: 550 }))
          : Promise.resolve(),
      close: () => undefined,
    };
    const jobs = new JobRunner({ connection: testDb.connection, database, log: collectingLog() });
    const outbox = new MailOutbox({
      database,
      clock,
      random: systemRandom,
      jobs,
      transport,
      keepsWords: true,
    });
    expect(await outbox.health()).toEqual({
      isUp: true,
      facts: { waiting: 0, lastSent: 'none since the start' },
    });
    await database.transaction((tx) => outbox.write(tx, { ...LETTER, to: 'x@example.com' }));
    jobs.start();
    running.push(jobs);
    await eventually(async () =>
      expect((await outbox.health()).facts).toHaveProperty('failure', 'it refuses the mail (SMTP 550)'),
    );
    expect((await outbox.health()).isUp).toBe(true);
    // An outbox that is started later reads the failure from the database.
    const restarted = new MailOutbox({
      database,
      clock,
      random: systemRandom,
      transport,
      keepsWords: true,
      jobs: new JobRunner({
        connection: testDb.connection,
        database,
        log: collectingLog(),
      }),
    });
    // The failure may be stored later than the first outbox reports it from memory, so the test waits.
    await eventually(async () =>
      expect((await restarted.health()).facts).toHaveProperty('failure', 'it refuses the mail (SMTP 550)'),
    );
    clock.advance(5 * 60_000 + 1);
    const { isUp, reason, facts } = await outbox.health();
    expect([isUp, facts?.['waiting']]).toEqual([false, 1]);
    expect(reason).toBe(
      '1 mail waits, the oldest for 5 minutes; the mail server last failed: it refuses the mail (SMTP 550)',
    );
    expect(JSON.stringify([reason, facts])).not.toContain('example.com');
    isFailing = false;
    await database.transaction((tx) => outbox.write(tx, { ...LETTER, to: 'y@example.com' }));
    await eventually(async () => expect((await outbox.health()).isUp).toBe(true));
    // An outbox also counts mails that another process has sent, such as a worker.
    await eventually(async () => expect((await restarted.health()).isUp).toBe(true));
    const many = `insert into mail_outbox (id, recipient, purpose, subject, body, status, created_at)
      select gen_random_uuid(), 'z@example.com', 'test', '', '', 'waiting', $1 from generate_series(1, 100)`;
    await testDb.pool.query(many, [clock.now() - 6 * 60_000]);
    expect((await outbox.health()).isUp).toBe(false);
    await testDb.pool.query('delete from mail_outbox');
  });

  it('ID-073 live mode does not start without a mail server', () => {
    const jobs = new JobRunner({ connection: testDb.connection, database, log: collectingLog() });
    const deps = { database, clock: systemClock, random: systemRandom, jobs, transport: undefined };
    expect(() => new MailOutbox({ ...deps, keepsWords: false })).toThrow('SMTP_URL');
  });

  it('ID-074 the demo’s mailbox shows the newest 50 emails, optionally of one address, as page and as JSON', async () => {
    const jobs = new JobRunner({ connection: testDb.connection, database, log: collectingLog() });
    const outbox = new MailOutbox({
      database,
      clock: systemClock,
      random: systemRandom,
      jobs,
      transport: undefined,
      keepsWords: true,
    });
    for (let n = 0; n < 55; n += 1) {
      const message = {
        ...LETTER,
        to: n % 2 === 0 ? 'even@example.com' : 'odd@example.com',
        subject: `<i>${n}</i>`,
      };
      await database.transaction((tx) => outbox.write(tx, message));
    }
    const [page, json] = devMailPages(outbox);
    const all = await json?.serve(new URLSearchParams());
    expect(JSON.parse(all?.body ?? '').list).toHaveLength(50);
    const odd = await json?.serve(new URLSearchParams({ to: ' ODD@example.com' }));
    const { list } = JSON.parse(odd?.body ?? '') as { list: unknown[] };
    expect(list).toHaveLength(27);
    expect(list[0]).toEqual({
      to: 'odd@example.com',
      subject: '<i>53</i>',
      text: LETTER.text,
      code: '123456',
      createTime: expect.any(Number),
    });
    expect(JSON.parse((await json?.serve(new URLSearchParams({ to: 'nobody' })))?.body ?? '').list).toEqual(
      [],
    );
    const html = await page?.serve(new URLSearchParams({ to: '"><script>' }));
    expect(html?.body).not.toMatch(/<script|<i>|<b>/);
    expect((await page?.serve(new URLSearchParams()))?.body).toContain('&lt;i&gt;54&lt;/i&gt;');
  });
});

function subjectOf(source: string): string {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(source)?.[1] ?? '';
  return folded
    .split(/\r\n[ \t]/)
    .map((word) => /^=\?UTF-8\?(.)\?(.*)\?=$/i.exec(word.trim()))
    .map((match) => decodeWord(match?.[1] ?? '', match?.[2] ?? ''))
    .join('');
}

function decodeWord(encoding: string, word: string): string {
  if (encoding.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString();
  const bytes = word.replaceAll('_', ' ').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes);
}

function bodyOf(source: string): string {
  return source.slice(source.indexOf('\r\n\r\n') + 4);
}
