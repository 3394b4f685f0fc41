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
/**
 * SQL that returns the writer's statement that is waiting for a lock, if there is one. `isBatch` is true if the
 * statement commits a batch (it stores the batch's sequence number), and false if it renews the writer's lease.
 */
const WAITING = `select query like '%update writer set sequence%' as "isBatch" from pg_stat_activity
  where application_name = 'exchange-writer' and wait_event_type = 'Lock'`;

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
        // At the end the server stops its database, which ends this connection with an error.
        client.on('error', () => undefined);
        await client.connect();
        clients.push(client);
        return client;
      };
      try {
        // The test needs the commit of the first request to wait for a lock. The attempt is repeated if a job of the
        // server is in the waiting commit, or if the first request was committed while the lock was released for a
        // moment.
        let wasCommitting = false;
        for (let attempt = 0; attempt < ATTEMPTS && !wasCommitting; attempt += 1) {
          await server.start();
          const { id, token } = await registerAt(server.url);
          const send = (clientId: string) =>
            callOver(server.url, cancelAllOrders, { clientId }, { token }).catch(() => undefined);
          const lockHolder = await connect();
          const observer = await connect();
          const stored = async () => (await observer.query(STORED)).rows;
          // Waits until the jobs of the registration and of the start have stored their results.
          await eventually(async () => {
            const before = await stored();
            await sleep(QUIET_MS);
            expect(await stored()).toEqual(before);
          });
          await lockHolder.query(HOLD);
          let isFirstAnswered = false;
          const first = send('first').finally(() => (isFirstAnswered = true));
          await eventually(async () => {
            const [waiting] = (await observer.query<{ isBatch: boolean }>(WAITING)).rows;
            // If the writer's regular renewal of its lease waits for the lock instead of the batch, the lock
            // is released and acquired again, so that the batch can be next.
            if (waiting?.isBatch === false) await lockHolder.query(`rollback; ${HOLD}`);
            expect(isFirstAnswered || waiting?.isBatch).toBe(true);
          });
          const wasTooEarly = isFirstAnswered;
          const second = wasTooEarly ? undefined : send('second');
          // Within 200 ms the writer has usually executed the second step. If it has not, it refuses the step, which
          // the test accepts as well.
          await sleep(200);
          server.signal('SIGUSR2');
          await server.waitForLog('process.failed');
          await lockHolder.query('rollback');
          wasCommitting = !wasTooEarly && (await first)?.code === 1;
          expect((await second)?.code).not.toBe(1);
          expect(await server.waitForExit(RECOVERY_MAX_MS)).toBe(1);
          await server.startDatabase();
          const keys = await (
            await connect()
          ).query<{ key: string }>('select key from idempotency where actor = $1', [id]);
          expect(keys.rows).toEqual((await first)?.code === 1 ? [{ key: 'first' }] : []);
        }
        expect(wasCommitting).toBe(true);
      } finally {
        for (const client of clients) await client.end().catch(() => undefined);
        await server.close();
      }
    },
  );
});
