import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { LossyLink } from '../../../testing/feed-node.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import type { TextProtocol, TextSocket } from '../feed/text-sockets.ts';
import { Metrics } from '../metrics/metrics.ts';
import { CommandReceiver, type CommandContext, type ServedFile } from './command-receiver.ts';
import { CommandSender, NoAnswer, type SentFile } from './command-sender.ts';
import type { Command, PageCommand, TextAnswer } from './commands.ts';
import { FactStream } from './facts.ts';
import { InProcessBroker } from './in-process-link.ts';
import { SUBJECTS } from './link.ts';

interface Served {
  readonly command: PageCommand;
  readonly context: CommandContext;
  answer(body: string): void;
  answerWith(file: ServedFile): void;
  fail(): void;
}

/**
 * A WebSocket protocol for tests that answers each text message with the same text, and closes the connection on
 * request.
 */
class Echo implements TextProtocol {
  readonly owns = () => true;
  readonly messageBytes = 1_000;
  readonly messagesPerSecond = 1_000;
  readonly openedSockets: string[] = [];
  readonly closedSockets: string[] = [];
  opened(socket: TextSocket): void {
    this.openedSockets.push(`${socket.id} ${socket.address}`);
  }
  received(socket: TextSocket, text: string | undefined): void {
    if (text === 'close me') socket.close('as you like');
    else socket.sendText(text ?? 'binary');
  }
  closed(socket: TextSocket): void {
    this.closedSockets.push(socket.id);
  }
  farewell(): string {
    return 'goodbye';
  }
}

/** A simulated writer that announces its epoch. It executes no commands; the test determines the answers. */
class TestWriter {
  readonly served: Served[] = [];
  readonly log = recordingLog();
  readonly metrics = new Metrics();
  readonly echo = new Echo();
  readonly receiver: CommandReceiver;
  /** Whether messages to this writer are lost, so that it receives no commands. */
  isDeaf = false;
  private readonly link: LossyLink;
  private readonly clock: FakeClock;
  private readonly epoch: bigint;

  constructor(broker: InProcessBroker, clock: FakeClock, epoch: bigint) {
    this.link = new LossyLink(broker.connect());
    this.link.loses = () => this.isDeaf;
    this.clock = clock;
    this.epoch = epoch;
    this.receiver = new CommandReceiver({
      link: this.link,
      clock,
      log: this.log,
      metrics: this.metrics,
      sockets: this.echo,
      serve: (command, context) =>
        new Promise<TextAnswer | ServedFile>((resolve, reject) => {
          this.served.push({
            command: command as PageCommand,
            context,
            answer: (body) => resolve({ status: 200, code: 1, body }),
            answerWith: resolve,
            fail: () => reject(new Error('a bug')),
          });
        }),
    });
    this.receiver.start(epoch);
    this.announce();
  }

  announce(): void {
    const line = [this.epoch, 0, Math.floor(this.clock.monotonicMs())].join('\t');
    this.link.publish(SUBJECTS.writer, Buffer.from(line));
  }

  get paths(): string[] {
    return this.served.map(({ command }) => command.path);
  }

  /** Returns the value of a counter in the metrics. */
  async counted(name: string): Promise<number> {
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await this.metrics.text())?.[1]);
  }

  /** Ends the writer as if its process were killed, without answering its commands. */
  async kill(): Promise<void> {
    await this.link.close();
  }
}

/** Waits for six turns of the event loop, in which sent messages and their answers arrive. */
async function turns(): Promise<void> {
  for (let count = 0; count < 6; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('commands between an API node and the writer', () => {
  let broker: InProcessBroker;
  let clock: FakeClock;
  let sender: CommandSender;
  let uncertain: number;
  /** Whether the writers' answers do not reach the node. */
  let isLossy: boolean;
  const log = recordingLog();
  const writers: TestWriter[] = [];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    broker = new InProcessBroker();
    clock = new FakeClock();
    uncertain = 0;
    isLossy = false;
    const link = new LossyLink(broker.connect());
    link.loses = (subject) => isLossy && subject.startsWith('exchange.reply.');
    sender = new CommandSender({
      link,
      name: 'node-a',
      version: '1',
      clock,
      log,
      metrics: new Metrics(),
      sessionEnded: () => undefined,
      sessionsUncertain: () => {
        uncertain += 1;
      },
      inFlightMax: 4,
    });
  });
  afterEach(async () => {
    sender.stop();
    for (const writer of writers.splice(0)) await writer.kill();
    vi.useRealTimers();
  });

  function aWriter(epoch: bigint): TestWriter {
    const writer = new TestWriter(broker, clock, epoch);
    writers.push(writer);
    return writer;
  }
  /**
   * Advances the clock by `ms` milliseconds in steps of 100 ms. At each step the writers `living` announce themselves.
   */
  async function pass(ms: number, ...living: TestWriter[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      for (const writer of living) writer.announce();
      await turns();
      vi.advanceTimersByTime(100);
      await turns();
    }
  }
  const command = (path: string): Command => ({ kind: 'page', path, query: '' });
  const send = (path: string, isRepeatable = true) => {
    const sent: { body?: string; outcome?: string } = {};
    sender.send(command(path), { isRepeatable, traceparent: undefined }).then(
      (answer) => {
        sent.body = 'body' in answer ? answer.body : '';
      },
      (thrown: unknown) => {
        sent.outcome = thrown instanceof NoAnswer ? thrown.outcome : 'error';
      },
    );
    return sent;
  };

  it('CLU-050 commands of one turn are one message, arrive in order and get their own answers', async () => {
    const writer = aWriter(1n);
    await turns();
    let messages = 0;
    const spy = broker.connect();
    spy.subscribe(SUBJECTS.commands(1n), (payload) => {
      if (Buffer.from(payload).toString('utf8').includes('\ncommand\t')) messages += 1;
    });
    const sent = ['one', 'two', 'three'].map((path) => send(path));
    await turns();
    expect(writer.paths).toEqual(['one', 'two', 'three']);
    expect(messages).toBe(1);
    writer.served[2]!.answer('3');
    writer.served[0]!.answer('a line\nand a tab\t');
    await turns();
    expect(sent).toEqual([{ body: 'a line\nand a tab\t' }, {}, { body: '3' }]);
    await spy.close();
  });

  it('CLU-051 a repeatable command without an answer is sent once more; one that is being executed is not executed twice', async () => {
    const writer = aWriter(1n);
    await turns();
    const [repeatable, single] = [send('repeatable'), send('single', false)];
    await turns();
    await pass(1_900, writer);
    expect(writer.served).toHaveLength(2);
    const [first, second] = writer.served;
    await pass(2_000, writer);
    expect(writer.served).toHaveLength(2);
    expect(first!.context.isRepeated).toBe(false);
    first!.answer('done');
    second!.answer('done');
    await turns();
    expect([repeatable, single]).toEqual([{ body: 'done' }, { body: 'done' }]);
  });

  it('CLU-051 a repetition reaches a writer that has lost the command, and is marked', async () => {
    const writer = aWriter(1n);
    await turns();
    const sent = send('lost');
    await turns();
    // Executing the command fails at the writer, so the writer sends no answer.
    writer.served[0]!.fail();
    await pass(2_200, writer);
    expect(writer.served.map(({ context }) => context.isRepeated)).toEqual([false, true]);
    writer.served[1]!.answer('found');
    await turns();
    expect(sent).toEqual({ body: 'found' });
    expect(writer.log.lines.map(({ event }) => event)).toContain('cluster.command_failed');
  });

  it('CLU-052 after a change of the writer, what is repeatable goes to the next one, and the rest has an unknown outcome', async () => {
    const old = aWriter(1n);
    await turns();
    const [repeatable, single] = [send('repeatable'), send('single', false)];
    await turns();
    expect(old.served).toHaveLength(2);
    const next = aWriter(2n);
    await pass(200, next);
    // The replaced writer answers late; the node ignores these answers.
    for (const served of old.served) served.answer('old');
    await turns();
    expect(next.served.map(({ command: { path }, context }) => [path, context.isRepeated])).toEqual([
      ['repeatable', true],
    ]);
    expect(single).toEqual({ outcome: 'unknown' });
    next.served[0]!.answer('new');
    await turns();
    expect(repeatable).toEqual({ body: 'new' });
    expect(uncertain).toBeGreaterThanOrEqual(1);
    expect(log.lines.map(({ event }) => event)).toContain('cluster.outcome_unknown');
  });

  it('CLU-053 a command whose deadline has passed is not executed, and its caller learns that the outcome is unknown', async () => {
    const writer = aWriter(1n);
    await turns();
    const link = broker.connect();
    const late = Math.floor(clock.monotonicMs()) - 1;
    const line = ['command', '1', late, 'first', 'trace', JSON.stringify(command('late'))].join('\t');
    link.publish(SUBJECTS.commands(1n), Buffer.from(`node-b.1\t1\t1\t0\t1\n${line}`));
    await turns();
    expect(writer.served).toEqual([]);
    expect(await writer.counted('cluster_commands_late_total')).toBe(1);
    const sent = send('slow', false);
    await turns();
    await pass(11_200, writer);
    expect(sent).toEqual({ outcome: 'unknown' });
    await link.close();
  });

  it('CLU-054 too many commands without an answer are refused, and certainly not executed', async () => {
    const writer = aWriter(1n);
    await turns();
    const sent = ['a', 'b', 'c', 'd', 'e'].map((path) => send(path));
    await turns();
    expect(writer.paths).toEqual(['a', 'b', 'c', 'd']);
    expect(sent[4]).toEqual({ outcome: 'notExecuted' });
    for (const served of writer.served) served.answer('done');
    await turns();
    const again = send('e');
    await turns();
    writer.served[4]!.answer('done');
    await turns();
    expect(again).toEqual({ body: 'done' });
  });

  it('CLU-055 without a writer a command waits for one, and is refused unsent after five seconds', async () => {
    const [early, impatient] = [send('early', false), send('impatient', false)];
    await pass(4_000);
    const writer = aWriter(1n);
    await pass(200, writer);
    expect(writer.paths).toEqual(['early', 'impatient']);
    for (const served of writer.served) served.answer('done');
    await turns();
    expect([early, impatient]).toEqual([{ body: 'done' }, { body: 'done' }]);
    await writer.kill();
    await pass(3_200);
    expect(sender.writerHealth()).toMatchObject({ isUp: false, reason: expect.stringContaining('waits') });
    const refused = send('refused', false);
    await pass(5_200);
    expect(refused).toEqual({ outcome: 'notExecuted' });
  });

  it('CLU-056 a file is fetched in parts, and its reader can stop it', async () => {
    const writer = aWriter(1n);
    await turns();
    let made = 0;
    let isReturned = false;
    const parts = async function* () {
      try {
        for (made = 1; made <= 3; made += 1) yield `part ${made}\n`;
      } finally {
        isReturned = true;
      }
    };
    const open = async () => {
      const opening = sender.send(command('file'), { isRepeatable: true, traceparent: undefined });
      await turns();
      const rest = parts();
      await rest.next();
      const head = { code: 1, name: 'a.csv', type: 'text/csv' };
      writer.served.at(-1)!.answerWith({ head, first: 'part 1\n', rest });
      return (await opening) as SentFile;
    };
    const file = await open();
    expect(made).toBe(1);
    let text = file.first.toString();
    for await (const part of file.rest) text += part.toString();
    expect([file.name, text]).toEqual(['a.csv', 'part 1\npart 2\npart 3\n']);
    isReturned = false;
    const stopped = await open();
    await stopped.rest.next();
    await stopped.rest.return();
    await eventually(() => expect(isReturned).toBe(true));
    // A file transfer from the replaced writer fails; the next writer does not continue it.
    const cut = await open();
    const next = cut.rest.next();
    await turns();
    const waiting = cut.rest.next();
    const failure = waiting.catch((thrown: unknown) => thrown);
    aWriter(2n);
    await turns();
    await next;
    expect(await failure).toMatchObject({ message: 'the writer was replaced' });
  });

  it('CLU-057 a stop of the writer waits for running commands and answers them', async () => {
    const writer = aWriter(1n);
    await turns();
    const sent = send('last', false);
    await turns();
    vi.useRealTimers();
    const stopping = writer.receiver.stop();
    setImmediate(() => writer.served[0]!.answer('done'));
    await stopping;
    await turns();
    expect(sent).toEqual({ body: 'done' });
  });

  describe('connections of programs', () => {
    const head = { url: '/ws-api/v3', address: '10.0.0.1', addressGroup: '10.0.0.1' };
    const open = () => {
      const received: string[] = [];
      const socket = sender.openSocket(head, {
        received: (text) => received.push(text),
        ended: (kind, reason) => received.push(`ended ${kind}: ${reason}`),
      });
      return { socket, received };
    };

    it('CLU-080 the writer serves them, messages stay in order, and either side can close them', async () => {
      expect(open().socket).toBeUndefined();
      const writer = aWriter(1n);
      await turns();
      const [first, second] = [open(), open()];
      for (const text of ['one', 'two\tand\nthree', '']) first.socket!.send(text);
      second.socket!.send(undefined);
      second.socket!.send('close me');
      await turns();
      expect(first.received).toEqual(['one', 'two\tand\nthree', '']);
      expect(second.received).toEqual(['binary', 'ended policy: as you like']);
      expect(writer.echo.openedSockets).toEqual(['node-a.1 10.0.0.1', 'node-a.2 10.0.0.1']);
      first.socket!.close();
      await turns();
      expect(writer.echo.closedSockets).toEqual(['node-a.2', 'node-a.1']);
    });

    it('CLU-081 they end with a goodbye when the writer stops, and for a restart when it was replaced', async () => {
      const writer = aWriter(1n);
      await turns();
      const stopping = open();
      await turns();
      void writer.receiver.stop();
      await pass(1_500, writer);
      expect(stopping.received).toEqual(['goodbye', 'ended restart: restart']);
      const killed = aWriter(2n);
      await turns();
      const cut = open();
      await turns();
      await killed.kill();
      aWriter(3n);
      await turns();
      expect(cut.received).toEqual(['ended restart: restart']);
    });

    it('CLU-081 they end on both sides when messages may be missing, also when nothing follows', async () => {
      const writer = aWriter(1n);
      await turns();
      const lostAnswer = open();
      await turns();
      isLossy = true;
      lostAnswer.socket!.send('this is lost on its way back');
      await turns();
      isLossy = false;
      await pass(1_200, writer);
      expect(lostAnswer.received).toEqual([expect.stringContaining('may be missing')]);
      const lostRequest = open();
      await turns();
      writer.isDeaf = true;
      lostRequest.socket!.send('this is lost');
      await turns();
      writer.isDeaf = false;
      await pass(1_200, writer);
      expect(lostRequest.received).toEqual([expect.stringContaining('may be missing')]);
      expect(writer.echo.closedSockets).toContain('node-a.2');
    });
  });

  it('CLU-074 calls that arrive while the writer stops wait for the next writer, with a key or without', async () => {
    const writer = aWriter(1n);
    await turns();
    const before = send('before', false);
    await turns();
    let isStopped = false;
    void writer.receiver.stop().then(() => (isStopped = true));
    await pass(100, writer);
    const [keyed, unkeyed] = [send('keyed'), send('unkeyed', false)];
    await pass(7_000, writer);
    expect([writer.paths, isStopped]).toEqual([['before'], true]);
    expect(sender.writerHealth()).toMatchObject({ isUp: false, reason: expect.stringContaining('stopping') });
    const next = aWriter(2n);
    await turns();
    expect(next.paths.toSorted()).toEqual(['keyed', 'unkeyed']);
    for (const served of next.served) served.answer('done');
    await turns();
    expect([keyed, unkeyed]).toEqual([{ body: 'done' }, { body: 'done' }]);
    // The old writer stopped without answering the first call, which has no idempotency key and is therefore not sent
    // to the next writer.
    await pass(100, next);
    expect(before).toEqual({ outcome: 'unknown' });
  });

  it('CLU-074 a stop does not wait longer than a second for a node that says nothing, and a leaving node is forgotten', async () => {
    const writer = aWriter(1n);
    await turns();
    await pass(1_200, writer);
    expect(writer.receiver.status()).toHaveLength(1);
    sender.stop();
    await turns();
    expect(writer.receiver.status()).toEqual([]);
    expect(writer.log.lines).toContainEqual(
      expect.objectContaining({ event: 'cluster.node_left', fields: { node: 'node-a' } }),
    );
    const silent = new FactStream({
      link: broker.connect(),
      subject: SUBJECTS.commands(1n),
      generation: 'node-b.1',
    });
    silent.append('alive\t1');
    await turns();
    let isStopped = false;
    void writer.receiver.stop().then(() => (isStopped = true));
    await pass(900, writer);
    expect(isStopped).toBe(false);
    await pass(300, writer);
    expect(isStopped).toBe(true);
  });
});
