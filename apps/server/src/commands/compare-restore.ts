/**
 * `npm run compare-restore -- SIGNER_FOLDER …`: after a restore, compares the database with the journals of the signers
 * (in the SIGNER_FOLDERs, one for each EVM network that pays, or copies of them) and with the chains, and prints three
 * groups: paid and known, paid (or signed and still payable) and unknown to the restored database, not paid. Sending is
 * resumed only afterwards. It changes no balance and can be repeated.
 */
import { resolve } from 'node:path';
import { EvmNode } from '../modules/chains/index.ts';
import { compareWithChain, storeComparison, storedSetting } from '../modules/withdrawals/index.ts';
import { RESTORED_FROM } from '../platform/backup/backup.ts';
import { systemClock } from '../platform/clock.ts';
import { databaseOver } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/pool.ts';
import { paymentsIn, stateOnChain } from './restore/signed-payments.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, quiet, say } from './backup/own-database.ts';

await commandLine(async () => {
  const folders = [...new Set(process.argv.slice(2).map((folder) => resolve(folder)))];
  if (folders.length === 0)
    throw new Error('name the folder of each signer: npm run compare-restore -- SIGNER_FOLDER …');
  await onOwnDatabase(async (connection, { evm }) => {
    if (evm.length === 0) throw new Error('no chain is configured: set EVM_RPC_URL and EVM_XPUB');
    const paying = evm.filter(({ sending }) => sending !== undefined).map(({ network }) => network);
    if (folders.length < paying.length)
      throw new Error(
        `${folders.length} folders are named, and ${paying.join(', ')} are paid by signers with one each: name all of them`,
      );
    const nodes = new Map<number, EvmNode>();
    for (const settings of evm) {
      const node = new EvmNode(settings.rpcUrl);
      const chainId = await node.chainId();
      if (chainId !== settings.chainId)
        throw new Error(`the node of ${settings.network} is on chain ${chainId}, not ${settings.chainId}`);
      nodes.set(chainId, node);
    }
    const pool = openDatabase({ connection, log: quiet, size: 2, isReadOnly: false });
    try {
      const { store } = databaseOver(pool);
      const backup = await storedSetting(store, RESTORED_FROM);
      if (backup === undefined) throw new Error('this database was not restored from a backup');
      const comparison = await compareWithChain({
        store,
        signed: paymentsIn(folders),
        stateOf: (payment) => stateOnChain(nodes, payment),
      });
      await storeComparison(store, { backup, comparison, at: systemClock.now() });
      const { paidKnown, paidUnknown, notPaid } = comparison;
      say(`Paid and known: ${paidKnown.length}`);
      for (const { id, amount, asset, txid } of paidKnown) say(`  ${id} ${amount} ${asset} ${txid}`);
      say(`Paid and unknown, to be debited: ${paidUnknown.length}`);
      for (const { id, amount, asset, address, txid } of paidUnknown)
        say(`  ${id} ${amount} ${asset} to ${address} ${txid}`);
      say(`Not paid: ${notPaid.length}`);
      for (const payment of notPaid)
        say(
          `  ${payment.id} ${'txid' in payment ? `signed, never reject it: ${payment.txid}` : 'not signed'}`,
        );
    } finally {
      await pool.end();
    }
  });
});
