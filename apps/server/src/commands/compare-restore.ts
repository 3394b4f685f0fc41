/**
 * `npm run compare-restore -- SIGNER_FOLDER …`: compares a restored database with the signers' journals and with the
 * chains. The SIGNER_FOLDERs are the folders of the signers of all networks that pay, or copies of them. The command
 * stores the comparison and prints its three groups of payments: paid and known to the database, paid and unknown to
 * it, not paid. If the node of a chain does not answer, the payments of the other chains are compared, and the command
 * ends with an error; it also fails for a database that was not restored from a backup. The exchange sends
 * withdrawals again only after a comparison of all chains. The command changes no balance and can be
 * repeated.
 */
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { compareWithChain, storeComparison, storedSetting } from '../modules/withdrawals/index.ts';
import { RESTORED_FROM } from '../platform/backup/backup.ts';
import { systemClock } from '../platform/clock.ts';
import { databaseOver } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/pool.ts';
import { openChainStates, stateOnChain } from './restore/chain-states.ts';
import { comparisonLines } from './restore/comparison-text.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import { payingNetworks } from '../platform/paying-networks.ts';
import { paymentsIn, signerKind } from './restore/signed-payments.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, quiet, say } from './backup/own-database.ts';

await commandLine(async () => {
  const folders = [...new Set(process.argv.slice(2).map((folder) => resolve(folder)))];
  if (folders.length === 0)
    throw new Error('name the folder of each signer: npm run compare-restore -- SIGNER_FOLDER …');
  await onOwnDatabase(async (connection, config) => {
    requireFolders(config, folders);
    const states = openChainStates(config);
    const pool = openDatabase({ connection, log: quiet, size: 2, isReadOnly: false });
    try {
      const { store } = databaseOver(pool);
      const backup = await storedSetting(store, RESTORED_FROM);
      if (backup === undefined) throw new Error('this database was not restored from a backup');
      const comparison = await compareWithChain({
        store,
        signed: paymentsIn(folders),
        stateOf: (payment) => stateOnChain(states, payment),
      });
      await storeComparison(store, { backup, comparison, at: systemClock.now() });
      for (const line of comparisonLines(comparison)) say(line);
      const { notCompared } = comparison;
      if (notCompared.length > 0)
        throw new Error(
          `${notCompared.map(({ chain }) => chain).join(', ')}: not compared, so sending stays paused; correct the node and repeat the command`,
        );
    } finally {
      await pool.end();
    }
  });
});

/**
 * Throws if, for any kind of signer, fewer folders are given than there are paying networks with this kind of signer.
 */
function requireFolders(config: Config, folders: readonly string[]): void {
  const kinds = folders.map(signerKind);
  for (const [kind, paying] of groupBy(payingNetworks(config), (each) => each.kind)) {
    const networks = paying.map(({ network }) => network);
    const named = kinds.filter((each) => each === kind).length;
    if (named < networks.length)
      throw new Error(
        `${networks.join(', ')}: ${networks.length} of these signers have a journal of their own, and ${named} of their folders are named: name all of them`,
      );
  }
}
