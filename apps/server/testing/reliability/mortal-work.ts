import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { withRuntimeRole, urlOf } from '../database.ts';
import type { TestExchange } from '../exchange.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const POLL_MS = 5;

/**
 * Due work of one kind, such as interest payments, as database rows. The test kills the server while the
 * server processes the rows on its own schedule.
 */
export interface InterruptedWork {
  readonly name: string;
  /** Number of rows that are due before the first kill, processed ones included. */
  readonly whole: number;
  /** An SQL query that counts the processed rows. */
  readonly done: string;
  /** Processes the remaining rows in an exchange that is not killed. The test calls it after the last kill. */
  readonly finish: (exchange: TestExchange) => Promise<unknown>;
  /**
   * Returns descriptions of rows without a result, rows with two results, and sums that differ from the ledger. Called
   * after all rows are processed.
   */
  readonly problems: (exchange: TestExchange) => Promise<readonly string[]>;
}

/** One kill of the server while it was processing one kind of due work. */
export interface Kill {
  readonly name: string;
  /** Number of rows that were processed at the kill. */
  readonly done: number;
  /** Number of rows that are due before the first kill, processed ones included. */
  readonly whole: number;
}

/**
 * Stops the exchange and lets the built server process the due work of the exchange's database. The server is killed
 * with SIGKILL when it has processed rows of a kind of work that was interrupted fewer than `kills` times, and at most
 * `most` times in total. Then the exchange starts again and processes the rest. Returns an item for each kill and each
 * kind of work with rows processed since the previous kill. The caller must check each work's `problems`.
 */
export async function killOver(
  exchange: TestExchange,
  works: readonly InterruptedWork[],
  {
    kills,
    most,
    meanwhile,
  }: { readonly kills: number; readonly most: number; readonly meanwhile: () => void },
): Promise<readonly Kill[]> {
  const { connection, pool } = exchange.database;
  const { guard } = guardedFolder();
  const interrupted: Kill[] = [];
  try {
    await exchange.restart(async () => {
      meanwhile();
      const within = { dataDirectory: exchange.dataDirectory, guard };
      const urls = { databaseUrl: urlOf(withRuntimeRole(connection)), databaseOwnerUrl: urlOf(connection) };
      const server = await ServerProcess.prepare({ ...urls, within });
      try {
        for (let index = 0; index < most; index += 1) {
          const countsBefore = await countDone(works, pool);
          const remainingWorks = works.filter(
            ({ name, whole }) =>
              countsBefore.get(name)! < whole &&
              interrupted.filter((kill) => kill.name === name).length < kills,
          );
          if (remainingWorks.length === 0) break;
          const hasProgress = (now: DoneByName) =>
            remainingWorks.some(({ name }) => now.get(name)! > countsBefore.get(name)!);
          // Does not wait until the server is ready, because the server processes due work while it is still starting.
          server.launch();
          while (!hasProgress(await countDone(remainingWorks, pool))) {
            server.requireRunning();
            await sleep(POLL_MS);
          }
          await server.killServer();
          const countsAfter = await countDone(works, pool);
          for (const { name, whole } of works)
            if (countsAfter.get(name)! > countsBefore.get(name)!)
              interrupted.push({ name, done: countsAfter.get(name)!, whole });
        }
      } finally {
        await server.close();
      }
    });
    for (const work of works) await work.finish(exchange);
  } finally {
    await guard.cleanUp();
  }
  return interrupted;
}

type DoneByName = ReadonlyMap<string, number>;

async function countDone(works: readonly InterruptedWork[], pool: Pool): Promise<DoneByName> {
  const counts = works.map(({ done }, at) => `(${done})::int as done_${at}`).join(', ');
  const { rows } = await pool.query<Record<string, number>>(`select ${counts}`);
  return new Map(works.map(({ name }, at) => [name, rows[0]![`done_${at}`]!]));
}

/**
 * Describes each reference for which the number of ledger entries of the given kinds differs from the expected number.
 * `expected` contains the expected number of each reference.
 */
export async function entryMismatches(
  { database }: TestExchange,
  kinds: readonly string[],
  expected: ReadonlyMap<string, number>,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ reference: string; n: number }>(
    `select reference, count(*)::int as n from ledger_entry where kind = any($1) and reference is not null group by 1`,
    [kinds],
  );
  const countsByReference = new Map(rows.map(({ reference, n }) => [reference, n]));
  return [...new Set([...expected.keys(), ...countsByReference.keys()])]
    .filter((reference) => (expected.get(reference) ?? 0) !== (countsByReference.get(reference) ?? 0))
    .map((reference) => `${kinds.join()} of ${reference}: ${countsByReference.get(reference) ?? 0} entries`);
}
