import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import type { AddressCodec, Place } from '../../platform/utxo/scripts.ts';
import type { UtxoNode } from './utxo-node.ts';

/** Limits of fee rates, in the smallest unit of the coin per 1,000 virtual bytes. */
export interface UtxoRates {
  /**
   * Lowest and highest fee rate that the exchange uses (smallest unit per 1,000 virtual bytes), whatever the
   * node's estimate is.
   */
  readonly least: bigint;
  readonly most: bigint;
  /**
   * Highest fee rate (smallest unit per 1,000 virtual bytes) at which a batch also spends small outputs, to
   * merge them into one.
   */
  readonly consolidate: bigint;
}

/**
 * The settings, clients and functions that the classes for sending payments on a chain of the Bitcoin family
 * share.
 */
export interface UtxoParts {
  readonly network: UtxoNetwork;
  /** Returns the exchange's own address, which receives the change. */
  readonly own: () => Promise<Place>;
  readonly codec: () => Promise<AddressCodec>;
  readonly signer: SignerClient;
  readonly node: UtxoNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  readonly rates: UtxoRates;
  /**
   * Milliseconds after which a transaction that is in no block is replaced automatically; the fee rate of the
   * replacement is at most `rates.most`.
   */
  readonly replaceAfterMs: number;
  /** Returns the number of the newest block that was read. */
  readonly height: () => number;
  /**
   * Numbers of confirmations: `payment` after which a payment is final, `deposit` the highest number that any deposit
   * needs.
   */
  readonly needed: { readonly payment: number; readonly deposit: number };
}
