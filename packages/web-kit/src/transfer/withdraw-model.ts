import { Decimal } from '@exchange/core/decimal.ts';
import {
  addressProblem,
  receivedAmount,
  canonicalDestination,
  findCoinNetwork,
  lossProblem,
  remarkProblem,
  mostWithdrawable,
  usdtValue,
  withdrawalProblem,
  type CoinNetwork,
  type Destination,
  type WithdrawalState,
} from '@exchange/core/network.ts';
import { needsRecipient, recipientProblem, type Recipient } from '@exchange/core/recipient.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { AddressRow, WithdrawalConfig } from './queries.ts';

/** Values of the withdrawal form, as the user has typed or chosen them. */
export interface WithdrawFields {
  readonly amount: string;
  readonly address: string;
  readonly memo: string;
  /** `1` if the user has confirmed that the recipient's wallet needs no memo; otherwise empty. */
  readonly withoutMemo: string;
  readonly remark: string;
  /** `1` if the user states to be the recipient; otherwise empty. */
  readonly recipientOwn: string;
  readonly recipientName: string;
  readonly recipientProvider: string;
}

export const NOTHING_TYPED: WithdrawFields = {
  amount: '',
  address: '',
  memo: '',
  withoutMemo: '',
  remark: '',
  recipientOwn: '',
  recipientName: '',
  recipientProvider: '',
};

const HOUR_MS = 3_600_000;

/** Data with which the withdrawal form is validated. */
export interface WithdrawContext {
  readonly terms: CoinNetwork;
  readonly state: WithdrawalState;
  /** The addresses for this coin and network in the user's address book. */
  readonly book: readonly AddressRow[];
  readonly isListedOnly: boolean;
  /**
   * Value of the withdrawal in USDT from which the user must state the recipient (the value itself included); undefined
   * if no withdrawal requires it.
   */
  readonly recipientFrom: Decimal | undefined;
  readonly now: Instant;
}

/**
 * Returns the current data with which a withdrawal of a coin on a network is validated; undefined for a
 * network that the coin does not have, and until the limits of the user have loaded.
 */
export function withdrawContext(
  coin: string,
  network: string,
  parts: { config: WithdrawalConfig | undefined; book: readonly AddressRow[]; now: number },
): WithdrawContext | undefined {
  const { config, book } = parts;
  const listedTerms = findCoinNetwork(coin, network);
  if (config === undefined || listedTerms === undefined) return undefined;
  const terms: CoinNetwork = {
    ...listedTerms,
    minWithdrawal: Decimal.parse(config.min),
    maxWithdrawal: Decimal.parse(config.max),
    fee: Decimal.parse(config.fee),
    digits: config.precision,
  };
  const state = {
    available: Decimal.parse(config.available),
    dayUsed: Decimal.parse(config.dayUsed),
    monthUsed: Decimal.parse(config.monthUsed),
    price: config.price === undefined ? undefined : Decimal.parse(config.price),
    holdUntil: instant(config.holdUntil),
    limits: {
      day: Decimal.parse(config.dayLimit),
      month: Decimal.parse(config.monthLimit),
      auto: Decimal.parse(config.autoLimit),
    },
  };
  const now = instant(Math.floor(parts.now));
  return {
    terms,
    state,
    now,
    book,
    isListedOnly: config.whitelistOnly === 1,
    recipientFrom: config.recipientFrom === undefined ? undefined : Decimal.parse(config.recipientFrom),
  };
}

/** Returns the address book entry with the typed address and memo; undefined if there is none. */
export function bookEntryOf(
  { address, memo }: Pick<WithdrawFields, 'address' | 'memo'>,
  book: readonly AddressRow[],
): AddressRow | undefined {
  return book.find((entry) => entry.address === address && (entry.memo ?? '') === memo);
}

/**
 * Returns the validation errors of the withdrawal form by field; the server uses the same rules. Empty while
 * the data for the validation is loading.
 */
export function withdrawProblems(
  fields: WithdrawFields,
  moment: WithdrawContext | undefined,
): { readonly [Field in keyof WithdrawFields]?: Refusal } {
  if (moment === undefined) return {};
  const { terms, state, now } = moment;
  const problems: Partial<Record<keyof WithdrawFields, Refusal>> = {};
  const destinationProblem = placeProblem(fields, moment);
  const field = destinationProblem?.parameters['field'];
  if (destinationProblem !== undefined)
    problems[field === 'memo' || field === 'remark' ? field : 'address'] = destinationProblem;
  const typed = typedAmount('amount', fields.amount, terms.digits);
  const amount = typed.ok ? withdrawalProblem(terms, typed.value, state, now) : typed.refusal;
  if (amount !== undefined) problems.amount = amount;
  const recipient = asksRecipient(fields, moment) ? recipientProblem(recipientOf(fields)) : undefined;
  if (recipient !== undefined)
    problems[recipient.parameters['field'] === 'recipientProvider' ? 'recipientProvider' : 'recipientName'] =
      recipient;
  return problems;
}

/**
 * Returns whether the user must state the recipient because of the value of the typed amount; false if the
 * amount is no valid number, and while the price of the coin is unknown.
 */
export function asksRecipient(
  { amount }: Pick<WithdrawFields, 'amount'>,
  { state, recipientFrom }: WithdrawContext,
): boolean {
  const typed = Decimal.tryParse(amount);
  if (typed === undefined || state.price === undefined) return false;
  return needsRecipient(usdtValue(typed, state.price), recipientFrom);
}

/** Returns the recipient that the user has stated in the form. */
export function recipientOf({
  recipientOwn,
  recipientName,
  recipientProvider,
}: Pick<WithdrawFields, 'recipientOwn' | 'recipientName' | 'recipientProvider'>): Recipient {
  return { isOwn: recipientOwn === '1', name: recipientName, provider: recipientProvider };
}

function placeProblem(fields: WithdrawFields, moment: WithdrawContext): Refusal | undefined {
  const { terms, book, isListedOnly, now } = moment;
  const { address, remark } = fields;
  if (address === '') return refusal('invalidField', 'l.address_required');
  const bookEntry = bookEntryOf(fields, book);
  const destination = destinationOf(fields, terms);
  const destinationFields = {
    address: destination.address,
    ...(destination.memo === undefined ? {} : { memo: destination.memo }),
    ...(remark === '' ? {} : { remark }),
    withoutMemo: destination.withoutMemo || (bookEntry !== undefined && bookEntry.memo === undefined),
  };
  const wrong =
    addressProblem(terms, destinationFields) ??
    remarkProblem(terms, remark) ??
    lossProblem(terms.network, destination.address);
  if (wrong !== undefined) return wrong;
  const context = { field: 'address' };
  if (bookEntry === undefined)
    return isListedOnly ? refusal('securityHold', 'l.address_unlisted', context) : undefined;
  if (bookEntry.activeTime <= now) return undefined;
  const hours = String(Math.ceil((bookEntry.activeTime - now) / HOUR_MS));
  return refusal('securityHold', 'l.address_waits', {
    ...context,
    limit: String(bookEntry.activeTime),
    value: String(now),
    hours,
  });
}

/**
 * Returns the destination that the typed address and memo denote. An X-address of XRP contains both, so it is
 * split into account address and destination tag.
 */
export function destinationOf(
  { address, memo, withoutMemo }: Pick<WithdrawFields, 'address' | 'memo' | 'withoutMemo'>,
  { network }: CoinNetwork,
): Destination {
  return canonicalDestination(network, {
    address,
    memo: memo === '' ? undefined : memo,
    withoutMemo: withoutMemo === '1',
  });
}

/** Returns the amount that the recipient receives after the fee; 0 for invalid input. */
export function arrivalOfTyped(amount: string, terms: CoinNetwork): string {
  return receivedAmount(terms, Decimal.tryParse(amount) ?? Decimal.zero).toString();
}

export function maxAmountOf({ terms, state }: WithdrawContext): string {
  return mostWithdrawable(terms, state).toString();
}

/**
 * Returns true if the typed address is valid for the network and is not an address at which coins would be
 * lost. The memo is not taken into account: it may be missing or invalid.
 */
export function isValidDestination(
  { address, memo }: Pick<WithdrawFields, 'address' | 'memo'>,
  terms: CoinNetwork,
): boolean {
  const destination = destinationOf({ address, memo, withoutMemo: '' }, terms);
  const destinationFields = {
    address: destination.address,
    ...(destination.memo === undefined ? {} : { memo: destination.memo }),
  };
  if (lossProblem(terms.network, destination.address) !== undefined) return false;
  return address !== '' && addressProblem(terms, destinationFields)?.parameters['field'] !== 'address';
}
