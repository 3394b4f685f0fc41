import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { openNodeReads } from '../src/node-reads.ts';
import { callNameOf } from '../src/platform/cluster/executed-commands.ts';
import { InProcessBroker } from '../src/platform/cluster/in-process-link.ts';
import type { FormFields } from '../src/platform/http/form.ts';
import { Metrics } from '../src/platform/metrics/metrics.ts';
import { fileResponse, parseResponse, type ApiResponse, type RequestFields } from './calling.ts';
import { urlOf } from './database.ts';
import type { TestExchange, TestTrader } from './exchange.ts';
import { nodeConfig } from './node-config.ts';
import { recordingLog } from './recording-log.ts';

const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
const PASSWORD = 'of-a-test';

/** The calls that an API node of a test answers itself, from the database of the exchange. */
export interface TestNodeReads {
  /** The log of the node; it has an entry for each call that could not be answered because of an error. */
  readonly log: ReturnType<typeof recordingLog>;
  /** Returns the answer of the node; undefined if the node leaves the call to the writer. */
  read<E extends Endpoint>(
    endpoint: E,
    trader: TestTrader,
    fields?: RequestFields<E>,
  ): Promise<ApiResponse<DataOf<E>> | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the calls that an API node answers itself. The test's database takes the place of the replica, and the node has
 * a role with the rights that `deploy/api-node.sql` grants.
 */
export async function nodeReadsOf(exchange: TestExchange): Promise<TestNodeReads> {
  const { connection, pool } = exchange.database;
  const role = `api_node_${randomBytes(6).toString('hex')}`;
  const rights = readFileSync(join(rootDirectory, 'deploy/api-node.sql'), 'utf8');
  await pool.query(`create role ${role} login password '${PASSWORD}'`);
  await pool.query(rights.replace('to api_node;', `to ${role};`));
  const url = urlOf(
    'connectionString' in connection ? connection : { ...connection, user: role, password: PASSWORD },
  );
  const { config, remove } = nodeConfig({
    ROLE: 'api',
    NATS_URL: 'nats://127.0.0.1:4222',
    DATABASE_URL: url,
    REPLICA_DATABASE_URL: url,
  });
  const log = recordingLog();
  const link = new InProcessBroker().connect();
  const opened = await openNodeReads(
    {
      log,
      link,
      config,
      clock: exchange.clock,
      databaseLog: () => undefined,
    },
    { sessions: exchange.edgeParts.sessions, metrics: new Metrics() },
  );
  const answerOf = async (endpoint: Endpoint, trader: TestTrader, fields: FormFields) => {
    const answer = await opened!.reads.serving(callNameOf({ endpoint }))?.({
      session: { id: `session of ${trader.id}`, userId: trader.id },
      locale: 'en-US',
      address: '203.0.113.9',
      userAgent: '',
      traceId: 'test',
      traceparent: undefined,
      sentKey: undefined,
      fields,
      file: undefined,
    });
    if (answer === undefined || 'body' in answer) return answer && parseResponse(answer.status, answer.body);
    let text = answer.file.first.toString();
    for await (const part of answer.file.rest) text += part.toString();
    const isJson = answer.file.type.startsWith('application/json');
    return isJson ? parseResponse(answer.status, text) : fileResponse(text);
  };
  return {
    log,
    read: async (endpoint, trader, fields = {}) => {
      // The writer serves the first call of a session, because it records the session's use.
      await answerOf(endpoint, trader, fields);
      return (await answerOf(endpoint, trader, fields)) as ApiResponse<never> | undefined;
    },
    close: async () => {
      await opened?.stop();
      await link.close();
      remove();
      await pool.query(`drop owned by ${role}`);
      await pool.query(`drop role ${role}`);
    },
  };
}
