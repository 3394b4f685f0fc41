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
 * Stops the exchange, lets the built server do the works on its database, and kills it with SIGKILL in the midst, each time
 * as soon as something more is stored of a work that was not killed so many times yet; at most `most` times in all. Then the
 * exchange starts again and does what is left. Gives each work that a kill interrupted; whether all is right is asked of
 * each work's `problems`.
 */
export async function killOver(
  exchange: TestExchange,
  works: readonly MortalWork[],
  {
    kills,
    most,
    meanwhile,
  }: { readonly kills: number; readonly most: number; readonly meanwhile: () => void },
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
        for (let turn = 0; turn < most; turn += 1) {
          const before = await allDone(works, pool);
          const wanting = works.filter(
            ({ name, whole }) =>
              before.get(name)! < whole && made.filter((kill) => kill.name === name).length < kills,
          );
          if (wanting.length === 0) break;
          const isMore = (now: Done) => wanting.some(({ name }) => now.get(name)! > before.get(name)!);
          // Not after it is ready: it begins as soon as it can.
          server.launch();
          while (!isMore(await allDone(wanting, pool))) await sleep(POLL_MS);
          await server.killServer();
          const after = await allDone(works, pool);
          for (const { name, whole } of works)
            if (after.get(name)! > before.get(name)!) made.push({ name, done: after.get(name)!, whole });
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

type Done = ReadonlyMap<string, number>;

async function allDone(works: readonly MortalWork[], pool: Pool): Promise<Done> {
  const counts = works.map(({ done }, at) => `(${done})::int as done_${at}`).join(', ');
  const { rows } = await pool.query<Record<string, number>>(`select ${counts}`);
  return new Map(works.map(({ name }, at) => [name, rows[0]![`done_${at}`]!]));
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
