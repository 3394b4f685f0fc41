import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { WalletBounds } from '../chains/index.ts';

/** States of a transfer between the hot and the cold wallet that has not ended. */
export const OPEN_STATES = ['open', 'approved', 'cancelling'] as const;
export type TransferState = (typeof OPEN_STATES)[number] | 'done' | 'unneeded' | 'cancelled' | 'failed';
export type TransferKind = 'refill' | 'surplus';

/** A transfer between the hot and the cold wallet of a network. */
export interface WalletTransfer {
  readonly id: string;
  readonly kind: TransferKind;
  readonly network: string;
  readonly asset: string;
  /** The requested amount of the transfer, in units of the coin. */
  readonly amount: Decimal;
  readonly source: string;
  readonly destination: string;
  readonly state: TransferState;
  readonly createdAt: Instant;
  readonly approvedBy: string | undefined;
  /** The `coldTransferDigest` of a move of surplus that two operators have approved; otherwise undefined. */
  readonly digest: string | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  /**
   * The amount that arrived in the hot wallet for a completed refill, in units of the coin; undefined for an
   * open refill, one that was not needed, and a move of surplus.
   */
  readonly received: Decimal | undefined;
  readonly closedAt: Instant | undefined;
}

/** A coin in a hot wallet; amounts are in units of the coin. */
export interface HotCoin {
  readonly network: string;
  readonly asset: string;
  readonly balance: Decimal;
  /**
   * Total of the approved withdrawals and approved returns in this coin whose transactions are in no block
   * yet, in units of the coin.
   */
  readonly needed: Decimal;
  readonly bounds: WalletBounds;
}

/**
 * The total that a hot wallet still has to pay in a coin on a network for approved payments that are in no
 * block yet, in units of the coin.
 */
export interface ApprovedNeed {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
}

/** Adds up two lists of amounts that the hot wallets have to pay, by coin and network. */
export function mergedNeeds(
  needs: readonly ApprovedNeed[],
  further: readonly ApprovedNeed[],
): readonly ApprovedNeed[] {
  const merged = new Map<string, ApprovedNeed>();
  for (const { asset, network, amount } of [...needs, ...further]) {
    const key = `${asset} ${network}`;
    const earlier = merged.get(key)?.amount;
    merged.set(key, { asset, network, amount: earlier === undefined ? amount : earlier.plus(amount) });
  }
  return [...merged.values()];
}

type HotAmounts = Pick<HotCoin, 'balance' | 'needed' | 'bounds'>;

/**
 * Returns whether the hot wallet's balance of a coin is below its lower bound, or below the amount that the
 * wallet has to pay (`needed`).
 */
export function isShort({ balance, needed, bounds }: HotAmounts): boolean {
  return balance.isLess(bounds.least) || balance.isLess(needed);
}

/**
 * Returns the balance of a coin that a refill or a move should reach: the target or, if that is more, the
 * amount that the wallet has to pay (`needed`) plus the lower bound.
 */
export function aimOf({ needed, bounds }: HotAmounts): Decimal {
  return greatest(bounds.target, needed.plus(bounds.least));
}

/**
 * Returns the amount by which a refill raises the balance of a coin to the target or, if that is more, to the
 * needed amount plus the lower bound (`aimOf`). Undefined if the hot wallet is not short of the coin
 * (`isShort`).
 */
export function refillOf(coin: HotAmounts): Decimal | undefined {
  return isShort(coin) ? aimOf(coin).minus(coin.balance) : undefined;
}

/**
 * Returns the amount of a coin by which a move to the cold wallet lowers the balance to the target or, if
 * that is more, to the needed amount plus the lower bound (`aimOf`). Undefined if the balance does not exceed
 * both its upper bound and this aim.
 */
export function surplusOf(coin: HotAmounts): Decimal | undefined {
  if (!coin.balance.isMore(coin.bounds.most)) return undefined;
  const surplus = coin.balance.minus(aimOf(coin));
  return surplus.isPositive() ? surplus : undefined;
}

/**
 * Returns whether after the move of `amount` to the cold wallet the balance would be less than the amount
 * that the wallet has to pay (`needed`) plus the lower bound.
 */
export function leavesShort(coin: HotAmounts, amount: Decimal): boolean {
  const { least } = coin.bounds;
  return coin.balance.minus(amount).isLess(coin.needed.plus(least));
}

/**
 * Returns the outcome of an open request for a refill: `done` if the requested amount has arrived, or if a
 * part has arrived and the wallet is not short any more (`isShort`); `unneeded` if nothing has arrived and
 * the balance has reached the aim of the refill (`aimOf`) nevertheless; otherwise `waits`.
 */
export function refillOutcome(
  coin: HotAmounts,
  { amount, received }: { readonly amount: Decimal; readonly received: Decimal },
): 'done' | 'unneeded' | 'waits' {
  if (received.isPositive()) return received.isLess(amount) && isShort(coin) ? 'waits' : 'done';
  return coin.balance.isLess(aimOf(coin)) ? 'waits' : 'unneeded';
}

/**
 * Returns whether a requested, unapproved move of a surplus to the cold wallet is no longer needed: the
 * balance is not above the aim of the move (`aimOf`), or the move would leave too little (`leavesShort`).
 */
export function isSurplusUnneeded(coin: HotAmounts, amount: Decimal): boolean {
  return !coin.balance.isMore(aimOf(coin)) || leavesShort(coin, amount);
}

/**
 * Returns the state of a coin's balance in the hot wallet for operators: `short` below its lower bound or
 * below the amount that the wallet has to pay, `full` above its upper bound, otherwise `enough`.
 */
export function hotStateOf(coin: HotAmounts): 'short' | 'full' | 'enough' {
  if (isShort(coin)) return 'short';
  return coin.balance.isMore(coin.bounds.most) ? 'full' : 'enough';
}
