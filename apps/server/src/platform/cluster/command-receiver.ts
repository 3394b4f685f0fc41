import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { TextProtocol } from '../feed/text-sockets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  bodyField,
  bytesField,
  type Command,
  type FileHead,
  type SocketHead,
  type TextAnswer,
} from './commands.ts';
import { FactReader, FactStream, generationOf } from './facts.ts';
import { FIELD, SUBJECTS, type Link } from './link.ts';
import { RelayedSockets } from './relayed-sockets.ts';

/** A file as the answer to a command. `first` is the file's first part; `rest` yields the further parts. */
export interface ServedFile {
  readonly head: FileHead;
  readonly first: string | Buffer;
  readonly rest: AsyncGenerator<string | Buffer, void>;
}

/** Facts about the delivery of a command, in addition to the command itself. */
export interface CommandContext {
  /** Whether the node has sent the command before, so that it may already have been executed. */
  readonly isRepeated: boolean;
  /** W3C trace parent of the original request. */
  readonly traceparent: string;
}

export type ServeCommand = (command: Command, context: CommandContext) => Promise<TextAnswer | ServedFile>;

export interface CommandReceiverOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Executes a command. Resolves to its answer, which may be a refusal. */
  readonly serve: ServeCommand;
  /** Serves the WebSocket connections of trading programs that API nodes accept; undefined if nodes accept none. */
  readonly sockets?: TextProtocol | undefined;
}

const CHECK_EVERY_MS = 1_000;
/**
 * Milliseconds without a message after which an API node is removed: its file transfers end, and the connections of its
 * trading programs are closed. Each node sends a message at least every second.
 */
const NODE_SILENT_MS = 10_000;
const NODES_MAX = 256;
/**
 * Maximum number of commands of an API node that are executed at the same time. Further ones are dropped without an
 * answer. A node itself limits its unanswered commands to a smaller number.
 */
const COMMANDS_PER_NODE_MAX = 4_096;
/** Milliseconds within which an API node must fetch the next part of a file. Otherwise the transfer is abandoned. */
const PART_AWAITED_MS = 60_000;
/**
 * Maximum number of milliseconds that a stop of the writer waits for commands being executed and files being fetched.
 */
const STOP_MS = 5_000;
/**
 * Maximum number of milliseconds that a stop of the writer waits for API nodes to confirm that they send no more
 * commands.
 */
const HOLD_MS = 1_000;
const STOP_CHECK_MS = 10;
const NODE_NAME = /^[A-Za-z0-9-]{1,64}$/;

interface OpenFile {
  readonly rest: AsyncGenerator<string | Buffer, void>;
  /** Monotonic time in milliseconds at which the last part of the file was sent to the node. */
  sentMs: number;
  isBusy: boolean;
}

/** An API node that sends commands to this writer. */
interface ApiNode {
  readonly name: string;
  readonly reader: FactReader;
  readonly answers: FactStream;
  readonly running: Set<string>;
  readonly files: Map<string, OpenFile>;
  readonly sockets: RelayedSockets | undefined;
  heardMs: number;
  version: string;
  /** Whether the node has confirmed that it sends no more commands to this writer. */
  isHolding: boolean;
}

/** Data about an API node that the console shows. */
export interface ApiNodeStatus {
  readonly name: string;
  readonly version: string;
  readonly running: number;
  /** Milliseconds since the last message of the API node. */
  readonly silentMs: number;
}

/**
 * The writer's end of the command channel. It receives the commands of its epoch, executes them like requests to its
 * own HTTP server, and answers after the outcome is stored. A command that arrives after its deadline is neither
 * executed nor answered, because the node may already have answered the caller that the outcome is unknown.
 */
export class CommandReceiver {
  private readonly options: CommandReceiverOptions;
  private readonly nodes = new Map<string, ApiNode>();
  private readonly counted: Readonly<Record<'executed' | 'late' | 'losses', { add(): void }>>;
  private epoch = 0n;
  private registrations = 0;
  private isStopping = false;
  private endCommands: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: CommandReceiverOptions) {
    this.options = options;
    const { metrics } = options;
    metrics.gauge('cluster_api_nodes', 'API nodes that send commands to this writer', () => this.nodes.size);
    metrics.gauge('cluster_commands_running', 'Commands of API nodes that are being executed', () =>
      this.status().reduce((sum, { running }) => sum + running, 0),
    );
    this.counted = {
      executed: metrics.counter(
        'cluster_commands_executed_total',
        'Commands of API nodes that were executed',
      ),
      late: metrics.counter(
        'cluster_commands_late_total',
        'Commands of API nodes that were not executed, because their deadline had passed',
      ),
      losses: metrics.counter(
        'cluster_command_losses_total',
        'Times that messages of API nodes were missing',
      ),
    };
  }

  /** Starts executing commands as the writer of an epoch. Call it when the state is loaded. */
  start(epoch: bigint): void {
    this.epoch = epoch;
    this.endCommands = this.options.link.subscribe(SUBJECTS.commands(epoch), (payload) =>
      this.receive(payload),
    );
    this.timer = setInterval(() => this.forgetSilentNodes(), CHECK_EVERY_MS);
  }

  /**
   * Notifies all API nodes that they must hold further commands for the next writer, and waits at most 1 s for their
   * confirmations. Then waits at most 5 s until earlier commands are answered and files are fetched, and closes the
   * connections of trading programs.
   */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.isStopping = true;
    for (const node of this.nodes.values()) node.answers.append('stopping');
    await this.waitWhile(() => [...this.nodes.values()].some(({ isHolding }) => !isHolding), HOLD_MS);
    this.endCommands();
    await this.waitWhile(
      () =>
        [...this.nodes.values()].some(
          ({ running, files, sockets }) => running.size + files.size + (sockets?.runningCount ?? 0) > 0,
        ),
      STOP_MS,
    );
    for (const node of this.nodes.values()) {
      node.sockets?.closeAll('restart');
      node.answers.flush();
      this.remove(node);
    }
  }

  private async waitWhile(isPending: () => boolean, longestMs: number): Promise<void> {
    const { clock } = this.options;
    const endMs = clock.monotonicMs() + longestMs;
    while (isPending() && clock.monotonicMs() < endMs)
      await new Promise((resolve) => setTimeout(resolve, STOP_CHECK_MS));
  }

  /**
   * Returns one row for each API node that was not removed as silent: its name, version, number of commands
   * being executed, and the milliseconds since its last message.
   */
  status(): readonly ApiNodeStatus[] {
    const nowMs = this.options.clock.monotonicMs();
    return [...this.nodes.values()].map(({ name, version, running, heardMs }) => ({
      name,
      version,
      running: running.size,
      silentMs: nowMs - heardMs,
    }));
  }

  private receive(payload: Uint8Array): void {
    const generation = generationOf(payload);
    const name = generation?.split('.')[0];
    if (generation === undefined || name === undefined) return;
    const node = this.nodes.get(name) ?? this.register(name, generation);
    if (node === undefined) return;
    node.heardMs = this.options.clock.monotonicMs();
    node.reader.receive(payload);
  }

  private register(name: string, generation: string): ApiNode | undefined {
    const { link, clock, log, sockets } = this.options;
    if (!NODE_NAME.test(name) || this.nodes.size >= NODES_MAX) {
      log.warn('cluster.node_refused', { node: name.slice(0, 64) });
      return undefined;
    }
    this.registrations += 1;
    let isFirst = true;
    const answers = new FactStream({
      link,
      subject: SUBJECTS.answersOf(name),
      generation: `${this.epoch}.${this.registrations}`,
    });
    const node: ApiNode = {
      name,
      reader: new FactReader({
        received: (line) => {
          isFirst = false;
          this.receiveLine(node, line.split(FIELD));
        },
        lost: () => {
          // The first message of a node that registers again has a higher number than expected although no message was
          // lost. This gap is not counted as a loss.
          if (!isFirst) this.counted.losses.add();
          // Messages of trading programs may have been lost, so their connections on this node are closed.
          node.sockets?.closeAll('lost');
          isFirst = false;
        },
      }),
      answers,
      running: new Set(),
      files: new Map(),
      sockets:
        sockets &&
        new RelayedSockets({ protocol: sockets, node: name, send: (line) => answers.append(line) }),
      heardMs: clock.monotonicMs(),
      version: '',
      isHolding: false,
    };
    node.reader.follow(generation, 0);
    this.nodes.set(name, node);
    if (this.isStopping) node.answers.append('stopping');
    log.info('cluster.api_node_joined', { node: name });
    return node;
  }

  private forgetSilentNodes(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const node of this.nodes.values()) {
      for (const [id, file] of node.files)
        if (!file.isBusy && nowMs - file.sentMs > PART_AWAITED_MS) this.closeFile(node, id);
      if (nowMs - node.heardMs <= NODE_SILENT_MS) continue;
      this.remove(node);
      this.options.log.warn('cluster.node_gone', { node: node.name });
    }
  }

  private remove(node: ApiNode): void {
    this.nodes.delete(node.name);
    for (const id of node.files.keys()) this.closeFile(node, id);
    node.sockets?.closeAll('lost');
  }

  private receiveLine(node: ApiNode, [kind, id = '', ...fields]: readonly string[]): void {
    switch (kind) {
      case 'alive':
        node.version = id;
        // A node with connections of trading programs gets an answer, from whose number it detects whether it
        // has missed earlier messages of the writer.
        if ((node.sockets?.size ?? 0) > 0) node.answers.append('alive');
        return;
      case 'command':
        this.execute(node, id, fields);
        return;
      case 'more':
        void this.sendPart(node, id);
        return;
      case 'stop':
        this.closeFile(node, id);
        return;
      case 'socket-open':
        node.sockets?.open(id, socketHead(fields));
        return;
      case 'socket-text':
        node.sockets?.receive(id, fields[0] ?? '');
        return;
      case 'socket-close':
        node.sockets?.close(id);
        return;
      case 'held':
        node.isHolding = true;
        return;
      case 'bye':
        this.remove(node);
        this.options.log.info('cluster.node_left', { node: node.name });
        return;
      default:
      // A newer version of a node may send kinds of messages that this version does not have; they are ignored.
    }
  }

  private execute(
    node: ApiNode,
    id: string,
    [deadlineMs = '', attempt = '', traceparent = '', json = '']: readonly string[],
  ): void {
    const { clock, log } = this.options;
    if (clock.monotonicMs() > Number(deadlineMs)) {
      this.counted.late.add();
      log.warn('cluster.command_late', { node: node.name, trace: traceparent });
      return;
    }
    // A repeated command that is still being executed is ignored, because its first execution will be answered. A
    // command beyond the limit is dropped.
    if (node.running.has(id) || node.running.size >= COMMANDS_PER_NODE_MAX) return;
    node.running.add(id);
    this.counted.executed.add();
    void this.answer(node, id, json, { isRepeated: attempt === 'again', traceparent }).finally(() =>
      node.running.delete(id),
    );
  }

  private async answer(node: ApiNode, id: string, json: string, context: CommandContext): Promise<void> {
    try {
      const answer = await this.options.serve(JSON.parse(json) as Command, context);
      if ('body' in answer) {
        const { body, status, code, retryAfter, headers, type, sharers } = answer;
        const head = JSON.stringify({ status, code, retryAfter, headers, type, sharers });
        node.answers.append(['answer', id, head, bodyField(body)].join(FIELD));
        return;
      }
      const { head, first, rest } = answer;
      if (this.nodes.get(node.name) !== node) {
        await rest.return();
        return;
      }
      node.files.set(id, { rest, sentMs: this.options.clock.monotonicMs(), isBusy: false });
      node.answers.append(['file', id, JSON.stringify(head), bytesField(first)].join(FIELD));
    } catch (cause) {
      // The node gets no answer. It then repeats the command, or answers its caller that the outcome is unknown.
      this.options.log.error('cluster.command_failed', {
        node: node.name,
        trace: context.traceparent,
        cause,
      });
    }
  }

  private async sendPart(node: ApiNode, id: string): Promise<void> {
    const file = node.files.get(id);
    if (file === undefined) {
      node.answers.append(['cut', id].join(FIELD));
      return;
    }
    if (file.isBusy) return;
    file.isBusy = true;
    try {
      const { done, value } = await file.rest.next();
      file.sentMs = this.options.clock.monotonicMs();
      if (done === true) {
        node.files.delete(id);
        node.answers.append(['end', id].join(FIELD));
      } else node.answers.append(['part', id, bytesField(value)].join(FIELD));
    } catch (cause) {
      node.files.delete(id);
      this.options.log.warn('http.file_cut', { node: node.name, cause });
      node.answers.append(['cut', id].join(FIELD));
    } finally {
      file.isBusy = false;
    }
  }

  private closeFile(node: ApiNode, id: string): void {
    const file = node.files.get(id);
    node.files.delete(id);
    file?.rest.return().catch((cause: unknown) => {
      this.options.log.warn('http.file_cut', { node: node.name, cause });
    });
  }
}

function socketHead([url = '', address = '', addressGroup = '']: readonly string[]): SocketHead {
  return { url, address, addressGroup };
}
