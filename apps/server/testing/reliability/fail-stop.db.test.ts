import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { callOver } from '../calling.ts';
import { RECOVERY_MAX_MS, eventually, PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { registerAt } from '../register.ts';
import { requireBuiltServer } from './built-server.ts';
import { ServerProcess } from './server-process.ts';

const THROWS_ON_SIGNAL = `process.on('SIGUSR2', () => { throw new Error('planted'); })`;
const ATTEMPTS = 5;
const QUIET_MS = 700;
const STORED = 'select sequence from writer';
const HOLD = 'begin; select 1 from writer for update';
const WAITING_COMMIT = `select from pg_stat_activity where application_name = 'exchange-writer' and wait_event_type = 'Lock'`;

describe('an uncaught error', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it(
    'SEQ-037 ends the process without storing steps executed after the running commit',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      vi.stubEnv(
        'NODE_OPTIONS',
        `--import data:text/javascript,${encodeURIComponent(THROWS_ON_SIGNAL).replaceAll("'", '%27')}`,
      );
      vi.stubEnv('HOUSE_TRADING', 'off');
      const server = await ServerProcess.prepare();
      const clients: pg.Client[] = [];
      const connect = async () => {
        const client = new pg.Client(clientOptions(server.connection, 'test'));
        // The server shuts its database down, which ends this connection.
        client.on('error', () => undefined);
        await client.connect();
        clients.push(client);
        return client;
      };
      try {
        // A job of the server may be in the running commit instead of the first call; then the attempt is
        // repeated.
        let wasCommitting = false;
        for (let attempt = 0; attempt < ATTEMPTS && !wasCommitting; attempt += 1) {
          await server.start();
          const { id, token } = await registerAt(server.url);
          const send = (clientId: string) =>
            callOver(server.url, cancelAllOrders, { clientId }, { token }).catch(() => undefined);
          const lockHolder = await connect();
          const observer = await connect();
          const commitWaits = () =>
            eventually(async () => expect((await observer.query(WAITING_COMMIT)).rowCount).toBe(1));
          const stored = async () => (await observer.query(STORED)).rows;
          // Work left over from the registration and the start is done.
          await eventually(async () => {
            const before = await stored();
            await sleep(QUIET_MS);
            expect(await stored()).toEqual(before);
          });
          // The writer renews its lease through the same row every second: right after a renewal, the next commit is the call's.
          await lockHolder.query(HOLD);
          await commitWaits();
          await lockHolder.query(`rollback; ${HOLD}`);
          const first = send('first');
          await commitWaits();
          const second = send('second');
          // The second step has been executed by then; if not, it is refused as well.
          await sleep(200);
          server.signal('SIGUSR2');
          await server.waitForLog('process.failed');
          await lockHolder.query('rollback');
          wasCommitting = (await first)?.code === 1;
          expect((await second)?.code).not.toBe(1);
          expect(await server.waitForExit(RECOVERY_MAX_MS)).toBe(1);
          await server.startDatabase();
          const keys = await (
            await connect()
          ).query<{ key: string }>('select key from idempotency where actor = $1', [id]);
          expect(keys.rows).toEqual(wasCommitting ? [{ key: 'first' }] : []);
        }
        expect(wasCommitting).toBe(true);
      } finally {
        for (const client of clients) await client.end().catch(() => undefined);
        await server.close();
      }
    },
  );
});
