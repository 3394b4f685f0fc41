import { createHash } from 'node:crypto';
import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';
import type { MadeOutput, SpentOutput } from '@exchange/core/utxo-transaction.ts';
import { bytesOf, hexOf } from './scripts.ts';

/** Sequence number of a transaction input that marks its transaction as replaceable (BIP 125). */
const REPLACEABLE = 0xff_ff_ff_fd;
/** Version of transactions by kind of script. Dogecoin Core makes transactions of version 1 only. */
const VERSION = { wpkh: 2, pkh: 1 } as const;

/** Private key for an output that is spent, and the output's script. */
export interface InputKey {
  readonly privateKey: Uint8Array;
  readonly script: string;
}

/**
 * Signs a transaction that spends outputs at addresses of public key hashes: with witness (`wpkh`) or without (`pkh`).
 * Returns it in hex. A `pkh` signature covers the id of the spent transaction but not the amount. So for `pkh` the
 * caller must have read the amounts of `inputs` from the spent transactions (see `readPrevious`), because a false
 * amount would result in a valid transaction with another fee. `sequence` is the sequence number of each input; the
 * default marks the transaction as replaceable.
 */
export async function signTransaction(
  kind: UtxoNetwork['script'],
  inputs: readonly SpentOutput[],
  outputs: readonly MadeOutput[],
  keyOf: (input: SpentOutput) => InputKey,
  sequence = REPLACEABLE,
): Promise<string> {
  const { Transaction } = await import('@scure/btc-signer');
  const transaction = new Transaction({ version: VERSION[kind], allowLegacyWitnessUtxo: kind === 'pkh' });
  const keys = inputs.map((input) => ({ ...keyOf(input), input }));
  for (const { input, script } of keys)
    transaction.addInput({
      txid: input.txid,
      index: input.vout,
      sequence,
      witnessUtxo: { script: bytesOf(script), amount: input.units },
    });
  for (const { script, units } of outputs) transaction.addOutput({ script: bytesOf(script), amount: units });
  for (const [at, { privateKey }] of keys.entries()) transaction.signIdx(privateKey, at);
  transaction.finalize();
  return hexOf(transaction.extract());
}

/** Id and outputs of an earlier transaction, which are needed to spend these outputs. */
export interface PreviousTransaction {
  readonly txid: string;
  readonly outputs: readonly MadeOutput[];
}

/**
 * Decodes any transaction that a block can contain, from hex. The id is the hash of the decoded contents, encoded again
 * without witnesses, so it commits to the returned outputs. Throws for other bytes. Unlike `readTransaction`, it takes
 * time proportional to the size, and accepts unknown versions and scripts.
 */
export async function readPrevious(raw: string): Promise<PreviousTransaction> {
  const { RawTx } = await import('@scure/btc-signer/script.js');
  const contents = RawTx.decode(bytesOf(raw));
  const encoded = RawTx.encode({ ...contents, segwitFlag: false, witnesses: undefined });
  return {
    txid: hexOf(sha256(sha256(encoded)).reverse()),
    outputs: contents.outputs.map(({ script, amount }) => ({ script: hexOf(script), units: amount })),
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** Id, spent outputs (`inputs`) and own outputs of a signed transaction, as parsed from its bytes. */
export interface ReadTransaction {
  readonly txid: string;
  readonly inputs: readonly { readonly txid: string; readonly vout: number }[];
  readonly outputs: readonly MadeOutput[];
}

/** Decodes a Bitcoin-family transaction from hex without verifying its signatures. Throws for other bytes. */
export async function readTransaction(raw: string): Promise<ReadTransaction> {
  const { Transaction } = await import('@scure/btc-signer');
  const transaction = Transaction.fromRaw(bytesOf(raw), {
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  });
  return {
    txid: transaction.id,
    inputs: Array.from({ length: transaction.inputsLength }, (_, at) => {
      const { txid, index } = transaction.getInput(at);
      return { txid: hexOf(txid!), vout: index! };
    }),
    outputs: Array.from({ length: transaction.outputsLength }, (_, at) => {
      const { script, amount } = transaction.getOutput(at);
      return { script: hexOf(script!), units: amount! };
    }),
  };
}
