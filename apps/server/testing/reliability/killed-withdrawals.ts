import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import type { TestExchange } from '../exchange.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { ServerProcess, type guardedFolder } from './server-process.ts';

const USERS = 5;
const BLOCK_MS = 1_000;
/**
 * Maximum lifetime in milliseconds of the server before it is killed. It is counted from the server's readiness, or
 * from `START_MS` after its launch if it is not ready by then.
 */
const LIFE_MS = 9_000;
const START_MS = 45_000;

interface Payments {
  readonly asset: string;
  readonly network: string;
  /** Amount of each withdrawal in coins of `asset`, including the fee. */
  readonly amount: string;
  /** Initial balance of each user in coins of `asset`. */
  readonly balance: string;
  readonly receivers: readonly string[];
}

/** Creates users with coins, and one withdrawal for each receiving address. All withdrawals are approved. */
export async function approveWithdrawals(
  exchange: TestExchange,
  { asset, network, amount, balance, receivers }: Payments,
): Promise<void> {
  const savers = [];
  for (let made = 0; made < USERS; made += 1) savers.push(await createSaver(exchange, { [asset]: balance }));
  await exchange.doors.deposits.jobs.watch();
  const { pool } = exchange.database;
  // A user's withdrawals are blocked for a day after the trade password was set. The killed server uses the system
  // clock, so the test removes the block from the database.
  await pool.query('update user_account set hold_until = 0');
  const { withdrawals, review } = exchange.doors.withdrawals;
  for (const [at, address] of receivers.entries()) {
    const saver = savers[at % USERS]!;
    // The server limits the number of a user's withdrawals in 24 hours, so this statement moves the earlier
    // ones back by a day.
    if (at > 0 && at % WITHDRAWALS_PER_DAY === 0)
      await pool.query('update withdrawal set created_at = created_at - $1', [DAY_MS]);
    await markAddressKnown(exchange, saver.id, asset, network, address);
    const { id } = await withdrawals.submit(saver.id, {
      asset,
      network,
      amount: Decimal.parse(amount),
      address,
      addressId: undefined,
      memo: undefined,
      withoutMemo: true,
      remark: undefined,
    });
    await review.decide(id, 'approve', { by: 'an operator', persons: 1 });
  }
}

interface Kills {
  readonly kills: number;
  readonly random: SeededRandom;
  readonly guard: ReturnType<typeof guardedFolder>['guard'];
  readonly signer: { kill(): Promise<void>; start(): Promise<void> };
  /** Closes a block of the simulated chain. The programme calls this every second. */
  readonly closeBlock: () => unknown;
}

/**
 * Runs the built server on the exchange's database and kills it at random times. Every third kill also kills the
 * signer. Returns the number of kills that happened after the server had become ready.
 */
export async function killAtRandom(
  exchange: TestExchange,
  { kills, random, guard, signer, closeBlock }: Kills,
): Promise<number> {
  let starts = 0;
  await exchange.restart(async () => {
    const { connection } = exchange.database;
    const server = await ServerProcess.prepare({
      databaseUrl: urlOf(withRuntimeRole(connection)),
      databaseOwnerUrl: urlOf(connection),
      within: { dataDirectory: exchange.dataDirectory, guard },
      settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
    });
    const blocks = setInterval(() => void closeBlock(), BLOCK_MS);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        server.launch();
        starts += await server.waitForHealth(START_MS);
        await sleep(random.whole(0, LIFE_MS));
        const isSignerToo = kill % 3 === 0;
        if (isSignerToo) await signer.kill();
        await server.killServer();
        if (isSignerToo) await signer.start();
      }
    } finally {
      clearInterval(blocks);
      await server.close();
    }
  });
  return starts;
}
