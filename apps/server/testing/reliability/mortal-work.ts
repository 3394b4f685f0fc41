import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { asRuntime, urlOf } from '../database.ts';
import type { TestExchange } from '../exchange.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const POLL_MS = 5;

/** Work that time or a price has made due, row by row, and that a server does by itself once it runs. */
export interface MortalWork {
  readonly name: string;
  /** How many rows there are to do. */
  readonly whole: number;
  /** A query of one number `n`: how many are done. */
  readonly done: string;
  /** Does what is left, in an exchange that is not killed. */
  readonly finish: (exchange: TestExchange) => Promise<unknown>;
  /** What is wrong once all is done: rows without a result or with two, sums that differ from the ledger. */
  readonly problems: (exchange: TestExchange) => Promise<readonly string[]>;
}

/** How much of a work was done when the server was killed over it. */
export interface Kill {
  readonly name: string;
  readonly done: number;
  readonly whole: number;
}

/**
 * Stops the exchange, lets the built server do the work on its database, and kills it with SIGKILL in the midst: so many
 * times, over one work after another, each time as soon as something more of that work is stored. Then the exchange starts again
 * and does what is left. Gives the kills; whether all is right is asked of each work's `problems`.
 */
export async function killOver(
  exchange: TestExchange,
  works: readonly MortalWork[],
  { kills, meanwhile }: { readonly kills: number; readonly meanwhile: () => void },
): Promise<readonly Kill[]> {
  const { connection, pool } = exchange.database;
  const { guard } = guardedFolder();
  const made: Kill[] = [];
  try {
    await exchange.restart(async () => {
      meanwhile();
      const within = { dataDirectory: exchange.dataDirectory, guard };
      const urls = { databaseUrl: urlOf(asRuntime(connection)), databaseOwnerUrl: urlOf(connection) };
      const server = await ServerProcess.prepare({ ...urls, within });
      try {
        for (let turn = 0; turn < kills; turn += 1) {
          const work = works[turn % works.length]!;
          const before = await doneOf(work, pool);
          if (before >= work.whole) continue;
          // Not after it is ready: it begins as soon as it can.
          server.launch();
          while ((await doneOf(work, pool)) <= before) await sleep(POLL_MS);
          await server.killServer();
          made.push({ name: work.name, done: await doneOf(work, pool), whole: work.whole });
        }
      } finally {
        await server.close();
      }
    });
    for (const work of works) await work.finish(exchange);
  } finally {
    await guard.act();
  }
  return made;
}

async function doneOf({ done }: MortalWork, pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select (${done})::int as n`);
  return rows[0]!.n;
}

/** References that have another number of entries of a kind in the ledger than they should. */
export async function otherEntries(
  { database }: TestExchange,
  kinds: readonly string[],
  expected: ReadonlyMap<string, number>,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ reference: string; n: number }>(
    `select reference, count(*)::int as n from ledger_entry where kind = any($1) and reference is not null group by 1`,
    [kinds],
  );
  const counted = new Map(rows.map(({ reference, n }) => [reference, n]));
  return [...new Set([...expected.keys(), ...counted.keys()])]
    .filter((reference) => (expected.get(reference) ?? 0) !== (counted.get(reference) ?? 0))
    .map((reference) => `${kinds.join()} of ${reference}: ${counted.get(reference) ?? 0} entries`);
}
