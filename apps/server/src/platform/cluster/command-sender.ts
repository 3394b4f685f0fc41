import { randomBytes } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../clock.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  bodyField,
  bodyOfField,
  bytesOfField,
  COMMAND_MS,
  type Command,
  type FileHead,
  type SocketHead,
  type TextAnswer,
} from './commands.ts';
import { FactReader, FactStream, generationOf } from './facts.ts';
import { FIELD, LINE, SUBJECTS, type Link } from './link.ts';
import type { ForwardedSocket, SocketCommands, SocketReceiver } from './forwarded-sockets.ts';
import type { ProcessFigures } from './processes.ts';

/**
 * Thrown if a command gets no answer. Its `outcome` is `notExecuted` if it was certainly not executed, otherwise
 * `unknown`.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly outcome: 'notExecuted' | 'unknown';

  constructor(outcome: NoAnswer['outcome'], message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/**
 * A file that the writer sends as an answer; its first part has arrived. `rest` fetches each further part from the
 * writer when it is read.
 */
export interface SentFile extends FileHead {
  readonly first: Buffer;
  readonly rest: AsyncGenerator<Buffer, void>;
}

/** Sends commands of an API node to the writer. */
export interface Commands {
  /**
   * Resolves to the writer's answer, or rejects with `NoAnswer`, at the latest `COMMAND_MS` after the call. A command
   * with `isRepeatable` is sent once more if no answer arrives within two seconds, and to each writer that takes over
   * meanwhile, so executing it several times must be harmless. Any other command is sent once.
   */
  send(
    command: Command,
    options: { readonly isRepeatable: boolean; readonly traceparent: string | undefined },
  ): Promise<TextAnswer | SentFile>;
}

export interface CommandSenderOptions {
  readonly link: Link;
  /** Name of this run of the process. No other process has it. */
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called when the writer reports that a user's session was ended before it expired. */
  readonly sessionEnded: (sessionId: string, userId: UserId) => void;
  /** Called when reports of ended sessions may have been lost. */
  readonly sessionsUncertain: () => void;
  /**
   * Maximum number of commands that wait for an answer, by default `IN_FLIGHT_MAX`. Further commands are
   * rejected at once with the outcome `notExecuted`.
   */
  readonly inFlightMax?: number;
}

const IN_FLIGHT_MAX = 2_048;
const CHECK_EVERY_MS = 100;
const SIGN_OF_LIFE_EVERY_MS = 1_000;
/** Milliseconds after which a repeatable command without an answer is sent once more. */
const REPEAT_AFTER_MS = 2_000;
/**
 * Milliseconds without an announcement of the writer after which no command is sent to it until its next announcement.
 */
const WRITER_SILENT_MS = 3_000;
/** Milliseconds that a command waits for a writer. Then it is rejected with the outcome `notExecuted`. */
const WRITER_AWAITED_MS = 5_000;
/**
 * Milliseconds from the acceptance of a command for which it waits for the next writer, if the last writer has
 * announced that it stops. Then the command is rejected with the outcome `notExecuted`, which is before callers time
 * out.
 */
const NEXT_WRITER_AWAITED_MS = COMMAND_MS - 1_000;
/** Milliseconds within which the next part of a file must arrive from the writer. Otherwise the transfer fails. */
const PART_MS = 30_000;

const MAY_BE_MISSING = 'messages may be missing: connect again';

/** A sent or waiting command that has no answer yet. */
interface Pending {
  readonly id: string;
  readonly line: string;
  readonly traceparent: string;
  readonly isRepeatable: boolean;
  readonly acceptedMs: number;
  /**
   * Monotonic time in milliseconds at which the command was last sent, and the epoch of the writer that received it;
   * undefined while the command waits for a writer.
   */
  sent: { readonly ms: number; readonly epoch: bigint } | undefined;
  isRepeated: boolean;
  readonly resolve: (answer: TextAnswer | SentFile) => void;
  readonly reject: (reason: NoAnswer) => void;
}

/** Callbacks for the parts of a file that the writer sends. */
interface Receiving {
  readonly received: (part: Buffer | undefined) => void;
  readonly failed: (reason: Error) => void;
}

/**
 * An API node's end of the command channel. It detects the current writer from the writer's announcements, sends
 * commands in batches, and repeats repeatable ones. It distinguishes commands that were certainly not executed from
 * those with an unknown outcome. Answers of a replaced writer are ignored.
 */
export class CommandSender implements Commands, SocketCommands {
  private readonly options: CommandSenderOptions;
  private readonly inFlightMax: number;
  private readonly pending = new Map<string, Pending>();
  private readonly files = new Map<string, Receiving>();
  private readonly sockets = new Map<string, SocketReceiver>();
  private readonly answers: FactReader;
  private readonly subscriptions: (() => void)[];
  private readonly timer: NodeJS.Timeout;
  private readonly counted: Readonly<
    Record<'commands' | 'repeats' | 'unknown' | 'refused' | 'losses', { add(): void }>
  >;
  private stream: FactStream | undefined;
  private epoch: bigint | undefined;
  private heardMs: number;
  /** The writer's monotonic time in milliseconds, as its last announcement stated it. */
  private writerMs = 0;
  private lastId = 0;
  private lifeSignMs = 0;
  private wasConnected = false;
  /** Whether the current writer has announced that it executes no further commands. */
  private isWriterStopping = false;

  constructor(options: CommandSenderOptions) {
    this.options = options;
    this.inFlightMax = options.inFlightMax ?? IN_FLIGHT_MAX;
    const { link, name, clock, metrics } = options;
    this.heardMs = clock.monotonicMs() - WRITER_SILENT_MS;
    this.answers = new FactReader({
      received: (line) => this.receiveLine(line.split(FIELD)),
      lost: () => this.lose(),
    });
    this.subscriptions = [
      link.subscribe(SUBJECTS.writer, (payload) => this.receiveWriter(payload)),
      link.subscribe(SUBJECTS.answersOf(name), (payload) => this.receiveAnswers(payload)),
      link.subscribe(SUBJECTS.sessionEnded, (payload) => this.receiveSessionEnded(payload)),
    ];
    this.counted = this.measure(metrics);
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS);
  }

  private measure(metrics: Metrics) {
    metrics.gauge('cluster_epoch', 'The period of the writer that this node follows', () =>
      this.epoch === undefined ? undefined : Number(this.epoch),
    );
    metrics.gauge(
      'cluster_writer_silent_seconds',
      'Seconds since the last announcement of the writer',
      () => this.silentMs() / 1_000,
    );
    metrics.gauge('cluster_commands_pending', 'Commands without an answer', () => this.pending.size);
    return {
      commands: metrics.counter('cluster_commands_total', 'Commands sent to the writer'),
      repeats: metrics.counter('cluster_commands_repeated_total', 'Commands that were sent once more'),
      unknown: metrics.counter(
        'cluster_commands_unknown_total',
        'Commands whose callers were told that the outcome is unknown',
      ),
      refused: metrics.counter(
        'cluster_commands_refused_total',
        'Commands that were not sent, because there was no writer or too many had no answer',
      ),
      losses: metrics.counter('cluster_losses_total', 'Times that messages of the writer were missing'),
    };
  }

  send(
    command: Command,
    {
      isRepeatable,
      traceparent,
    }: { readonly isRepeatable: boolean; readonly traceparent: string | undefined },
  ): Promise<TextAnswer | SentFile> {
    if (this.pending.size >= this.inFlightMax) {
      this.counted.refused.add();
      return Promise.reject(new NoAnswer('notExecuted', 'too many commands have no answer'));
    }
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      const entry: Pending = {
        id: String(this.lastId),
        line: JSON.stringify(command),
        traceparent: traceparent ?? newTraceparent(),
        isRepeatable,
        acceptedMs: this.options.clock.monotonicMs(),
        sent: undefined,
        isRepeated: false,
        resolve,
        reject,
      };
      this.pending.set(entry.id, entry);
      if (this.hasWriter()) this.transmit(entry);
    });
  }

  openSocket(head: SocketHead, receiver: SocketReceiver): ForwardedSocket | undefined {
    if (!this.hasWriter()) return undefined;
    this.lastId += 1;
    const id = String(this.lastId);
    this.sockets.set(id, receiver);
    const append = (...fields: readonly string[]) => {
      if (this.sockets.has(id) && !this.isWriterStopping) this.stream?.append(fields.join(FIELD));
    };
    append('socket-open', id, head.url, head.address, head.addressGroup);
    return {
      send: (text) => append('socket-text', id, text === undefined ? '' : bodyField(text)),
      close: () => {
        append('socket-close', id);
        this.sockets.delete(id);
      },
    };
  }

  /**
   * Returns the health of the connection to NATS. Without the connection the node reports that it is down, so
   * that load balancers use other nodes.
   */
  linkHealth(): ComponentHealth {
    return this.options.link.isConnected
      ? { isUp: true }
      : { isUp: false, reason: 'waits for the connection to NATS' };
  }

  /**
   * Returns, for the operators' list of processes, the epoch of the writer that this API node follows, the
   * milliseconds since the writer's last announcement, and the number of commands without an answer.
   */
  figures(): ProcessFigures {
    return {
      epoch: this.epoch?.toString(),
      writerHeardMs: Math.round(this.silentMs()),
      pending: this.pending.size,
    };
  }

  writerHealth(): ComponentHealth {
    const facts = { epoch: String(this.epoch ?? 'none'), pending: this.pending.size };
    if (this.hasWriter()) return { isUp: true, facts };
    const reason = this.isWriterStopping
      ? 'waits for the next writer; the last one is stopping'
      : `waits for the writer, which was heard ${Math.round(this.silentMs() / 1_000)} s ago`;
    return { isUp: false, reason: this.epoch === undefined ? 'waits for a writer' : reason, facts };
  }

  /**
   * Stops the command channel and notifies the writer of this. Commands that have no answer yet are rejected with
   * `NoAnswer`.
   */
  stop(): void {
    clearInterval(this.timer);
    this.stream?.append('bye');
    this.stream?.flush();
    for (const end of this.subscriptions) end();
    for (const entry of this.pending.values()) this.abandon(entry, 'this process stops');
    this.sockets.clear();
    this.loseFiles('this process stops');
  }

  private silentMs(): number {
    return this.options.clock.monotonicMs() - this.heardMs;
  }

  private hasWriter(): boolean {
    return (
      this.epoch !== undefined &&
      !this.isWriterStopping &&
      this.options.link.isConnected &&
      this.silentMs() <= WRITER_SILENT_MS
    );
  }

  private transmit(entry: Pending): void {
    const { stream, epoch } = this;
    if (stream === undefined || epoch === undefined) return;
    const nowMs = this.options.clock.monotonicMs();
    if (entry.sent === undefined) this.counted.commands.add();
    else {
      entry.isRepeated = true;
      this.counted.repeats.add();
    }
    entry.sent = { ms: nowMs, epoch };
    // The deadline is a time of the writer's monotonic clock, estimated from its last announcement. The estimate is too
    // early by the announcement's travel time, so a command may be dropped slightly early but is never executed late.
    const deadline = Math.floor(
      this.writerMs + (nowMs - this.heardMs) + COMMAND_MS - (nowMs - entry.acceptedMs),
    );
    const { id, isRepeated, traceparent, line } = entry;
    stream.append(['command', id, deadline, isRepeated ? 'again' : 'first', traceparent, line].join(FIELD));
  }

  private check(): void {
    const { link, clock } = this.options;
    const nowMs = clock.monotonicMs();
    if (link.isConnected && !this.wasConnected) this.options.sessionsUncertain();
    // The node has just been disconnected. Messages that the writer sends until the reconnection are lost,
    // which would be detected only at the writer's next message, so connections of trading programs are
    // closed now.
    if (!link.isConnected && this.wasConnected) this.endSockets('policy', MAY_BE_MISSING);
    this.wasConnected = link.isConnected;
    if (nowMs - this.lifeSignMs >= SIGN_OF_LIFE_EVERY_MS) {
      this.lifeSignMs = nowMs;
      this.stream?.append(['alive', this.options.version].join(FIELD));
    }
    for (const entry of this.pending.values()) this.checkPending(entry, nowMs);
  }

  private checkPending(entry: Pending, nowMs: number): void {
    const { sent, isRepeatable, isRepeated, acceptedMs } = entry;
    if (sent === undefined) {
      if (this.hasWriter()) this.transmit(entry);
      else if (nowMs - acceptedMs > (this.isWriterStopping ? NEXT_WRITER_AWAITED_MS : WRITER_AWAITED_MS))
        this.refuse(entry);
      return;
    }
    const isReplaced = sent.epoch !== this.epoch;
    if (nowMs - acceptedMs > COMMAND_MS) this.abandon(entry, 'no answer in time');
    else if (isReplaced && !isRepeatable) this.abandon(entry, 'the writer was replaced');
    else if (!isRepeatable || !this.hasWriter()) return;
    else if (isReplaced || (!isRepeated && nowMs - sent.ms > REPEAT_AFTER_MS)) this.transmit(entry);
  }

  private refuse(entry: Pending): void {
    this.pending.delete(entry.id);
    this.counted.refused.add();
    entry.reject(new NoAnswer('notExecuted', 'there is no writer'));
  }

  private abandon(entry: Pending, why: string): void {
    this.pending.delete(entry.id);
    if (entry.sent === undefined) {
      entry.reject(new NoAnswer('notExecuted', why));
      return;
    }
    this.counted.unknown.add();
    this.options.log.warn('cluster.outcome_unknown', { why, trace: entry.traceparent });
    entry.reject(new NoAnswer('unknown', why));
  }

  private receiveWriter(payload: Uint8Array): void {
    const [head = ''] = Buffer.from(payload).toString('utf8').split(LINE, 1);
    const [epochText = '', , writerMs] = head.split(FIELD);
    if (!/^\d{1,19}$/.test(epochText)) return;
    const epoch = BigInt(epochText);
    // Announcements of a writer that was replaced are ignored.
    if (this.epoch !== undefined && epoch < this.epoch) return;
    this.heardMs = this.options.clock.monotonicMs();
    this.writerMs = Number(writerMs);
    if (epoch !== this.epoch) this.followWriter(epoch);
  }

  private followWriter(epoch: bigint): void {
    const { link, name, log } = this.options;
    if (this.epoch !== undefined) this.options.sessionsUncertain();
    this.epoch = epoch;
    this.isWriterStopping = false;
    this.answers.stop();
    this.loseFiles('the writer was replaced');
    this.endSockets('restart', 'restart');
    this.stream = new FactStream({ link, subject: SUBJECTS.commands(epoch), generation: `${name}.${epoch}` });
    log.info('cluster.following', { epoch: String(epoch) });
    this.lifeSignMs = 0;
    this.check();
  }

  private receiveAnswers(payload: Uint8Array): void {
    const generation = generationOf(payload);
    if (generation === undefined || !generation.startsWith(`${this.epoch}.`)) return;
    if (this.answers.followed !== generation) {
      // A new generation of answers means that the writer had removed this node as silent and has registered it again,
      // so answers may be lost.
      if (this.answers.followed !== undefined) this.lose();
      this.answers.follow(generation, 0);
    }
    this.answers.receive(payload);
  }

  private receiveLine([kind, id = '', first = '', second = '']: readonly string[]): void {
    switch (kind) {
      case 'answer':
        this.answer(id, () =>
          textAnswerOf(JSON.parse(first) as Omit<TextAnswer, 'body'>, bodyOfField(second)),
        );
        return;
      case 'file':
        this.answer(id, () => this.openFile(id, JSON.parse(first) as FileHead, bytesOfField(second)));
        return;
      case 'part':
        this.files.get(id)?.received(bytesOfField(first));
        return;
      case 'end':
        this.files.get(id)?.received(undefined);
        return;
      case 'cut':
        this.files.get(id)?.failed(new Error('the writer has stopped sending the file'));
        return;
      case 'stopping':
        this.hold();
        return;
      case 'socket-text':
        this.sockets.get(id)?.received(bodyOfField(first));
        return;
      case 'socket-close': {
        const receiver = this.sockets.get(id);
        this.sockets.delete(id);
        receiver?.ended(first === 'restart' ? 'restart' : 'policy', second);
        return;
      }
      default:
      // A newer version of a writer may send kinds of messages that this version does not have; they are ignored.
    }
  }

  /**
   * From now on keeps new commands for the next writer, and confirms this to the stopping writer, which still answers
   * earlier commands.
   */
  private hold(): void {
    this.isWriterStopping = true;
    this.stream?.append('held');
    this.options.log.info('cluster.writer_stopping', { epoch: String(this.epoch) });
  }

  private answer(id: string, read: () => TextAnswer | SentFile): void {
    const entry = this.pending.get(id);
    if (entry === undefined) return;
    this.pending.delete(id);
    entry.resolve(read());
  }

  private openFile(id: string, head: FileHead, first: Buffer): SentFile {
    const { code, name, type } = head;
    return { code, name, type, first, rest: this.partsOf(id) };
  }

  /**
   * Yields the further parts of a file from the writer. Each part is requested when the previous one has been
   * consumed.
   */
  private async *partsOf(id: string): AsyncGenerator<Buffer, void> {
    let isOver = false;
    try {
      for (;;) {
        const part = await this.nextPart(id);
        if (part === undefined) {
          isOver = true;
          return;
        }
        yield part;
      }
    } finally {
      if (!isOver) this.stream?.append(['stop', id].join(FIELD));
    }
  }

  private nextPart(id: string): Promise<Buffer | undefined> {
    return new Promise<Buffer | undefined>((resolve, reject) => {
      const timer = setTimeout(
        () => this.files.get(id)?.failed(new Error('the writer does not continue a file')),
        PART_MS,
      );
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        this.files.delete(id);
        finish();
      };
      this.files.set(id, {
        received: (part) => settle(() => resolve(part)),
        failed: (reason) => settle(() => reject(reason)),
      });
      this.stream?.append(['more', id].join(FIELD));
    });
  }

  /**
   * Handles the loss of messages from the writer: file transfers fail, and connections of trading programs are closed.
   * Repeatable commands without an answer are sent again later; others reach their deadline.
   */
  private lose(): void {
    this.counted.losses.add();
    this.options.log.warn('cluster.messages_lost', { scope: 'answers' });
    this.loseFiles('a part of the file is missing');
    this.endSockets('policy', MAY_BE_MISSING);
  }

  private endSockets(kind: 'policy' | 'restart', reason: string): void {
    const receivers = [...this.sockets.values()];
    this.sockets.clear();
    for (const receiver of receivers) receiver.ended(kind, reason);
  }

  private loseFiles(why: string): void {
    for (const file of this.files.values()) file.failed(new Error(why));
  }

  private receiveSessionEnded(payload: Uint8Array): void {
    const [sessionId = '', userId = ''] = Buffer.from(payload).toString('utf8').split(FIELD);
    this.options.sessionEnded(sessionId, userId as UserId);
  }
}

function textAnswerOf(head: Omit<TextAnswer, 'body'>, body: string): TextAnswer {
  const { status, code, retryAfter, headers, type, sharers } = head;
  return {
    status,
    code,
    retryAfter,
    headers,
    type,
    sharers,
    body,
  };
}

/** Returns a new trace parent in the format of the W3C: `00-TRACE-SPAN-01`. */
function newTraceparent(): string {
  const bytes = randomBytes(24).toString('hex');
  return `00-${bytes.slice(0, 32)}-${bytes.slice(32)}-01`;
}
