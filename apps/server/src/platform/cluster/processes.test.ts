import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import type { ComponentHealth, HealthReport } from '../health/health.ts';
import { writerFigures } from '../sequencer/sequencer-health.ts';
import { Metrics } from '../metrics/metrics.ts';
import { InProcessBroker } from './in-process-link.ts';
import type { Link } from './link.ts';
import { SUBJECTS } from './link.ts';
import { clusterOperations } from './process-operations.ts';
import { OwnProcess, Processes, sendSigns, type ProcessFigures } from './processes.ts';

const log = recordingLog();

/** Waits for six turns of the event loop, in which sent messages arrive. */
async function turns(): Promise<void> {
  for (let count = 0; count < 6; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A simulated process of the exchange whose health and epoch the test sets. */
class TestProcess {
  status: HealthReport['status'] = 'up';
  down: Record<string, ComponentHealth> = {};
  epoch: string | undefined;
  figures: () => ProcessFigures = () => ({ epoch: this.epoch, pending: 3 });
  readonly own: OwnProcess;

  constructor(name: string, role: string, clock: FakeClock) {
    this.own = new OwnProcess({
      name,
      role,
      version: '1.2.3',
      port: 3000,
      clock,
      health: () => Promise.resolve({ status: this.status, components: this.down }),
      figures: () => this.figures(),
    });
  }
}

describe('the processes of an exchange', () => {
  let broker: InProcessBroker;
  let clock: FakeClock;
  let writer: TestProcess;
  let metrics: Metrics;
  let processes: Processes;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    broker = new InProcessBroker();
    clock = new FakeClock();
    writer = new TestProcess('w1', 'writer', clock);
    writer.epoch = '7';
    metrics = new Metrics();
    processes = new Processes({ own: writer.own, link: broker.connect(), clock, log, metrics });
    processes.start();
  });
  afterEach(() => {
    processes.stop();
    for (const end of ends.splice(0)) end();
    vi.useRealTimers();
  });

  function join(name: string, role: string): TestProcess & { end: () => void } {
    const process = new TestProcess(name, role, clock);
    const end = sendSigns(process.own, { link: broker.connect(), log });
    ends.push(end);
    return Object.assign(process, { end });
  }
  async function pass(ms: number): Promise<void> {
    await turns();
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.advance(1_000);
      vi.advanceTimersByTime(1_000);
      await turns();
    }
  }
  const states = async () =>
    Object.fromEntries((await processes.list()).map(({ name, state }) => [name, state]));

  it('CLU-076 operators see which process leads, what the others do and what they wait for', async () => {
    const standby = join('w2', 'writer');
    standby.status = 'standby';
    standby.down = { sequencer: { isUp: false, isStandby: true, reason: 'another server is the writer' } };
    const [api, feed] = [join('a1', 'api'), join('f1', 'feed')];
    api.epoch = '7';
    feed.status = 'draining';
    await pass(1_000);
    expect(await states()).toEqual({ w1: 'leads', w2: 'stands by', a1: 'serves', f1: 'stops' });
    const sinceMs = clock.now();
    api.down = { writer: { isUp: false, reason: 'waits for the writer, which was heard 3 s ago' } };
    await pass(2_000);
    api.down = { writer: { isUp: false, reason: 'waits for the writer, which was heard 5 s ago' } };
    await pass(2_000);
    const [row] = (await processes.list()).filter(({ name }) => name === 'a1');
    expect(row).toMatchObject({
      state: 'waits',
      waitsFor: 'writer: waits for the writer, which was heard 5 s ago',
      since: sinceMs + 1_000,
      epoch: '7',
      pending: 3,
    });
    expect(await metrics.text()).toContain('cluster_processes{state="waits"} 1');
  });

  it('WRK-032 operators see the period of the leading worker and its due jobs, and the writer leads all the same', async () => {
    const [leading, waiting] = [join('k1', 'worker'), join('k2', 'worker')];
    leading.epoch = '12';
    waiting.status = 'standby';
    waiting.figures = () => ({});
    waiting.down = { worker: { isUp: false, isStandby: true, reason: 'another worker leads' } };
    await pass(1_000);
    const list = await processes.list();
    expect(list.map(({ name, state }) => [name, state])).toEqual([
      ['w1', 'leads'],
      ['k1', 'serves'],
      ['k2', 'stands by'],
    ]);
    expect(list[1]).toMatchObject({ epoch: '12', pending: 3 });
    expect(list[2]?.epoch).toBeUndefined();
    expect(await metrics.text()).toContain('cluster_processes{state="leads"} 1');
  });

  it('CLU-103 operators see how a standby would take over, and how far it is behind', async () => {
    const following = (isWarm: boolean, stepsBehind?: number) => ({
      isWarm,
      stepsBehind,
      checkedMsAgo: 10,
      reason: isWarm ? undefined : 'it has not been loaded yet',
    });
    expect(writerFigures({ epoch: 7n, isStandby: false, following: undefined })).toEqual({ epoch: '7' });
    const standby = join('w2', 'writer');
    standby.status = 'standby';
    standby.figures = () =>
      writerFigures({ epoch: undefined, isStandby: true, following: following(true, 12) });
    await pass(1_000);
    const rowOf = async () => (await processes.list()).find(({ name }) => name === 'w2');
    expect(await rowOf()).toMatchObject({ state: 'stands by', takeover: 'warm', stepsBehind: 12 });
    standby.figures = () => writerFigures({ epoch: undefined, isStandby: true, following: following(false) });
    await pass(1_000);
    const cold = await rowOf();
    expect(cold).toMatchObject({ takeover: 'cold: it has not been loaded yet' });
    expect(cold!.stepsBehind).toBeUndefined();
  });

  it('CLU-076 a process that ends says so, one that is killed is gone after five seconds and shown for ten minutes', async () => {
    const stopped = join('a1', 'api');
    join('f1', 'feed');
    await pass(1_000);
    const heardAt = clock.now();
    stopped.end();
    await turns();
    expect(await states()).toEqual({ w1: 'leads', f1: 'serves' });
    ends.pop()!();
    // The test's process has announced its end, which a killed process does not do. A status message that arrives late
    // makes the process known again, as if it had been killed after sending it.
    const link = broker.connect();
    const sign = { name: 'f1', place: 'b:1', role: 'feed', status: 'up' };
    link.publish(SUBJECTS.processes, Buffer.from(JSON.stringify(sign)));
    await turns();
    await pass(5_000);
    expect(await states()).toEqual({ w1: 'leads', f1: 'serves' });
    await pass(1_000);
    expect((await processes.list())[1]).toMatchObject({ name: 'f1', state: 'gone', since: heardAt });
    await pass(595_000);
    expect(await states()).toEqual({ w1: 'leads' });
  });

  it('CLU-076 a writer of an earlier period does not count as leading', async () => {
    const next = join('w2', 'writer');
    next.epoch = '8';
    await pass(1_000);
    expect(await states()).toEqual({ w1: 'replaced', w2: 'leads' });
    expect((await processes.list())[0]).toMatchObject({ name: 'w2' });
  });

  it('CLU-076 what is no sign is ignored, and the number of processes is bounded', async () => {
    const link: Link = broker.connect();
    const send = (text: string) => link.publish(SUBJECTS.processes, Buffer.from(text));
    for (const text of ['', '{', 'null', '[]', '{"name":1}', '{"name":"a","status":"up"}']) send(text);
    send(JSON.stringify({ name: 'a', status: 'up', place: 'b', epoch: '1n' }));
    send(JSON.stringify({ name: 'x'.repeat(301), status: 'up', place: 'b' }));
    await turns();
    expect(await states()).toEqual({ w1: 'leads' });
    for (let index = 0; index < 600; index += 1)
      send(JSON.stringify({ name: `n${index}`, status: 'up', place: 'b', role: 'api' }));
    await turns();
    expect(await processes.list()).toHaveLength(513);
  });

  it('CLU-077 a single process says that it is the whole exchange, and sends nothing', async () => {
    const single = new TestProcess('s', 'all', clock);
    single.epoch = '1';
    const alone = new Processes({ own: single.own, link: undefined, clock, log, metrics: new Metrics() });
    alone.start();
    const [operation] = clusterOperations({ processes: alone, databases: () => Promise.resolve([]) });
    const answer = await operation!.run({
      parameters: {},
      fields: {},
      operator: { name: 'olga', roles: ['support'] },
    });
    expect(answer).toMatchObject({
      processes: [
        { role: 'all', state: 'leads', serves: 'everything: the exchange is this one process', epoch: 1 },
      ],
    });
  });
});
