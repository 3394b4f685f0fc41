import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import type { FaultProxy } from './fault-proxy.ts';

export interface ConnectionFault {
  readonly name: string;
  /**
   * Injects the fault into the connections of `proxy` and resolves when new connections work normally again.
   * `connection` is the address of the database without the proxy, for a fault that an SQL statement causes.
   */
  readonly inject: (proxy: FaultProxy, connection: DatabaseConnection) => Promise<void>;
}

/** Short faults of the database connection. They are injected at any time, whichever request is running. */
export const CONNECTION_FAULTS: readonly ConnectionFault[] = [
  { name: 'every connection cut', inject: async (proxy) => void proxy.cutAll() },
  { name: 'every connection half-open', inject: async (proxy) => proxy.silenceAll() },
  { name: 'database away for 2 s', inject: (proxy) => proxy.refuse('closed', 2_000) },
  { name: 'no place for connections for 2 s', inject: (proxy) => proxy.refuse('exhausted', 2_000) },
  { name: 'database frozen for 3 s', inject: (proxy) => proxy.pause(3_000) },
  {
    name: "the writer's session ended by an operator",
    inject: async (_, connection) => {
      const client = new pg.Client(clientOptions(connection, 'operator'));
      await client.connect();
      const ended = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'exchange-writer' and datname = current_database()`,
      );
      await client.end();
      if (ended.rowCount !== 1) throw new Error(`${ended.rowCount} writers were connected`);
    },
  },
];

/** Longer faults of the database connection, which only the reliability programme of faults injects. */
export const LONG_CONNECTION_FAULTS: readonly ConnectionFault[] = [
  { name: 'database away for 30 s', inject: (proxy) => proxy.refuse('closed', 30_000) },
  { name: 'database frozen for 20 s', inject: (proxy) => proxy.pause(20_000) },
];
