import { Decimal } from '@exchange/core/decimal.ts';
import type { ChainSighting } from './domain.ts';

/** Code both of the network and of its coin. */
export const XRP = 'XRP';
/** Number of decimals of XRP: amounts on the network are in drops, 10^-6 XRP. */
export const XRP_DIGITS = 6;
export const SUCCESS = 'tesSUCCESS';

/** The fields of a transaction in a validated ledger that the exchange reads. */
export interface XrpTransaction {
  readonly txid: string;
  readonly ledger: number;
  readonly type: string;
  readonly account: string;
  /** Sequence number that the transaction uses in its account; 0 for a transaction with a ticket. */
  readonly sequence: number;
  readonly fee: bigint;
  readonly destination: string | undefined;
  readonly tag: number | undefined;
  readonly result: string;
  /**
   * Amount in drops that the payment delivered; undefined if the node does not report it, or if the payment is not in
   * XRP.
   */
  readonly delivered: bigint | undefined;
  /** Changes of balances in drops by account; the fee is included. */
  readonly changes: ReadonlyMap<string, bigint>;
}

/** XRP that arrive at an account of the exchange, by a payment or in another way. */
export interface XrpArrival extends ChainSighting {
  readonly memo: string | undefined;
  readonly remark: string | undefined;
}

/** A transaction of the exchange's account that used a sequence number of the account. */
export interface XrpOutcome {
  readonly sequence: number;
  readonly txid: string;
  readonly block: number;
  readonly result: string;
  readonly fee: bigint;
}

/**
 * The arrivals of XRP at the exchange's accounts that a transaction causes; none for a failed transaction,
 * and none at the account that made the transaction. A successful payment counts with the delivered amount,
 * which can be less than its stated amount (partial payment), for the user with its destination tag. If the
 * node does not report the delivered amount, if it contradicts the change of the balance, or if XRP arrive in
 * another way, the amount is the change of the balance and no user is credited: the arrival has no memo, and
 * its remark contains the reason. Issued currencies do not change the XRP balance, so they are ignored.
 */
export function arrivalsIn(transaction: XrpTransaction, accounts: ReadonlySet<string>): XrpArrival[] {
  const { txid, type, account, destination, tag, result, delivered, changes } = transaction;
  if (result !== SUCCESS) return [];
  return [...accounts].flatMap((address) => {
    const change = changes.get(address) ?? 0n;
    if (account === address || change <= 0n) return [];
    const isPayment = type === 'Payment' && destination === address;
    const isCertain = isPayment && delivered === change;
    const memo = isCertain && tag !== undefined ? String(tag) : undefined;
    return [
      {
        txid,
        output: 0,
        asset: XRP,
        address,
        sender: account,
        isInternal: accounts.has(account),
        amount: Decimal.ofScaled(change, XRP_DIGITS),
        memo,
        remark: isCertain ? undefined : remarkOf(transaction, isPayment),
      },
    ];
  });
}

function remarkOf({ type, tag, delivered }: XrpTransaction, isPayment: boolean): string {
  const tagText = tag === undefined ? 'no tag' : `tag ${tag}`;
  if (!isPayment) return `${type}, ${tagText}`;
  return delivered === undefined
    ? `the node does not say what was delivered, ${tagText}`
    : `the node says that ${Decimal.ofScaled(delivered, XRP_DIGITS)} XRP were delivered, ${tagText}`;
}

/** Those of the given transactions that the account made itself and that used one of its sequence numbers. */
export function outcomesOf(transactions: readonly XrpTransaction[], account: string): XrpOutcome[] {
  return transactions
    .filter((transaction) => transaction.account === account && transaction.sequence > 0)
    .map(({ sequence, txid, ledger, result, fee }) => ({ sequence, txid, block: ledger, result, fee }));
}

/**
 * True if a node has all ledgers from `from` to `to`. `complete` is the node's text about the ranges that it has, such
 * as `100-150, 200-250`.
 */
export function hasLedgers(complete: string, from: number, to: number): boolean {
  return complete.split(',').some((part) => {
    const [, first = '', last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    return first !== '' && Number(first) <= from && to <= Number(last);
  });
}

/** Greatest number of ledgers after which a transaction can expire. */
export const XRP_LIFETIME_MAX = 900;

/**
 * Number of ledgers after which a new transaction of a payment expires: about 80 seconds for the first transaction,
 * longer after each earlier one, up to about an hour.
 */
export function lifetimeOf(signedBefore: number): number {
  const [first, factor] = [20, 4];
  return Math.min(XRP_LIFETIME_MAX, first * factor ** Math.min(signedBefore, 3));
}

/** The fee in drops, raised to the least and lowered to the greatest fee of the settings. */
export function boundedFee(
  fee: bigint,
  { least, most }: { readonly least: bigint; readonly most: bigint },
): bigint {
  if (fee > most) return most;
  return fee < least ? least : fee;
}
