import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Greatest number of transfers of a watched token that are shown in a day (UTC); further transfers are only counted.
 */
export const SHOWN_PER_DAY = 50;
/** Greatest number of tokens that are watched at a time, on all networks. */
export const WATCHED_MOST = 20;
/** Greatest number of decimals of a token that can be watched; amounts are stored with this number. */
export const WATCHED_DIGITS_MOST = 18;
/** Greatest number of digits before the decimal point of a stored amount. Larger amounts are not shown. */
const WHOLE_DIGITS_MOST = 20;
const TEXT_MOST = 40;

/** Decimals, name and symbol that a contract reports. */
export interface TokenFacts {
  readonly name: string;
  readonly symbol: string;
  readonly digits: number;
}

/** A token that is not listed and whose transfers to addresses of the exchange are shown to operators. */
export interface WatchedToken extends TokenFacts {
  readonly network: string;
  /** Contract address in lower case. */
  readonly contract: string;
  /** Least amount of a shown transfer, in units of the token; smaller transfers are only counted. */
  readonly least: Decimal;
  readonly allowedAt: Instant;
  readonly allowedBy: string;
  /**
   * Day of the last transfer, in days since 1970, and the number of transfers shown on that day.
   */
  readonly day: number;
  readonly shownOnDay: number;
  /** Number of transfers that were not shown. */
  readonly notShown: number;
}

export function dayOf(now: Instant): number {
  return Math.floor(now / DAY_MS);
}

/** How many of `count` transfers of a watched token at `now` are shown. */
export function admittedCount(
  { day, shownOnDay }: Pick<WatchedToken, 'day' | 'shownOnDay'>,
  count: number,
  now: Instant,
): number {
  const shown = day === dayOf(now) ? shownOnDay : 0;
  return Math.max(0, Math.min(count, SHOWN_PER_DAY - shown));
}

/**
 * The amount of a transfer of a watched token; undefined if it is not shown because it is below the least amount or too
 * large to be stored.
 *
 * @param units in the smallest units of the token
 */
export function shownAmount(
  { least, digits }: Pick<WatchedToken, 'least' | 'digits'>,
  units: bigint,
): Decimal | undefined {
  if (units >= 10n ** BigInt(WHOLE_DIGITS_MOST + digits)) return undefined;
  const amount = Decimal.ofScaled(units, digits);
  return amount.isLess(least) ? undefined : amount;
}

/**
 * A text that a contract returned as `string` of the ABI or, as old tokens do, as 32 bytes. Characters that are not
 * printable are removed, and the text is cut to 40 characters; empty if nothing remains.
 *
 * @param returned the returned bytes in hex, with `0x`
 */
export function contractText(returned: string): string {
  const bytes = Buffer.from(returned.slice(2), 'hex');
  const length = bytes.length >= 64 ? Number(bytes.readBigUInt64BE(56)) : 0;
  const text = bytes.length === 32 ? bytes : bytes.subarray(64, 64 + Math.min(length, bytes.length));
  const printable = text.toString('utf8').replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '');
  return Array.from(printable).slice(0, TEXT_MOST).join('').trim();
}
