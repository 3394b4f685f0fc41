import { Decimal } from '@exchange/core/decimal.ts';
import { sha256Hex } from '@exchange/core/digests.ts';
import { canonicalDestination, type CoinNetwork } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { UTXO_DIGITS, UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import type { SendingStage } from '../chains/index.ts';
import type { Arrival, PaymentIdentity } from './domain.ts';

/** States of a return to the sender that has not ended yet. */
export const OPEN_RETURN_STATES = ['approved', 'cancelling'] as const;
export type OpenReturnState = (typeof OPEN_RETURN_STATES)[number];
export type ReturnState = OpenReturnState | 'done' | 'failed' | 'cancelled';

/**
 * The return of an arrival (an incoming transfer that is no user's deposit) to its sender, with the fields that two
 * operators have approved.
 */
export interface SenderReturn {
  readonly id: string;
  readonly arrival: string;
  /** The name of the payment, by which the signer recognizes it; the signer signs a name only once. */
  readonly reference: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  /**
   * The amount that is sent to the receiver, and the fee that the exchange keeps, both in units of the coin.
   */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /**
   * Whether the receiver's address is the sender of the arrival as the network reports it. False if an operator entered
   * another address, or if the network reports no sender.
   */
  readonly isFromChain: boolean;
  readonly state: ReturnState;
  readonly approvedAt: Instant;
  readonly approvedBy: string;
  readonly reason: string;
  /**
   * The `returnDigest` (hexadecimal HMAC) of the payment as operators approved it: name, coin, network,
   * address, memo and amount.
   */
  readonly digest: string;
  /**
   * Id of a transaction that the exchange has no record of and that used the nonce of the return's
   * transaction, as the operator who cancelled the return entered it; undefined if none was entered.
   */
  readonly usedBy: string | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  readonly closedAt: Instant | undefined;
}

const HASH_LENGTH = 32;

/**
 * Returns the name of the payment that returns an arrival. It is derived from the arrival's payment, so that
 * it is the same again if a restored database lacks the return. The signer signs a name only once and
 * therefore does not pay again. `attempt` counts the returns of the arrival from 1.
 */
export function returnReference({ network, asset, txid, output }: PaymentIdentity, attempt: number): string {
  const hash = sha256Hex(JSON.stringify([network, asset, txid, output]));
  return `${hash.slice(0, HASH_LENGTH)}-${attempt}`;
}

/**
 * Returns the smallest amount of a coin that a payment on its network may have, in units of the coin: on a
 * network of `UTXO_NETWORKS` its dust limit, elsewhere one unit of the coin's last decimal place.
 */
export function leastReturn({ network, digits }: Pick<CoinNetwork, 'network' | 'digits'>): Decimal {
  const dust = UTXO_NETWORKS.get(network.code)?.dust;
  return dust === undefined ? Decimal.ofScaled(1n, digits) : Decimal.ofScaled(dust, UTXO_DIGITS);
}

/**
 * Returns the amount that a return sends: the amount of the arrival minus the fee. Refuses a fee with more
 * decimals than the coin, a fee below the fixed withdrawal fee of the table in `core/network.ts`, because the
 * exchange would pay the difference, and an amount below the smallest one that the network pays.
 */
export function amountAfterFee(
  arrival: Pick<Arrival, 'asset' | 'amount'>,
  coin: Pick<CoinNetwork, 'network' | 'digits' | 'fee'>,
  fee: Decimal,
): Decimal {
  const { asset: unit } = arrival;
  if (!fee.fits(coin.digits)) throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'fee' }));
  if (fee.isLess(coin.fee))
    throw new Refused(
      refusal('belowMinimum', 'l.field_min', {
        field: 'fee',
        limit: coin.fee.toString(),
        value: fee.toString(),
        unit,
      }),
    );
  const amount = arrival.amount.minus(fee);
  const least = leastReturn(coin);
  if (amount.isLess(least))
    throw new Refused(
      refusal('belowMinimum', 'l.return_too_small', {
        limit: least.plus(fee).toString(),
        value: arrival.amount.toString(),
        fee: fee.toString(),
        unit,
      }),
    );
  return amount;
}

/** The receiver of a return: the address that an operator entered, or the sender that the network provides. */
export interface ReturnDestination {
  readonly address: string;
  readonly memo: string | undefined;
  readonly isFromChain: boolean;
}

/**
 * Returns the receiver of a return in canonical form. Refuses if no address was entered and the network
 * provides no sender.
 */
export function returnDestination(
  { sender }: Pick<Arrival, 'sender'>,
  { network }: Pick<CoinNetwork, 'network'>,
  typed: { readonly address: string | undefined; readonly memo: string | undefined },
): ReturnDestination {
  const address = typed.address ?? sender;
  if (address === undefined)
    throw new Refused(
      refusal('invalidField', 'l.return_no_sender', { field: 'address', limit: network.name }),
    );
  const destination = canonicalDestination(network, {
    address,
    memo: typed.memo,
    withoutMemo: typed.memo === undefined,
  });
  const isFromChain =
    sender !== undefined &&
    canonicalDestination(network, { address: sender }).address === destination.address;
  return { address: destination.address, memo: destination.memo, isFromChain };
}

/** Returns the progress of a return to the sender, as operators see it. */
export function returnStage(
  { state, txid, block }: Pick<SenderReturn, 'state' | 'txid' | 'block'>,
  stage: SendingStage | undefined,
): ReturnState | SendingStage | 'confirming' {
  if (state !== 'approved') return state;
  if (block !== undefined) return 'confirming';
  return stage ?? (txid === undefined ? 'approved' : 'sent');
}
