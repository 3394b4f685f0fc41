import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { WalletBounds } from '../chains/index.ts';

/** States of a transfer that is not closed. */
export const OPEN_STATES = ['open', 'approved', 'cancelling'] as const;
export type TransferState = (typeof OPEN_STATES)[number] | 'done' | 'unneeded' | 'cancelled' | 'failed';
export type TransferKind = 'refill' | 'surplus';

/** A transfer between the hot and the cold wallet of a network. */
export interface WalletTransfer {
  readonly id: string;
  readonly kind: TransferKind;
  readonly network: string;
  readonly asset: string;
  /** What should be moved, in units of `asset`, when it was requested. */
  readonly amount: Decimal;
  readonly source: string;
  readonly destination: string;
  readonly state: TransferState;
  readonly createdAt: Instant;
  readonly approvedBy: string | undefined;
  /** `coldTransferDigest` of a surplus that two operators approved. */
  readonly digest: string | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  /** What arrived in the hot wallet for a refill. */
  readonly received: Decimal | undefined;
  readonly closedAt: Instant | undefined;
}

/** A coin in the hot wallet, in units of the coin. */
export interface HotCoin {
  readonly network: string;
  readonly asset: string;
  readonly balance: Decimal;
  /** What approved withdrawals take that are in no block yet. */
  readonly needed: Decimal;
  readonly bounds: WalletBounds;
}

type HotAmounts = Pick<HotCoin, 'balance' | 'needed' | 'bounds'>;

/** Whether the wallet holds less than it should at least, or less than approved withdrawals need. */
export function isShort({ balance, needed, bounds }: HotAmounts): boolean {
  return balance.isLess(bounds.least) || balance.isLess(needed);
}

/** What should remain in the wallet after a refill or a surplus: the target, or more if approved withdrawals need it. */
export function aimOf({ needed, bounds }: HotAmounts): Decimal {
  return greatest(bounds.target, needed.plus(bounds.least));
}

/** What a refill should bring; undefined if the wallet is not short. */
export function refillOf(coin: HotAmounts): Decimal | undefined {
  return isShort(coin) ? aimOf(coin).minus(coin.balance) : undefined;
}

/** What should leave for the cold wallet; undefined if the wallet holds no more than it should at most. */
export function surplusOf(coin: HotAmounts): Decimal | undefined {
  if (!coin.balance.isMore(coin.bounds.most)) return undefined;
  const surplus = coin.balance.minus(aimOf(coin));
  return surplus.isPositive() ? surplus : undefined;
}

/** Whether moving the amount to the cold wallet would leave the wallet short. */
export function leavesShort(coin: HotAmounts, amount: Decimal): boolean {
  const { least } = coin.bounds;
  return coin.balance.minus(amount).isLess(coin.needed.plus(least));
}

/** What became of an open refill: it arrived, nobody needs it any more, or it waits. */
export function refillOutcome(
  coin: HotAmounts,
  { amount, received }: { readonly amount: Decimal; readonly received: Decimal },
): 'done' | 'unneeded' | 'waits' {
  if (received.isPositive()) return received.isLess(amount) && isShort(coin) ? 'waits' : 'done';
  return coin.balance.isLess(aimOf(coin)) ? 'waits' : 'unneeded';
}

/** Whether an open surplus that nobody approved is not needed any more: the wallet is back at its aim, or would be short. */
export function isSurplusUnneeded(coin: HotAmounts, amount: Decimal): boolean {
  return !coin.balance.isMore(aimOf(coin)) || leavesShort(coin, amount);
}

/** State of a coin in the hot wallet, as operators see it. */
export function hotStateOf(coin: HotAmounts): 'short' | 'full' | 'enough' {
  if (isShort(coin)) return 'short';
  return coin.balance.isMore(coin.bounds.most) ? 'full' : 'enough';
}
