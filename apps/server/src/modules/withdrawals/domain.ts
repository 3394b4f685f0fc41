import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  addressProblem,
  ADDRESS_WAIT_MS,
  arrivalOf,
  PROMISED_MS,
  usdtValue,
  withdrawalProblem,
  type CoinNetwork,
  type RefusalReason,
  type WithdrawalState,
} from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { HOUR_MS, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';

export type WithdrawalStatus = 'pending' | 'finished' | 'rejected' | 'processing' | 'failed' | 'cancelled';

/** So long can even a withdrawal that goes out by itself be taken back. */
export const SECOND_THOUGHTS_MS = 10 * SECOND_MS;
/** So much, in USDT, one person alone lets out of an account within 24 hours; for more a second one must approve. */
const ONE_PERSON = Decimal.parse('10000');

/** An address that somebody keeps. */
export interface KeptAddress {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  readonly activeAt: Instant;
  readonly createdAt: Instant;
}

export interface Withdrawal {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** What is taken from the balance; `fee` is part of it. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** In USDT when it was asked for. */
  readonly value: Decimal;
  readonly remark: string | undefined;
  readonly isAuto: boolean;
  readonly status: WithdrawalStatus;
  readonly reason: RefusalReason | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  readonly confirmations: number;
  /** The operators who decided it. */
  readonly decidedBy: string | undefined;
  /** From when it may leave because its address is known by then; undefined for those from before addresses had an age. */
  readonly knownAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
}

/** Whether somebody withdraws to kept addresses only. */
export interface Whitelist {
  readonly isOn: boolean;
  /** When it ends, while it is being turned off. */
  readonly offAt: Instant | undefined;
}

/** The whitelist at a moment: turned off, it stays in force for a day. */
export function whitelistAt(
  stored: { readonly offAt: Instant | undefined } | undefined,
  now: Instant,
): Whitelist {
  if (stored === undefined || (stored.offAt !== undefined && stored.offAt <= now))
    return { isOn: false, offAt: undefined };
  return { isOn: true, offAt: stored.offAt };
}

/** Why nothing may be sent to an address yet, or at all; a kept one is `undefined` where it is in nobody's book. */
export function destinationProblem(
  kept: KeptAddress | undefined,
  { isOn }: Whitelist,
  now: Instant,
): Refusal | undefined {
  if (kept === undefined)
    return isOn ? refusal('securityHold', 'l.address_unlisted', { field: 'address' }) : undefined;
  return unknownProblem(kept.activeAt, now);
}

/** Why nothing leaves to an address yet that is known from an instant on; undefined where it is known. */
export function unknownProblem(knownAt: Instant | undefined, now: Instant): Refusal | undefined {
  if (knownAt === undefined || knownAt <= now) return undefined;
  return refusal('securityHold', 'l.address_waits', {
    field: 'address',
    limit: String(knownAt),
    value: String(now),
    hours: String(Math.ceil((knownAt - now) / HOUR_MS)),
  });
}

/** A withdrawal that somebody asks for, and all that it is judged by. A quote and a submission are judged by the same. */
export interface WithdrawalRequest {
  readonly coin: CoinNetwork;
  readonly amount: Decimal;
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  /** The recipient has said that the own wallet needs no memo. */
  readonly withoutMemo: boolean;
  /** The entry of the address book that the destination is, where there is one. */
  readonly kept: KeptAddress | undefined;
  readonly whitelist: Whitelist;
  readonly state: WithdrawalState;
}

/** Why a withdrawal is refused at an instant: its destination, or its amount. */
export function requestProblem(request: WithdrawalRequest, now: Instant): Refusal | undefined {
  const { coin, amount, address, memo, remark, withoutMemo, kept, whitelist, state } = request;
  const destination = {
    address,
    ...(memo === undefined ? {} : { memo }),
    ...(remark === undefined ? {} : { remark }),
    // An entry of the book without a memo was stored so on purpose.
    withoutMemo: (kept !== undefined && memo === undefined) || withoutMemo,
  };
  return (
    addressProblem(coin, destination) ??
    destinationProblem(kept, whitelist, now) ??
    withdrawalProblem(coin, amount, state, now)
  );
}

/** Why a withdrawal is refused whose owner was shown another fee, in the coin's units; undefined where none was shown. */
export function feeProblem({ asset, fee }: CoinNetwork, shown: Decimal | undefined): Refusal | undefined {
  if (shown === undefined || shown.equals(fee)) return undefined;
  return refusal('closed', 'l.withdraw_fee_changed', {
    limit: fee.toString(),
    value: shown.toString(),
    unit: asset,
  });
}

/** The figures of a withdrawal: `fee` and `arrival` in units of its coin, `value` in USDT. */
export interface WithdrawalFigures {
  readonly fee: Decimal;
  readonly arrival: Decimal;
  readonly value: Decimal;
  readonly isAuto: boolean;
}

/** The figures of a withdrawal that is not refused, at a price in USDT; `autoUsed` is what went by itself within a day. */
export function figuresOf(
  { coin, amount, kept, state }: Pick<WithdrawalRequest, 'coin' | 'amount' | 'kept' | 'state'>,
  price: Decimal,
  autoUsed: Decimal,
): WithdrawalFigures {
  const value = usdtValue(amount, price);
  return {
    fee: coin.fee,
    arrival: arrivalOf(coin, amount),
    value,
    isAuto: goesByItself(kept, autoUsed.plus(value), state.limits.auto),
  };
}

/**
 * Whether nobody needs to look at it: to a kept address, and all that goes by itself within a day, this one included, is not
 * worth more than the level's automatic limit. So nobody passes it in slices.
 */
export function goesByItself(kept: KeptAddress | undefined, dayByItself: Decimal, auto: Decimal): boolean {
  return kept !== undefined && !dayByItself.isMore(auto);
}

/** Why one person alone may not let so much out of an account, of which one person has approved so much within a day. */
export function onePersonProblem(value: Decimal, approved: Decimal = Decimal.zero): Refusal | undefined {
  if (!approved.plus(value).isMore(ONE_PERSON)) return undefined;
  const about = { limit: ONE_PERSON.toString(), value: value.toString(), unit: 'USDT' };
  return refusal('aboveMaximum', 'l.withdraw_second_person', { ...about, before: approved.toString() });
}

/** By when it is promised to be done: within 24 hours after it may leave. */
export function promisedAt(withdrawal: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return later(mayLeaveAt(withdrawal), PROMISED_MS);
}

/** When it was submitted, or when its address was known, whichever came later. */
export function mayLeaveAt({
  createdAt,
  knownAt = createdAt,
}: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return knownAt > createdAt ? knownAt : createdAt;
}

export function activeFrom(now: Instant): Instant {
  return later(now, ADDRESS_WAIT_MS);
}
