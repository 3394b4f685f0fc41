import type { MadeOutput, SpentOutput } from '@exchange/core/utxo-transaction.ts';
import { bytesOf, hexOf } from './scripts.ts';

/** Sequence number of a transaction input that marks its transaction as replaceable (BIP 125). */
const REPLACEABLE = 0xff_ff_ff_fd;
const VERSION = 2;

/** Private key for an output that is spent, and the output's script. */
export interface InputKey {
  readonly privateKey: Uint8Array;
  readonly script: string;
}

/** Signs a transaction that spends outputs at witness addresses (P2WPKH). Returns it in hex. */
export async function signTransaction(
  inputs: readonly SpentOutput[],
  outputs: readonly MadeOutput[],
  keyOf: (input: SpentOutput) => InputKey,
): Promise<string> {
  const { Transaction } = await import('@scure/btc-signer');
  const transaction = new Transaction({ version: VERSION });
  const keys = inputs.map((input) => ({ ...keyOf(input), input }));
  for (const { input, script } of keys)
    transaction.addInput({
      txid: input.txid,
      index: input.vout,
      sequence: REPLACEABLE,
      witnessUtxo: { script: bytesOf(script), amount: input.units },
    });
  for (const { script, units } of outputs) transaction.addOutput({ script: bytesOf(script), amount: units });
  for (const [at, { privateKey }] of keys.entries()) transaction.signIdx(privateKey, at);
  transaction.finalize();
  return hexOf(transaction.extract());
}

/** A signed transaction as parsed from its bytes. */
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
