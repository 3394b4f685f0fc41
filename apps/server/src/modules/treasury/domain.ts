import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal, least } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';
import { TRON, TRON_COIN } from '@exchange/core/tron-network.ts';
import type { ChainPayment } from '../chains/index.ts';

export const ARRIVAL_STATES = [
  'open',
  'credited',
  'assigned',
  'returning',
  'returned',
  'dismissed',
  'internal',
] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

export type TransferDirection = 'deposits' | 'withdrawals';

/** A pause of deposits or withdrawals on a network. */
export interface NetworkPause {
  readonly network: string;
  readonly direction: TransferDirection;
  /** Text about the pause of the network, which users read. */
  readonly note: TextByLocale;
  /** Expected end of the network's pause; undefined if unknown. */
  readonly expectedAt: Instant | undefined;
  readonly since: Instant;
  readonly by: string;
  readonly reason: string;
}

/** The fields that identify a payment; one transaction can contain several payments. */
export interface PaymentIdentity {
  readonly network: string;
  readonly txid: string;
  /** Index of the payment within its transaction, from 0. */
  readonly output: number;
  readonly asset: string;
}

/**
 * An incoming transfer that is not credited to a user as a deposit: to a wallet of the exchange itself, or of an
 * unlisted token to any address of the exchange. Operators decide about it.
 */
export interface Arrival extends PaymentIdentity {
  readonly id: string;
  readonly address: string;
  /** Address of the payer; undefined if the network does not provide it. */
  readonly sender: string | undefined;
  readonly memo: string | undefined;
  /** Amount of the arrival in units of the coin or token. */
  readonly amount: Decimal;
  readonly remark: string | undefined;
  /**
   * Position of the transfer in the sequence of its network's transfers, and number of its block. Both are 0 for an
   * arrival that an operator registered.
   */
  readonly position: number;
  readonly block: number;
  readonly registeredBy: string | undefined;
  readonly state: ArrivalState;
  readonly createdAt: Instant;
  /** Time at which its network dropped the transfer; undefined while the network has it. */
  readonly goneAt: Instant | undefined;
  readonly owner: UserId | undefined;
  readonly account: string | undefined;
}

/**
 * Returns whether `asset` is the address of a token contract that is not listed on the network, or TRX on the
 * network TRON while TRX is not listed there.
 */
export function isUnlistedToken({ network, asset }: Pick<PaymentIdentity, 'network' | 'asset'>): boolean {
  const isWatchable = isTokenAddress(asset) || (network === TRON && asset === TRON_COIN);
  return isWatchable && findCoinNetwork(asset, network) === undefined;
}

/**
 * Returns the asset that an operator entered in the form in which assets are stored: an address with `0x` in
 * lower case, a Tron address unchanged, and any other text, which is the code of a coin, in capitals. Refuses
 * nothing.
 */
export function assetCode(text: string): string {
  if (text.startsWith('0x')) return text.toLowerCase();
  return isTokenAddress(text) ? text : text.toUpperCase();
}

function isTokenAddress(asset: string): boolean {
  return asset.startsWith('0x') || isChainAddress('tron', asset);
}

export const DEBT_CAUSES = ['correction', 'deposit'] as const;
export type DebtCause = (typeof DEBT_CAUSES)[number];
export type DebtOutcome = 'paid' | 'writtenOff' | 'cancelled';

/**
 * An amount that a user owes or owed the exchange; `paid` is the part paid so far (0 after a cancellation,
 * which refunds it), and `outcome` is undefined while the debt is open.
 */
export interface Debt {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly amount: Decimal;
  readonly paid: Decimal;
  readonly cause: DebtCause;
  /** Id of the correction or of the deposit that caused the debt. */
  readonly reference: string;
  /** Ledger account that receives the payments of the debt, e.g. `house:fees` or `world:BTC:BTC`. */
  readonly account: string;
  readonly outcome: DebtOutcome | undefined;
  readonly createdAt: Instant;
  readonly closedAt: Instant | undefined;
  readonly reason: string;
}

/**
 * Splits a debit into the part that the available balance covers (`taken`) and the rest, which becomes a debt (`owed`).
 */
export function splitDebit(
  available: Decimal,
  amount: Decimal,
): { readonly taken: Decimal; readonly owed: Decimal } {
  const taken = available.isPositive() ? least(available, amount) : Decimal.zero;
  return { taken, owed: amount.minus(taken) };
}

export function remainingOf({ amount, paid }: Pick<Debt, 'amount' | 'paid'>): Decimal {
  return amount.minus(paid);
}

/**
 * Returns the amounts that a credited amount pays towards the user's debts in the same coin: it is used up by
 * the debts in their given order. Debts that get nothing are left out.
 */
export function paymentsFrom(
  arrival: Decimal,
  debts: readonly Debt[],
): { readonly debt: Debt; readonly amount: Decimal }[] {
  let rest = arrival;
  return debts.flatMap((debt) => {
    const amount = least(rest, remainingOf(debt));
    if (!amount.isPositive()) return [];
    rest = rest.minus(amount);
    return [{ debt, amount }];
  });
}

/** A shortage of a coin that is worth less than this in USDT does not pause the coin. */
const DUST_USDT = Decimal.ofWhole(10);
/** Deposits worth more than this in USDT wait while their coin is paused. */
const WAITING_USDT = Decimal.ofWhole(1_000);
/** Milliseconds after which an accepted shortage no longer counts as accepted. */
export const ACCEPTED_MS = DAY_MS;

/** The shortage of a coin that operators accepted when they ended the coin's pause. */
export interface AcceptedShortage {
  readonly amount: Decimal;
  readonly at: Instant;
}

/**
 * Returns whether the shortage of a coin pauses the coin: it is worth at least `DUST_USDT` and, if a shortage
 * was accepted within a day, exceeds the accepted one by at least this value. Network fees change the
 * holdings all the time, which must not end an acceptance.
 *
 * @param missing the owed amount minus the held amount, in the coin
 *
 * @param price the price of the coin in USDT; without a price every shortage counts
 */
export function pauses(
  missing: Decimal,
  {
    price,
    accepted,
    now,
  }: {
    readonly price: Decimal | undefined;
    readonly accepted: AcceptedShortage | undefined;
    readonly now: Instant;
  },
): boolean {
  if (!missing.isPositive()) return false;
  const isAccepted = accepted !== undefined && now - accepted.at < ACCEPTED_MS;
  const excess = isAccepted ? missing.minus(accepted.amount) : missing;
  if (!excess.isPositive()) return false;
  return price === undefined || !excess.times(price, 'up').isLess(DUST_USDT);
}

/**
 * Returns whether a confirmed deposit must wait while its coin is paused: its value is above `WAITING_USDT`,
 * or its price is unknown.
 */
export function waitsWhilePaused(amount: Decimal, price: Decimal | undefined): boolean {
  return price === undefined || amount.times(price, 'up').isMore(WAITING_USDT);
}

/** A payment that operators look for on its chain before they decide. */
export interface SoughtPayment {
  readonly network: string;
  readonly txid: string;
  readonly asset: string;
  readonly amount: Decimal;
}

/** Maximum number of payments that are listed in a sentence about a transaction. */
const NAMED_PAYMENTS = 3;

/**
 * Returns a sentence for operators about whether a chain contains a payment.
 *
 * @param payments the payments of the transaction; undefined if no block contains the transaction
 * @param own for a payment to the exchange: which of the receivers are addresses of the exchange
 */
export function chainSentence(
  { asset, amount }: SoughtPayment,
  payments: readonly ChainPayment[] | undefined,
  own?: ReadonlySet<string>,
): string {
  if (payments === undefined) return 'NOT FOUND: the node has no block with this transaction.';
  const same = payments.filter((payment) => payment.asset === asset && payment.amount.equals(amount));
  const exact = own === undefined ? same[0] : same.find(({ address }) => own.has(address));
  if (exact !== undefined) {
    const finality = exact.isFinal ? 'final' : 'not final yet';
    return `Found: ${amount.toString()} ${asset} to ${exact.address} in block ${exact.block}, ${finality}.`;
  }
  const [foreign] = same;
  if (foreign !== undefined)
    return `NOT OURS: the transaction pays ${amount.toString()} ${asset} to ${foreign.address}, which is no address of the exchange. If that is a contract, look in a block explorer whether it has passed the coins on.`;
  if (payments.length === 0)
    return 'NOT SEEN: the transaction exists, and the node reports no payment of a listed coin in it. It does not report payments from inside a contract: look at the transaction in a block explorer.';
  const others = payments
    .slice(0, NAMED_PAYMENTS)
    .map((payment) => `${payment.amount.toString()} ${payment.asset} to ${payment.address}`);
  return `DIFFERENT: the transaction pays ${others.join(', ')}${payments.length > NAMED_PAYMENTS ? ', …' : ''}.`;
}
