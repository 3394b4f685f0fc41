import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { callOver } from '../calling.ts';
import { BROKEN_MS, eventually, PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { registerAt } from '../register.ts';
import { requireBuiltServer } from './built-server.ts';
import { ServerProcess } from './server-process.ts';

const THROWS_ON_SIGNAL = `process.on('SIGUSR2', () => { throw new Error('planted'); })`;
const ATTEMPTS = 5;
const QUIET_MS = 700;
const STORED = 'select sequence from writer';
const HOLD = 'begin; select 1 from writer for update';
const WAITING_COMMIT = `select from pg_stat_activity where application_name = 'exchange-writer' and wait_event_type = 'Lock'`;

describe('an error that nobody caught', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it(
    'SEQ-037 ends the process without storing what was executed behind the commit under way',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      vi.stubEnv(
        'NODE_OPTIONS',
        `--import data:text/javascript,${encodeURIComponent(THROWS_ON_SIGNAL).replaceAll("'", '%27')}`,
      );
      vi.stubEnv('HOUSE_TRADING', 'off');
      const server = await ServerProcess.prepare();
      const clients: pg.Client[] = [];
      const connected = async () => {
        const client = new pg.Client(clientOptions(server.connection, 'test'));
        // The server takes its database down with it.
        client.on('error', () => undefined);
        await client.connect();
        clients.push(client);
        return client;
      };
      try {
        // A job of the server may commit at that moment in the place of the call; then the call was behind it.
        let wasUnderWay = false;
        for (let attempt = 0; attempt < ATTEMPTS && !wasUnderWay; attempt += 1) {
          await server.start();
          const { id, token } = await registerAt(server.url);
          const ask = (clientId: string) =>
            callOver(server.url, cancelAllOrders, { clientId }, { token }).catch(() => undefined);
          const holding = await connected();
          const watching = await connected();
          const waits = () =>
            eventually(async () => expect((await watching.query(WAITING_COMMIT)).rowCount).toBe(1));
          const stored = async () => (await watching.query(STORED)).rows;
          // What the registration and the start have left to do is done.
          await eventually(async () => {
            const before = await stored();
            await sleep(QUIET_MS);
            expect(await stored()).toEqual(before);
          });
          // Every second the writer renews its lease by the same row: right after it has, the next that waits is the call.
          await holding.query(HOLD);
          await waits();
          await holding.query(`rollback; ${HOLD}`);
          const first = ask('first');
          await waits();
          const second = ask('second');
          // Executed by then; where it has not even arrived it is refused all the same.
          await sleep(200);
          server.signal('SIGUSR2');
          await server.says('process.failed');
          await holding.query('rollback');
          wasUnderWay = (await first)?.code === 1;
          expect((await second)?.code).not.toBe(1);
          expect(await server.ended(BROKEN_MS)).toBe(1);
          await server.startDatabase();
          const keys = await (
            await connected()
          ).query<{ key: string }>('select key from idempotency where actor = $1', [id]);
          expect(keys.rows).toEqual(wasUnderWay ? [{ key: 'first' }] : []);
        }
        expect(wasUnderWay).toBe(true);
      } finally {
        for (const client of clients) await client.end().catch(() => undefined);
        await server.close();
      }
    },
  );
});
