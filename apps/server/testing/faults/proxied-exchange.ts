import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import { testDatabase } from '../database.ts';
import { TestExchange } from '../exchange.ts';
import { FaultProxy } from './fault-proxy.ts';

const READY_POLL_MS = 10;
/** Connections per database pool. The number is small, because several exchanges share the PostgreSQL of a test run. */
const POOL_SIZE = 4;

/** A complete exchange whose database connections pass through a fault proxy. */
export interface ProxiedExchange {
  readonly exchange: TestExchange;
  readonly proxy: FaultProxy;
  /** Address of the database without the proxy. */
  readonly direct: DatabaseConnection;
  /** Resolves when the server reports that it is up. */
  waitUntilReady(): Promise<void>;
  /** Closes exchange and proxy. Throws if the ledger, the holds or the order books are inconsistent. */
  close(): Promise<void>;
}

export async function aProxiedExchange(): Promise<ProxiedExchange> {
  const database = await testDatabase();
  const proxy = await FaultProxy.start(database.connection);
  const connection = { connectionString: proxy.connectionString };
  const pool = openDatabase({ connection, log: () => undefined, name: 'proxied', size: POOL_SIZE });
  const drop = async () => {
    await pool.end();
    await database.drop();
  };
  const exchange = new TestExchange({ connection, pool, drop }, {});
  await exchange.start();
  return {
    exchange,
    proxy,
    direct: database.connection,
    waitUntilReady: async () => {
      while (!(await fetch(`${exchange.url}/health`)).ok) await sleep(READY_POLL_MS);
    },
    close: async () => {
      try {
        await exchange.close();
      } finally {
        await proxy.close();
      }
    },
  };
}
