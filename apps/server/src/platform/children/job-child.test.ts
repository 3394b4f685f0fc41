import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { ChildBusy, ChildEnded, JobChild, JobFailed, type ChildLimits } from './job-child.ts';

/**
 * A child program for tests. Depending on the message it answers, stays silent, fails, hangs, exits, fills its memory,
 * or reports its environment.
 */
const PROGRAM = `
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { writeFileSync } from 'node:fs';
const reach = (port) => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code));
});
const write = (file) => {
  try { writeFileSync(file, 'x'.repeat(100_000)); return 'written'; } catch ({ code }) { return code; }
};
process.on('SIGXFSZ', () => undefined);
process.on('message', async ({ kind, value, port, file }) => {
  if (kind === 'hang') for (;;);
  if (kind === 'silent') return;
  if (kind === 'die') process.exit(3);
  if (kind === 'fail') return process.send({ failure: 'cannot' });
  if (kind === 'grow') {
    const all = [];
    try { for (;;) all.push(Buffer.alloc(16_000_000, 1)); }
    catch { return process.send({ failure: 'no memory after ' + all.length * 16 }); }
  }
  if (kind === 'surroundings')
    return process.send({
      answer: { names: Object.keys(process.env), priority: getPriority(), network: await reach(port), file: write(file) },
    });
  process.send({ answer: value });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
`;

const folder = mkdtempSync(join(tmpdir(), 'amethyst-jobs-'));
const file = join(folder, 'program.mjs');
writeFileSync(file, PROGRAM);
afterAll(() => rmSync(folder, { recursive: true }));

let child: JobChild | undefined;
afterEach(() => child?.stop());

const DEFAULT_LIMITS: ChildLimits = {
  memoryMb: 256,
  jobMs: 60_000,
  startMs: 60_000,
  idleMs: 60_000,
  waitingMost: 2,
};

function startChild(limits: Partial<ChildLimits> = {}) {
  const log = recordingLog();
  child = new JobChild({ name: 'test', file, limits: { ...DEFAULT_LIMITS, ...limits }, log });
  return { child, log };
}
const echo = (jobs: JobChild, value: unknown) => jobs.run((send) => send({ kind: 'echo', value }));

it('FILE-940 jobs run one at a time in one process and in order; a job beyond the queue limit is refused', async () => {
  const { child: jobs } = startChild();
  const done: number[] = [];
  const work = (n: number) =>
    jobs.run(async (send) => {
      await send({ kind: 'echo' });
      await send({ kind: 'echo' });
      done.push(n);
    });
  const [first, second, third] = [work(1), work(2), work(3)];
  await expect(work(4)).rejects.toBeInstanceOf(ChildBusy);
  await Promise.all([first, second, third]);
  expect(done).toEqual([1, 2, 3]);
  expect(jobs.starts).toBe(1);
  const bytes = Buffer.from('a picture');
  expect(await echo(jobs, bytes)).toEqual(bytes);
});

it('FILE-940 a failing job affects no other job, and its process stays alive', async () => {
  const { child: jobs, log } = startChild();
  await expect(jobs.run((send) => send({ kind: 'fail' }))).rejects.toBeInstanceOf(JobFailed);
  await expect(jobs.run(() => Promise.reject(new RangeError('mine')))).rejects.toBeInstanceOf(RangeError);
  expect(await echo(jobs, 1)).toBe(1);
  expect(jobs.starts).toBe(1);
  expect(log.lines).toEqual([]);
});

it.each(['die', 'hang'])(
  'FILE-941 a process that would %s fails only its own job; the next job starts a new process',
  async (kind) => {
    const { child: jobs, log } = startChild({ jobMs: kind === 'hang' ? 4_000 : DEFAULT_LIMITS.jobMs });
    const bad = jobs.run((send) => send({ kind }));
    const next = echo(jobs, 'served');
    await expect(bad).rejects.toBeInstanceOf(ChildEnded);
    // The default time limit for a start applies here, not this test's short limit for a job, because a start may take
    // longer on a busy machine.
    expect(await next).toBe('served');
    expect(jobs.starts).toBe(2);
    expect(log.lines.map(({ event }) => event)).toEqual(['child.ended']);
  },
);

it('FILE-941 a job is refused when its process is killed', async () => {
  const { child: jobs } = startChild();
  const bad = jobs.run((send) => send({ kind: 'silent' }));
  await eventually(() => expect(jobs.pid).toBeDefined());
  process.kill(jobs.pid!, 'SIGKILL');
  await expect(bad).rejects.toBeInstanceOf(ChildEnded);
  expect(await echo(jobs, 2)).toBe(2);
});

it.runIf(process.platform === 'linux')('FILE-942 the kernel refuses memory beyond the limit', async () => {
  const { child: jobs } = startChild({ memoryMb: 256 });
  const outcome = await jobs.run((send) => send({ kind: 'grow' })).catch((thrown: unknown) => thrown);
  // The child process either reports how much memory it obtained, or was killed. Without a limit it would fill the
  // machine's memory.
  expect(outcome instanceof JobFailed || outcome instanceof ChildEnded).toBe(true);
  const megabytes = /no memory after (\d+)/.exec(String(outcome))?.[1] ?? '0';
  expect(Number(megabytes)).toBeLessThan(256);
  expect(await echo(jobs, 3)).toBe(3);
});

it('FILE-942 the process has no environment, lower priority, no writable files and, where the kernel allows, no network', async () => {
  process.env['A_SECRET'] = 'secret';
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  const { child: jobs } = startChild();
  const report = (await jobs.run((send) =>
    send({ kind: 'surroundings', port, file: join(folder, 'written') }),
  )) as { names: string[]; priority: number; network: string; file: string };
  delete process.env['A_SECRET'];
  listener.close();
  expect(report.names.filter((name) => !/^(?:NODE_CHANNEL_|PWD$|OLDPWD$|SHLVL$|_$)/.test(name))).toEqual([]);
  expect(report.priority).toBeGreaterThan(0);
  if (process.platform !== 'linux') return;
  expect(report.file).toBe('EFBIG');
  const { status } = spawnSync('unshare', ['--user', '--map-current-user', '--net', 'true']);
  expect(report.network).toBe(status === 0 ? 'ENETUNREACH' : 'connected');
});

it('FILE-943 a process without a job ends, and the next job starts another', async () => {
  const { child: jobs, log } = startChild({ idleMs: 50 });
  await echo(jobs, 1);
  await eventually(() => expect(jobs.pid).toBeUndefined());
  expect(await echo(jobs, 2)).toBe(2);
  expect(jobs.starts).toBe(2);
  expect(log.lines).toEqual([]);
});

it('FILE-943 stopping refuses running and waiting jobs', async () => {
  const { child: jobs } = startChild();
  const outcomes = Promise.allSettled([jobs.run((send) => send({ kind: 'silent' })), echo(jobs, 1)]);
  await eventually(() => expect(jobs.pid).toBeDefined());
  jobs.stop();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ChildEnded) });
  await expect(echo(jobs, 1)).rejects.toBeInstanceOf(ChildEnded);
});
