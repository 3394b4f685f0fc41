import type { UtxoNetwork } from './utxo-network.ts';

/** An output of the exchange that a transaction spends. */
export interface SpentOutput {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  /** 0: an address of a user, 1: an own address. */
  readonly branch: 0 | 1;
  readonly index: number;
}

/** An output that a transaction makes; the script is lower-case hex. */
export interface MadeOutput {
  readonly script: string;
  readonly units: bigint;
}

/** The outputs of a transaction and what it leaves to the network. */
export interface TransactionPlan {
  /** The payments in their order, then the change, if there is any. */
  readonly outputs: readonly MadeOutput[];
  readonly fee: bigint;
  readonly vbytes: number;
}

/** Weight of a transaction without inputs and outputs, with a witness. */
const BASE_WEIGHT = 4 * 8 + 2;
/** Weight of an input that spends a witness program of a public key: 41 bytes, and 109 of signature and key. */
const INPUT_WEIGHT = 4 * 41 + 109;
const WEIGHT_PER_VBYTE = 4;
/** Fee rates are per this many virtual bytes. */
const RATE_VBYTES = 1_000n;

/** Virtual bytes of a transaction that spends this many witness programs. */
export function vbytesOf(inputs: number, scripts: readonly string[]): number {
  const outputs = scripts.reduce(
    (total, script) => total + 8 + countBytes(script.length / 2) + script.length / 2,
    0,
  );
  const counts = countBytes(inputs) + countBytes(scripts.length);
  const weight = BASE_WEIGHT + INPUT_WEIGHT * inputs + WEIGHT_PER_VBYTE * (outputs + counts);
  return Math.ceil(weight / WEIGHT_PER_VBYTE);
}

/** Bytes of a number in a transaction. */
function countBytes(count: number): number {
  return count < 0xfd ? 1 : 3;
}

/** The fee of so many virtual bytes at a rate in the smallest unit per 1,000 virtual bytes, rounded up. */
export function feeAt(rate: bigint, vbytes: number): bigint {
  return (rate * BigInt(vbytes) + RATE_VBYTES - 1n) / RATE_VBYTES;
}

/** The rate of a fee, in the smallest unit per 1,000 virtual bytes, rounded down. */
export function rateOf(fee: bigint, vbytes: number): bigint {
  return (fee * RATE_VBYTES) / BigInt(vbytes);
}

/**
 * The outputs of a transaction that pays `payments` and `fee`, and returns the rest to `change`. A rest below the network's
 * dust is left to the network. Undefined if the inputs do not suffice.
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
  /** Script of the exchange's own address. */
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
    ),
  };
}

export function sumOf(amounts: readonly { readonly units: bigint }[]): bigint {
  return amounts.reduce((total, { units }) => total + units, 0n);
}
