import { Decimal } from '@exchange/core/decimal.ts';
import type { ChainSighting } from './domain.ts';

/** Code of the network and of its coin. */
export const XRP = 'XRP';
/** Decimals of XRP: amounts on the network are in drops, 10^-6 XRP. */
export const XRP_DIGITS = 6;
export const SUCCESS = 'tesSUCCESS';

/** The fields of a transaction in a validated ledger that the exchange reads. */
export interface XrpTransaction {
  readonly txid: string;
  readonly ledger: number;
  readonly type: string;
  readonly account: string;
  /** Sequence number with which the account made the transaction; 0 for a transaction with a ticket. */
  readonly sequence: number;
  readonly fee: bigint;
  readonly destination: string | undefined;
  readonly tag: number | undefined;
  readonly result: string;
  /** Drops that a payment delivered; undefined if the node does not report them, or if the payment is not in XRP. */
  readonly delivered: bigint | undefined;
  /** Changes of accounts' balances in drops, fees included, by account. */
  readonly changes: ReadonlyMap<string, bigint>;
}

/** An arrival at an account of the exchange. */
export interface XrpArrival extends ChainSighting {
  readonly memo: string | undefined;
  readonly remark: string | undefined;
}

/** A transaction of the exchange's own account, which has used its sequence number. */
export interface XrpOutcome {
  readonly sequence: number;
  readonly txid: string;
  readonly block: number;
  readonly result: string;
  readonly fee: bigint;
}

/**
 * The arrivals that a transaction brings to the exchange's accounts. A successful payment counts with the delivered
 * amount, which can be less than its amount (partial payment), for the user of its tag. If the node does not report the
 * delivered amount, if that contradicts the change of balance, or if XRP arrive in another way, the amount is the
 * change of balance and no user is credited: the arrival has no memo, and its remark gives the reason. Issued
 * currencies are not XRP and do not change the XRP balance.
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

/** The given transactions that are the account's own and used one of its sequence numbers. */
export function outcomesOf(transactions: readonly XrpTransaction[], account: string): XrpOutcome[] {
  return transactions
    .filter((transaction) => transaction.account === account && transaction.sequence > 0)
    .map(({ sequence, txid, ledger, result, fee }) => ({ sequence, txid, block: ledger, result, fee }));
}

/**
 * Whether a node has all ledgers from `from` to `to`. `complete` is the node's text of its ranges, such as
 * `32570-100, 200-250`.
 */
export function hasLedgers(complete: string, from: number, to: number): boolean {
  return complete.split(',').some((part) => {
    const [, first = '', last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    return first !== '' && Number(first) <= from && to <= Number(last);
  });
}

/** Greatest number of ledgers after which a transaction expires. */
export const XRP_LIFETIME_MAX = 900;

/**
 * Number of ledgers after which a transaction expires: about 80 seconds at first, up to an hour for
 * a payment that had to be signed again.
 */
export function lifetimeOf(signedBefore: number): number {
  const [first, factor] = [20, 4];
  return Math.min(XRP_LIFETIME_MAX, first * factor ** Math.min(signedBefore, 3));
}

/** A fee limited to the configured bounds, in drops. */
export function boundedFee(
  fee: bigint,
  { least, most }: { readonly least: bigint; readonly most: bigint },
): bigint {
  if (fee > most) return most;
  return fee < least ? least : fee;
}
