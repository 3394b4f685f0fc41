import { once } from 'node:events';
import pg from 'pg';
import type { EmbeddedPostgres } from '../src/platform/database/embedded/supervisor.ts';

/** The protocol connection of a `pg` client. The package's type declarations do not contain it. */
interface ProtocolConnection {
  on(event: 'replicationStart', received: () => void): void;
  on(event: 'copyData', received: (message: { readonly chunk: Buffer }) => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
  readonly stream: { destroy(): void };
}

/** First byte of messages of the streaming replication protocol. */
const WAL_DATA = 'w'.charCodeAt(0);
const KEEP_ALIVE = 'k'.charCodeAt(0);

/**
 * Receives the write-ahead log of a PostgreSQL server like a streaming replica. Only `apply` reports the received log
 * as applied. The server lists the client as a replica named `name`.
 */
export class ReplicationClient {
  private readonly client: pg.Client;
  private readonly connection: ProtocolConnection;
  private received = 0n;

  constructor(server: EmbeddedPostgres['connection'], name: string) {
    const options = { ...server, application_name: name, replication: 'true' };
    this.client = new pg.Client(options);
    this.connection = (this.client as unknown as { readonly connection: ProtocolConnection }).connection;
    // The server may stop before this client, which causes an error event.
    this.client.on('error', () => undefined);
  }

  /**
   * Starts to receive at the current end of the log. Until `apply` is called, this position is reported to the server
   * as the last one applied.
   */
  async start(): Promise<void> {
    await this.client.connect();
    this.connection.on('copyData', ({ chunk }) => this.receive(chunk));
    const { rows } = await this.client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
    const started = once(this.connection as unknown as NodeJS.EventEmitter, 'replicationStart');
    // The query does not return before the replication ends.
    this.client.query(`START_REPLICATION PHYSICAL ${rows[0]!.xlogpos}`).catch(() => undefined);
    await started;
    this.report(positionOf(rows[0]!.xlogpos));
  }

  /** Reports to the server that all log received so far is applied. */
  apply(): void {
    this.report(this.received);
  }

  async end(): Promise<void> {
    // The client also emits `error` for the lost connection, and `events.once` would then reject. Therefore this code
    // listens for `end` only.
    const ended = new Promise<void>((resolve) => void this.client.once('end', resolve));
    this.connection.stream.destroy();
    await ended;
  }

  private receive(chunk: Buffer): void {
    if (chunk[0] === WAL_DATA) this.received = chunk.readBigUInt64BE(1) + BigInt(chunk.length - 25);
    if (chunk[0] === KEEP_ALIVE) this.received = chunk.readBigUInt64BE(1);
  }

  /**
   * Sends the server a standby status update, which reports the log up to a position as written, flushed and applied.
   */
  private report(position: bigint): void {
    const message = Buffer.alloc(34);
    message.write('r');
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(position, at);
    this.connection.sendCopyFromChunk(message);
  }
}

/** Parses a position of PostgreSQL's write-ahead log such as `0/16B3748`. */
function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
