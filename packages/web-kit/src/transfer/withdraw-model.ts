import { Decimal } from '@exchange/core/decimal.ts';
import {
  addressProblem,
  arrivalOf,
  canonicalDestination,
  findCoinNetwork,
  lossProblem,
  mostWithdrawable,
  withdrawalProblem,
  type CoinNetwork,
  type Destination,
  type WithdrawalState,
} from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { AddressRow, WithdrawalConfig } from './queries.ts';

/** What is typed to withdraw a coin, and what is wrong with it. */
export interface WithdrawFields {
  readonly amount: string;
  readonly address: string;
  readonly memo: string;
  /** `1`: the own wallet needs no memo, as its owner has confirmed; else empty. */
  readonly withoutMemo: string;
  readonly remark: string;
}

export const NOTHING_TYPED: WithdrawFields = {
  amount: '',
  address: '',
  memo: '',
  withoutMemo: '',
  remark: '',
};

const HOUR_MS = 3_600_000;

/** What it is checked against, once that is known. */
export interface WithdrawMoment {
  readonly terms: CoinNetwork;
  readonly state: WithdrawalState;
  /** The addresses kept for this coin and network. */
  readonly book: readonly AddressRow[];
  readonly isListedOnly: boolean;
  readonly now: Instant;
}

/** The terms of a coin on a network as the server has them now, and what is withdrawn within them. */
export function momentOf(
  coin: string,
  network: string,
  parts: { config: WithdrawalConfig | undefined; book: readonly AddressRow[]; now: number },
): WithdrawMoment | undefined {
  const { config, book } = parts;
  const known = findCoinNetwork(coin, network);
  if (config === undefined || known === undefined) return undefined;
  const terms: CoinNetwork = {
    ...known,
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
  return { terms, state, now, book, isListedOnly: config.whitelistOnly === 1 };
}

/** The entry of the address book that an address and its memo are. */
export function keptOf(
  { address, memo }: Pick<WithdrawFields, 'address' | 'memo'>,
  book: readonly AddressRow[],
): AddressRow | undefined {
  return book.find((one) => one.address === address && (one.memo ?? '') === memo);
}

/** What is wrong with each field, as the server would say it. */
export function withdrawProblems(
  fields: WithdrawFields,
  moment: WithdrawMoment | undefined,
): { readonly [Field in keyof WithdrawFields]?: Refusal } {
  if (moment === undefined) return {};
  const { terms, state, now } = moment;
  const found: Partial<Record<keyof WithdrawFields, Refusal>> = {};
  const place = placeProblem(fields, moment);
  const field = place?.parameters['field'];
  if (place !== undefined) found[field === 'memo' || field === 'remark' ? field : 'address'] = place;
  const typed = typedAmount('amount', fields.amount, terms.digits);
  const amount = typed.ok ? withdrawalProblem(terms, typed.value, state, now) : typed.refusal;
  if (amount !== undefined) found.amount = amount;
  return found;
}

function placeProblem(fields: WithdrawFields, moment: WithdrawMoment): Refusal | undefined {
  const { terms, book, isListedOnly, now } = moment;
  const { address, remark } = fields;
  if (address === '') return refusal('invalidField', 'l.address_required');
  const kept = keptOf(fields, book);
  const place = destinationOf(fields, terms);
  const given = {
    address: place.address,
    ...(place.memo === undefined ? {} : { memo: place.memo }),
    ...(remark === '' ? {} : { remark }),
    withoutMemo: place.withoutMemo || (kept !== undefined && kept.memo === undefined),
  };
  const wrong = addressProblem(terms, given) ?? lossProblem(terms.network, place.address);
  if (wrong !== undefined) return wrong;
  const about = { field: 'address' };
  if (kept === undefined)
    return isListedOnly ? refusal('securityHold', 'l.address_unlisted', about) : undefined;
  if (kept.activeTime <= now) return undefined;
  const hours = String(Math.ceil((kept.activeTime - now) / HOUR_MS));
  return refusal('securityHold', 'l.address_waits', {
    ...about,
    limit: String(kept.activeTime),
    value: String(now),
    hours,
  });
}

/** Where coins go that are sent to what is typed: an X-address is its account and tag. */
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

/** What arrives of what is typed; nothing of what is no amount. */
export function arrivalOfTyped(amount: string, terms: CoinNetwork): string {
  return arrivalOf(terms, Decimal.tryParse(amount) ?? Decimal.zero).toString();
}

export function mostOf({ terms, state }: WithdrawMoment): string {
  return mostWithdrawable(terms, state).toString();
}

/** Whether coins can be sent there at all, whatever else stands in the way. */
export function isPlace(
  { address, memo }: Pick<WithdrawFields, 'address' | 'memo'>,
  terms: CoinNetwork,
): boolean {
  const place = destinationOf({ address, memo, withoutMemo: '' }, terms);
  const given = { address: place.address, ...(place.memo === undefined ? {} : { memo: place.memo }) };
  if (lossProblem(terms.network, place.address) !== undefined) return false;
  return address !== '' && addressProblem(terms, given)?.parameters['field'] !== 'address';
}
