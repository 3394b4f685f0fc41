import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { clientOptions, type DatabaseConnection } from '../../apps/server/src/platform/database/pool.ts';

const CHUNK_CHARACTERS = 262_144;
/** Text that stands for NULL in the text format of PostgreSQL's COPY. */
export const NULL: string = String.raw`\N`;

/** A value in the text format of COPY. The values of this benchmark need no escaping. */
export type Cell = string | number | bigint | boolean | null;

/**
 * Empties a table and all tables that refer to it, and then fills the table row by row over a separate database
 * connection. Triggers do not run, and foreign keys are not checked.
 */
export class CopyTarget {
  private readonly client: pg.Client;
  private readonly stream: Writable;
  private text = '';

  private constructor(client: pg.Client, stream: Writable) {
    this.client = client;
    this.stream = stream;
  }

  static async open(
    connection: DatabaseConnection,
    table: string,
    columns: readonly string[],
  ): Promise<CopyTarget> {
    const client = new pg.Client({ ...clientOptions(connection, 'bench large data'), statement_timeout: 0 });
    await client.connect();
    await client.query('set synchronous_commit = off; set session_replication_role = replica');
    // COPY FREEZE writes the rows as already frozen. This is possible because this transaction has emptied the table.
    // With `wal_level = minimal` PostgreSQL does not write the rows to its log.
    await client.query(`begin; truncate ${table} cascade`);
    const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin with (freeze)`));
    return new CopyTarget(client, stream);
  }

  row(...cells: readonly Cell[]): void {
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at]!;
      this.text += (at === 0 ? '' : '\t') + (cell === null ? NULL : String(cell));
    }
    this.text += '\n';
  }

  /**
   * Adds a row that the caller has already joined to one text with tabs, without a line end. The benchmark
   * uses this for the largest tables, because it is faster.
   */
  line(text: string): void {
    this.text += `${text}\n`;
  }
  /**
   * Sends the buffered rows to the database if there are many. If the connection cannot take more rows now, waits until
   * it can.
   */
  async drain(): Promise<void> {
    if (this.text.length < CHUNK_CHARACTERS) return;
    const { text } = this;
    this.text = '';
    if (!this.stream.write(text)) await once(this.stream, 'drain');
  }

  async end(): Promise<void> {
    const ended = finished(this.stream);
    this.stream.end(this.text);
    this.text = '';
    await ended;
    await this.client.query('commit');
    await this.client.end();
  }
}
