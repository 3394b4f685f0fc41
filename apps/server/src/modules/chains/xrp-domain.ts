import { Decimal } from '@exchange/core/decimal.ts';
import type { ChainSighting } from './domain.ts';

/** Code of the network and of its coin. */
export const XRP = 'XRP';
/** Decimals of XRP: amounts of the ledger are in drops. */
export const XRP_DIGITS = 6;
export const SUCCESS = 'tesSUCCESS';

/** A transaction in a validated ledger, as far as the exchange reads it. */
export interface XrpTransaction {
  readonly txid: string;
  readonly ledger: number;
  readonly type: string;
  readonly account: string;
  /** 0 for a transaction with a ticket. */
  readonly sequence: number;
  readonly fee: bigint;
  readonly destination: string | undefined;
  readonly tag: number | undefined;
  readonly result: string;
  /** What a payment delivered in drops; undefined if it is not said, or if it is no XRP. */
  readonly delivered: bigint | undefined;
  /** Changes of balances of accounts in drops, fees included. */
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
 * What a transaction brings to the accounts of the exchange. A successful payment counts with what it delivered, which can be
 * less than its amount (partial payment), for the user of its tag. Where the node does not say what was delivered, where it
 * contradicts the balance, or where XRP come in another way, the balance says how much it is and nobody gets it: it has no memo,
 * and the remark says why. Issued currencies are no XRP and change no balance of it.
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

/** The transactions of an account among these, which have used its sequence numbers. */
export function outcomesOf(transactions: readonly XrpTransaction[], account: string): XrpOutcome[] {
  return transactions
    .filter((transaction) => transaction.account === account && transaction.sequence > 0)
    .map(({ sequence, txid, ledger, result, fee }) => ({ sequence, txid, block: ledger, result, fee }));
}

/** The ranges of ledgers that a node has, from its text `32570-100, 200-250`. */
export function hasLedgers(complete: string, from: number, to: number): boolean {
  return complete.split(',').some((part) => {
    const [, first = '', last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    return first !== '' && Number(first) <= from && to <= Number(last);
  });
}

/** Ledgers until a transaction ends: some 80 seconds at first, and up to an hour for one that had to be signed again. */
export function lifetimeOf(signedBefore: number): number {
  const [first, factor, most] = [20, 4, 900];
  return Math.min(most, first * factor ** Math.min(signedBefore, 3));
}

/** A fee within bounds, in drops. */
export function boundedFee(
  fee: bigint,
  { least, most }: { readonly least: bigint; readonly most: bigint },
): bigint {
  if (fee > most) return most;
  return fee < least ? least : fee;
}
