import type { Socket } from 'node:net';
import { isCarriedOut, type AnswerFault, type Fault, type RequestFault } from './faults.ts';
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

/** What a connection asks before it passes a request on; once a fault has been done to it, it says so. */
export interface FaultSource {
  faultFor(connection: ProxiedConnection, request: Request): Fault | undefined;
  inflicted(fault: Fault): void;
}

/** The types of client messages that end a request: sync, simple query, and goodbye. */
const REQUEST_ENDS = new Set(['S', 'Q', 'X']);
/** When the keepalive that our sessions ask for tells the database that nobody is there any more. */
const GIVEN_UP_AFTER_MS = 25_000;
/** Passwords are asked for by the database before it is ready for requests. */
const PASSWORD = 'p';

/**
 * One connection through the proxy. Requests are collected until they are complete and answers passed on
 * message by message, so that a fault strikes exactly between two of them or in the middle of one.
 */
export class ProxiedConnection {
  /** What the client calls itself. */
  application = '';
  inTransaction = false;
  private readonly client: Socket;
  private readonly server: Socket;
  private readonly source: FaultSource;
  private readonly fromClient = new MessageSplitter({ opening: true });
  private readonly fromServer = new MessageSplitter({ opening: false });
  private request: Message[] = [];
  /** What strikes when the answer to the request under way is complete, and the answer so far. */
  private pending: AnswerFault | undefined;
  private answer: Message[] = [];
  private isSilent = false;
  /** What is still to happen, unless the connection is cut before. */
  private readonly delays = new Set<NodeJS.Timeout>();

  constructor(client: Socket, server: Socket, source: FaultSource) {
    this.client = client;
    this.server = server;
    this.source = source;
    client.setNoDelay(true);
    client.on('data', (bytes) => this.fromClientCame(bytes));
    server.on('data', (bytes) => this.fromServerCame(bytes));
    // How one side ends is told to the other, unless the line is dead.
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

  /** Breaks the connection on both sides at once; the client is told by a reset. */
  cut(): void {
    for (const delay of this.delays) clearTimeout(delay);
    this.delays.clear();
    // A side that is just saying goodbye cannot be reset: Node loses such a socket, and its process never ends.
    if (this.client.writableEnded) this.client.destroy();
    else this.client.resetAndDestroy();
    this.server.destroy();
  }

  /**
   * From now on nothing passes and nobody is told, not even when the other side has gone; as over a line
   * that died, the database notices after a while by itself.
   */
  silence(): void {
    this.isSilent = true;
    const givenUp = setTimeout(() => {
      this.delays.delete(givenUp);
      this.server.destroy();
    }, GIVEN_UP_AFTER_MS);
    givenUp.unref();
    this.delays.add(givenUp);
  }

  /** Holds everything back for the time being; both sides notice nothing but the wait. */
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

  private fromClientCame(bytes: Buffer): void {
    for (const message of this.fromClient.take(bytes)) {
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
    if (fault !== undefined && !isCarriedOut(fault)) {
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
    this.source.inflicted(fault);
  }

  private fromServerCame(bytes: Buffer): void {
    for (const message of this.fromServer.take(bytes)) {
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

  private strikeAnswer(fault: AnswerFault, ready: Message): void {
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
    this.source.inflicted(fault);
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
