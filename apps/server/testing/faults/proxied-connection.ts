import type { Socket } from 'node:net';
import { isExecuted, type ResponseFault, type Fault, type RequestFault } from './faults.ts';
import {
  applicationOf,
  errorBytes,
  isInTransaction,
  isReady,
  isStartup,
  MessageSplitter,
  readyBytes,
  requestOf,
  type DatabaseError,
  type Message,
  type Request,
} from './messages.ts';

/**
 * Interface of the object that selects the fault which the proxy injects for a database request, before the
 * proxy forwards the request. The proxy calls `injected` after the injection.
 */
export interface FaultSource {
  faultFor(connection: ProxiedConnection, request: Request): Fault | undefined;
  injected(fault: Fault): void;
}

/**
 * Type letters of PostgreSQL client messages that end a request: sync, simple query, and terminate.
 */
const REQUEST_ENDS = new Set(['S', 'Q', 'X']);
/**
 * Milliseconds after which PostgreSQL detects by TCP keepalive that a client of a database pool is dead. For the
 * writer's session PostgreSQL needs 11 s.
 */
const KEEPALIVE_TIMEOUT_MS = 25_000;
/** Type letter of a password message, which precedes the first request. */
const PASSWORD = 'p';

/**
 * One client's connection through the proxy to PostgreSQL. The proxy collects messages until a request is complete, and
 * forwards responses message by message, so that a fault occurs exactly between two messages or in the middle of one.
 */
export class ProxiedConnection {
  /** The client's application name, as PostgreSQL sees it. */
  application = '';
  inTransaction = false;
  private readonly client: Socket;
  private readonly server: Socket;
  private readonly source: FaultSource;
  private readonly fromClient = new MessageSplitter({ opening: true });
  private readonly fromServer = new MessageSplitter({ opening: false });
  private request: Message[] = [];
  /**
   * The fault that is injected into the response to the current request; undefined if the response is forwarded
   * unchanged.
   */
  private pending: ResponseFault | undefined;
  /**
   * The messages of the current response that have arrived, collected only while a fault of the response is pending.
   */
  private answer: Message[] = [];
  private isSilent = false;
  /** Timers of delayed actions; cancelled when the connection is cut. */
  private readonly delays = new Set<NodeJS.Timeout>();

  constructor(client: Socket, server: Socket, source: FaultSource) {
    this.client = client;
    this.server = server;
    this.source = source;
    client.setNoDelay(true);
    client.on('data', (bytes) => this.receiveFromClient(bytes));
    server.on('data', (bytes) => this.receiveFromServer(bytes));
    // If one side closes its connection, the proxy closes the connection to the other side, unless it simulates a
    // half-open connection.
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!this.isSilent) to.destroy();
      });
    }
  }

  /** Breaks the connection on both sides. The client receives a TCP reset. */
  cut(): void {
    for (const delay of this.delays) clearTimeout(delay);
    this.delays.clear();
    // The client's socket is destroyed instead of reset if this side has already ended it. Otherwise Node
    // would lose the socket, and the process would never exit.
    if (this.client.writableEnded) this.client.destroy();
    else this.client.resetAndDestroy();
    this.server.destroy();
  }

  /**
   * Makes the connection half-open: nothing passes, and neither side learns that the other has closed. After
   * `KEEPALIVE_TIMEOUT_MS` the database's side is closed, as PostgreSQL does when TCP keepalive fails.
   */
  silence(): void {
    this.isSilent = true;
    const keepaliveTimeout = setTimeout(() => {
      this.delays.delete(keepaliveTimeout);
      this.server.destroy();
    }, KEEPALIVE_TIMEOUT_MS);
    keepaliveTimeout.unref();
    this.delays.add(keepaliveTimeout);
  }

  /** Delays the data of both directions until `resume`. */
  pause(): void {
    this.client.pause();
    this.server.pause();
  }

  resume(): void {
    this.client.resume();
    this.server.resume();
  }

  get isOpen(): boolean {
    return !this.client.destroyed || !this.server.destroyed;
  }

  private receiveFromClient(bytes: Buffer): void {
    for (const message of this.fromClient.push(bytes)) {
      if (this.isSilent || this.server.destroyed) return;
      if (message.type === '') {
        if (isStartup(message.bytes)) this.application = applicationOf(message.bytes);
        this.server.write(message.bytes);
      } else if (message.type === PASSWORD) {
        this.server.write(message.bytes);
      } else {
        this.request.push(message);
        if (REQUEST_ENDS.has(message.type)) this.passRequest();
      }
    }
  }

  private passRequest(): void {
    const request = requestOf(this.request);
    this.request = [];
    const fault = this.source.faultFor(this, request);
    if (fault !== undefined && !isExecuted(fault)) {
      this.strikeRequest(fault, request);
      return;
    }
    this.pending = fault;
    this.server.write(request.bytes);
  }

  private strikeRequest(fault: RequestFault, { bytes }: Request): void {
    switch (fault.kind) {
      case 'cutBefore':
        this.cut();
        break;
      case 'cutWithin':
        this.server.write(bytes.subarray(0, bytes.length >> 1), () => this.cut());
        break;
      case 'silenceBefore':
        this.silence();
        break;
      case 'errorInstead':
        this.answerWith(fault.error);
        break;
    }
    this.source.injected(fault);
  }

  private receiveFromServer(bytes: Buffer): void {
    for (const message of this.fromServer.push(bytes)) {
      if (this.isSilent) return;
      if (this.pending !== undefined) {
        this.answer.push(message);
        if (isReady(message)) this.strikeAnswer(this.pending, message);
        continue;
      }
      if (isReady(message)) this.inTransaction = isInTransaction(message);
      this.client.write(message.bytes);
    }
  }

  private strikeAnswer(fault: ResponseFault, ready: Message): void {
    const bytes = Buffer.concat(this.answer.map((message) => message.bytes));
    this.answer = [];
    this.pending = undefined;
    this.inTransaction = isInTransaction(ready);
    switch (fault.kind) {
      case 'cutAfter':
        this.cut();
        break;
      case 'cutWithinAnswer':
        this.client.write(bytes.subarray(0, bytes.length >> 1), () => this.cut());
        break;
      case 'silenceAfter':
        this.silence();
        break;
      case 'errorAfter':
        this.answerWith(fault.error);
        break;
      case 'delay':
        this.answerLater(bytes, fault.ms);
        break;
    }
    this.source.injected(fault);
  }

  private answerLater(bytes: Buffer, ms: number): void {
    const delay = setTimeout(() => {
      this.delays.delete(delay);
      if (!this.isSilent) this.client.write(bytes);
    }, ms);
    this.delays.add(delay);
  }

  private answerWith(error: DatabaseError): void {
    if (error.severity === 'ERROR') this.client.write(Buffer.concat([errorBytes(error), readyBytes()]));
    else {
      this.client.end(errorBytes(error));
      this.server.destroy();
    }
  }
}
