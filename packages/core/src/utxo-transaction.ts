import type { UtxoNetwork } from './utxo-network.ts';

/**
 * An unspent output at an address of the exchange, which is an input of a planned transaction. `units` is its
 * amount in the smallest unit of the coin, and `index` is the index of the address in its branch.
 */
export interface SpentOutput {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  /** Branch of the address's derivation path: 0 for users' deposit addresses, 1 for the exchange's own addresses. */
  readonly branch: 0 | 1;
  readonly index: number;
}

/**
 * An output that a transaction creates. `script` is in lower-case hex, `units` is the amount in the smallest
 * unit of the coin.
 */
export interface MadeOutput {
  readonly script: string;
  readonly units: bigint;
}

/**
 * A planned transaction: its outputs, its network fee in the smallest unit of the coin, and its size in
 * virtual bytes.
 */
export interface TransactionPlan {
  /** Outputs of the transaction: the payments in the given order, and then the change if there is any. */
  readonly outputs: readonly MadeOutput[];
  readonly fee: bigint;
  readonly vbytes: number;
}

const WEIGHT_PER_VBYTE = 4;
/**
 * Weight units of a transaction without its inputs, its outputs and their counts. A transaction with witnesses has two
 * more bytes (marker and flag), which count one weight unit each.
 */
const BASE_WEIGHT = { wpkh: WEIGHT_PER_VBYTE * 8 + 2, pkh: WEIGHT_PER_VBYTE * 8 } as const;
/**
 * Weight units of an input. One that spends a P2WPKH output has 41 bytes with factor four, plus 109 bytes of signature
 * and public key with factor one. One that spends a P2PKH output has at most 148 bytes with factor four: 41, and 107 of
 * signature and public key in its script.
 */
const INPUT_WEIGHT = { wpkh: WEIGHT_PER_VBYTE * 41 + 109, pkh: WEIGHT_PER_VBYTE * 148 } as const;
/** Fee rates are stated per this number of virtual bytes. */
const RATE_VBYTES = 1_000n;

/**
 * Returns the virtual size in bytes of a transaction with this number of inputs, each spending an output whose script is
 * of this kind, and with outputs that have these scripts (hex). Without witnesses it is the size in bytes; a signature
 * that is shorter than usual makes the transaction a little smaller.
 */
export function vbytesOf(inputs: number, scripts: readonly string[], kind: UtxoNetwork['script']): number {
  const outputs = scripts.reduce(
    (total, script) => total + 8 + countBytes(script.length / 2) + script.length / 2,
    0,
  );
  const counts = countBytes(inputs) + countBytes(scripts.length);
  const weight = BASE_WEIGHT[kind] + INPUT_WEIGHT[kind] * inputs + WEIGHT_PER_VBYTE * (outputs + counts);
  return Math.ceil(weight / WEIGHT_PER_VBYTE);
}

/** Returns the size in virtual bytes, rounded up, of an input that spends an output whose script is of this kind. */
export function inputVbytes(kind: UtxoNetwork['script']): number {
  return Math.ceil(INPUT_WEIGHT[kind] / WEIGHT_PER_VBYTE);
}

/** Returns the number of bytes that a variable-length count of at most 65,535 occupies in a transaction. */
function countBytes(count: number): number {
  return count < 0xfd ? 1 : 3;
}

/**
 * Returns the network fee of a transaction of `vbytes` virtual bytes in the smallest coin unit, rounded up. `rate` is
 * in the smallest coin unit per 1,000 virtual bytes.
 */
export function feeAt(rate: bigint, vbytes: number): bigint {
  return (rate * BigInt(vbytes) + RATE_VBYTES - 1n) / RATE_VBYTES;
}

/** Returns the fee rate of a transaction in the smallest coin unit per 1,000 virtual bytes, rounded down. */
export function rateOf(fee: bigint, vbytes: number): bigint {
  return (fee * RATE_VBYTES) / BigInt(vbytes);
}

/**
 * Plans the outputs of a transaction that pays `payments` and the network fee, and sends the rest of the inputs to the
 * script `change`. A rest below the network's dust limit is added to the fee. Returns undefined if the inputs are not
 * sufficient, or if there are neither payments nor change.
 */
export function planTransaction({
  network,
  inputs,
  payments,
  fee,
  change,
}: {
  readonly network: UtxoNetwork;
  readonly inputs: readonly SpentOutput[];
  readonly payments: readonly MadeOutput[];
  readonly fee: bigint;
  /** Output script of the exchange's own address that receives the change. */
  readonly change: string;
}): TransactionPlan | undefined {
  const rest = sumOf(inputs) - sumOf(payments) - fee;
  if (rest < 0n) return undefined;
  const hasChange = rest >= network.dust;
  const outputs = hasChange ? [...payments, { script: change, units: rest }] : payments;
  if (outputs.length === 0) return undefined;
  return {
    outputs,
    fee: hasChange ? fee : fee + rest,
    vbytes: vbytesOf(
      inputs.length,
      outputs.map(({ script }) => script),
      network.script,
    ),
  };
}

export function sumOf(amounts: readonly { readonly units: bigint }[]): bigint {
  return amounts.reduce((total, { units }) => total + units, 0n);
}
