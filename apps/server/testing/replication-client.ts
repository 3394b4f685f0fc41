import { once } from 'node:events';
import pg from 'pg';
import type { EmbeddedPostgres } from '../src/platform/database/embedded/supervisor.ts';

/** The protocol connection of a `pg` client, which the types of the package leave out. */
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
 * Receives the log of a PostgreSQL server like a streaming copy, and reports it as applied when the test says so. To the
 * server it is a copy named `name`.
 */
export class ReplicationClient {
  private readonly client: pg.Client;
  private readonly connection: ProtocolConnection;
  private received = 0n;

  constructor(server: EmbeddedPostgres['connection'], name: string) {
    const options = { ...server, application_name: name, replication: 'true' };
    this.client = new pg.Client(options);
    this.connection = (this.client as unknown as { readonly connection: ProtocolConnection }).connection;
    // The server may stop before this client.
    this.client.on('error', () => undefined);
  }

  /** Starts to receive at the present end of the log, without reporting that anything was applied. */
  async start(): Promise<void> {
    await this.client.connect();
    this.connection.on('copyData', ({ chunk }) => this.receive(chunk));
    const { rows } = await this.client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
    const started = once(this.connection as unknown as NodeJS.EventEmitter, 'replicationStart');
    // The query ends only with the replication.
    this.client.query(`START_REPLICATION PHYSICAL ${rows[0]!.xlogpos}`).catch(() => undefined);
    await started;
    this.report(positionOf(rows[0]!.xlogpos));
  }

  /** Reports everything that was received as applied. */
  apply(): void {
    this.report(this.received);
  }

  async end(): Promise<void> {
    // The loss of the connection is also reported as an error, with which `events.once` would reject.
    const ended = new Promise<void>((resolve) => void this.client.once('end', resolve));
    this.connection.stream.destroy();
    await ended;
  }

  private receive(chunk: Buffer): void {
    if (chunk[0] === WAL_DATA) this.received = chunk.readBigUInt64BE(1) + BigInt(chunk.length - 25);
    if (chunk[0] === KEEP_ALIVE) this.received = chunk.readBigUInt64BE(1);
  }

  /** Sends a standby status update: written, flushed and applied up to a position of the log. */
  private report(position: bigint): void {
    const message = Buffer.alloc(34);
    message.write('r');
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(position, at);
    this.connection.sendCopyFromChunk(message);
  }
}

/** Parses a position of the log such as `0/16B3748`. */
function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
