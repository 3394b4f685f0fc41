import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { JobRunner } from '../../src/platform/jobs/jobs.ts';
import { MailOutbox } from '../../src/platform/mail/mail.ts';
import { rootDirectory } from '../../src/platform/root-directory.ts';
import { systemRandom } from '../../src/platform/secrets/random.ts';
import { workerJobs } from '../../src/worker-jobs.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { collectingLog } from '../edge.ts';
import { freePort } from '../free-port.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const TIMEOUT_MS = 300_000;
/** Milliseconds after which the mail server of the tests accepts a mail. */
const ACCEPTED_AFTER_MS = 200;
const MAILS = 8;

/** A mail server that collects the ids of mails, and accepts each mail after a pause or when the test releases it. */
class MailSink {
  /** The Message-IDs of the mails in the order of their arrival, before they are accepted. */
  readonly arrived: string[] = [];
  private held: (() => void)[] | undefined;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        this.arrived.push(/^Message-ID: <([0-9a-f-]+)@/m.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
        if (this.held === undefined) setTimeout(() => done(), ACCEPTED_AFTER_MS);
        else this.held.push(() => done());
      });
    },
  });

  async start(): Promise<string> {
    // A killed process breaks its connection, which is no error of the tests.
    this.server.on('error', () => undefined);
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Accepts no mail until the returned function is called. */
  hold(): () => void {
    this.held = [];
    return () => {
      for (const accept of this.held?.splice(0) ?? []) accept();
      this.held = undefined;
    };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

describe('workers beside a writer', () => {
  const sink = new MailSink();
  let exchange: TestExchange;
  let outbox: MailOutbox;
  let smtpUrl: string;
  const { guard } = guardedFolder();
  const processes: ServerProcess[] = [];
  let natsPort: number;

  beforeAll(async () => {
    requireBuiltServer();
    smtpUrl = await sink.start();
    natsPort = await freePort();
    // The exchange is a writer that leaves jobs to workers. Nothing connects to its NATS server, which does not exist.
    exchange = await anExchange({
      hasSystemClock: true,
      settings: {
        ROLE: 'writer',
        WORKERS: 'on',
        NATS_URL: 'nats://127.0.0.1:1',
        DATABASE_URL: 'postgres://db/exchange',
      },
    });
    await exchange.aUser({ BTC: '5', USDT: '500000' });
    const database = databaseOver(exchange.database.pool);
    const { connection } = exchange.database;
    const transport = { send: () => Promise.reject(new Error('a worker sends')), close: () => undefined };
    outbox = new MailOutbox({
      database,
      clock: systemClock,
      random: systemRandom,
      transport,
      keepsWords: true,
      // This job runner adds jobs and runs none.
      jobs: new JobRunner({ connection, database, log: collectingLog() }),
    });
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const server of processes) await server.close();
    await exchange.close();
    await sink.stop();
    await guard.cleanUp();
  }, TIMEOUT_MS);

  async function aWorker(): Promise<ServerProcess> {
    const own = guardedFolder();
    const secret = readFileSync(join(exchange.dataDirectory, 'secret.key'), 'utf8').trim();
    const server = await ServerProcess.prepare({
      databaseUrl: urlOf(withRuntimeRole(exchange.database.connection)),
      within: { dataDirectory: own.folder, guard: own.guard },
      settings: {
        ROLE: 'worker',
        NATS_URL: `nats://127.0.0.1:${natsPort}`,
        SERVER_SECRET: secret.split('\n').join(','),
        SMTP_URL: smtpUrl,
      },
    });
    processes.push(server);
    return server;
  }

  const write = (count: number) =>
    databaseOver(exchange.database.pool).transaction(async (tx) => {
      for (let n = 0; n < count; n += 1)
        await outbox.write(tx, { to: `u${n}@example.com`, purpose: 'test', subject: 'a', text: 'b' });
    });

  async function outboxRows() {
    const { rows } = await exchange.database.pool.query<{ id: string; status: string; attempts: number }>(
      `select id, status, attempts, sent_at from mail_outbox where purpose = 'test' order by number`,
    );
    return rows;
  }

  const healthOf = async ({ consoleUrl }: Pick<TestExchange, 'consoleUrl'>) =>
    (await (await fetch(`${consoleUrl}/health`)).json()) as {
      readonly status: string;
      readonly components: Readonly<Record<string, { readonly isUp: boolean; readonly reason?: string }>>;
    };

  it(
    'WRK-002 WRK-030 WRK-031 WRK-011 mails are sent by the leading worker, also when it is killed or suspended in the middle of one',
    { timeout: TIMEOUT_MS },
    async () => {
      expect((await healthOf(exchange)).components['worker']).toMatchObject({
        isUp: false,
        reason: 'no worker leads (none has led yet), so mails and pushes wait',
      });
      await write(MAILS);
      const [first, second] = [await aWorker(), await aWorker()];
      first.launch();
      await first.waitForLog('worker.leads');
      second.launch();
      await second.waitForLog('worker.waiting_as_standby');
      expect(await healthOf(second)).toMatchObject({ status: 'standby' });
      expect((await healthOf(exchange)).components['worker']).toMatchObject({ isUp: true });

      await eventually(() => expect(sink.arrived.length).toBeGreaterThan(2));
      await first.killServer();
      await second.waitForLog('worker.leads');
      await eventually(async () => {
        const rows = await outboxRows();
        expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: MAILS }, () => 'sent'));
      });
      const rows = await outboxRows();
      expect(new Set(sink.arrived)).toEqual(new Set(rows.map(({ id }) => id)));
      // Only the mail that the killed worker was sending may arrive twice, with the same Message-ID.
      expect(sink.arrived.length - MAILS).toBeLessThanOrEqual(1);

      first.launch();
      await first.waitForLog('worker.waiting_as_standby');
      const accept = sink.hold();
      await write(1);
      const before = sink.arrived.length;
      await eventually(() => expect(sink.arrived.length).toBe(before + 1));
      second.signal('SIGSTOP');
      await first.waitForLog('worker.leads');
      await eventually(() => expect(sink.arrived.length).toBe(before + 2));
      accept();
      await eventually(async () => expect((await outboxRows()).at(-1)).toMatchObject({ status: 'sent' }));
      const stored = await outboxRows();
      expect(stored.at(-1)).toMatchObject({ attempts: 2 });
      second.signal('SIGCONT');
      await second.waitForLog('app.fenced');
      expect(await second.waitForExit(TIMEOUT_MS)).toBe(1);
      expect(await outboxRows()).toEqual(stored);
      expect((await first.stop()).exitCode).toBe(0);
      await eventually(async () =>
        expect((await healthOf(exchange)).components['worker']).toMatchObject({ isUp: false }),
      );
    },
  );

  it('WRK-004 the decision about workers lists every job', () => {
    const decision = readFileSync(join(rootDirectory, 'docs/adr/0225-workers-run-jobs.md'), 'utf8');
    const names = exchange.doors.jobs.names;
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !decision.includes(`\`${name}\``))).toEqual([]);
    expect(workerJobs.filter((name) => !names.includes(name))).toEqual([]);
  });

  it(
    'WRK-003 every job of workers runs in a process in which no module was started',
    { timeout: TIMEOUT_MS },
    async () => {
      const { pool } = exchange.database;
      const scheduled = workerJobs.filter((name) => !['mail.send', 'push.send'].includes(name));
      expect(scheduled.length).toBeGreaterThan(8);
      const worker = await aWorker();
      worker.launch();
      await worker.waitForLog('worker.leads');
      for (const name of scheduled)
        await pool.query(`select graphile_worker.add_job($1, '{}'::json, max_attempts => 1, job_key => $1)`, [
          name,
        ]);
      await eventually(async () => {
        const { rows } = await pool.query(
          `select task.identifier, job.last_error from graphile_worker._private_jobs job
           join graphile_worker._private_tasks task on task.id = job.task_id where task.identifier = any($1)`,
          [workerJobs],
        );
        expect(rows).toEqual([]);
      });
      expect((await pool.query('select from proof_snapshot')).rowCount).toBe(1);
      expect((await worker.stop()).exitCode).toBe(0);
    },
  );
});
