import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Greatest number of transfers of a watched token that operators see per day (UTC); further transfers are only counted.
 */
export const SHOWN_PER_DAY = 50;
/** Greatest number of tokens that are watched at the same time, on all networks together. */
export const WATCHED_MOST = 20;
/** Greatest number of decimals that a watched token may have; amounts are stored with this number of decimals. */
export const WATCHED_DIGITS_MOST = 18;
/** Greatest number of digits before the decimal point of a stored amount; operators do not see larger amounts. */
const WHOLE_DIGITS_MOST = 20;
const TEXT_MOST = 40;

/** The decimals, name and symbol that a token contract reports. */
export interface TokenFacts {
  readonly name: string;
  readonly symbol: string;
  readonly digits: number;
}

/** A token that the exchange does not list, but whose transfers to addresses of the exchange operators see. */
export interface WatchedToken extends TokenFacts {
  readonly network: string;
  /** Address of the token's contract in canonical form (`ChannelTokens.canonical`). */
  readonly contract: string;
  /**
   * Least amount of a transfer that operators see, in units of the token, with decimals; smaller transfers
   * are only counted.
   */
  readonly least: Decimal;
  readonly allowedAt: Instant;
  readonly allowedBy: string;
  /** Day of the last transfer, in days since 1970 (UTC), and the number of that day's transfers that operators see. */
  readonly day: number;
  readonly shownOnDay: number;
  /** Total number of the token's transfers that were only counted and not shown to operators. */
  readonly notShown: number;
}

export function dayOf(now: Instant): number {
  return Math.floor(now / DAY_MS);
}

/**
 * Returns how many of `count` further transfers of a watched token operators see on the UTC day of `now`,
 * given those that they have seen that day: at most `SHOWN_PER_DAY` in all.
 */
export function admittedCount(
  { day, shownOnDay }: Pick<WatchedToken, 'day' | 'shownOnDay'>,
  count: number,
  now: Instant,
): number {
  const shown = day === dayOf(now) ? shownOnDay : 0;
  return Math.max(0, Math.min(count, SHOWN_PER_DAY - shown));
}

/**
 * Returns the amount of a transfer of a watched token; undefined if operators do not see the transfer,
 * because the amount is below the least amount or too large to be stored.
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

/** Decides in one block which transfers of watched tokens operators may see, and counts the others by contract. */
export class BlockOfWatched {
  readonly unfit = new Map<string, number>();
  private readonly shown = new Map<string, number>();

  /**
   * Returns the amount of a transfer if operators may see it. Otherwise (the token's limit of shown transfers
   * per block is reached, or the amount is too small or too large to be shown) increments a counter of the
   * token and returns undefined.
   * @param units in the smallest units of the token
   */
  admit(token: Pick<WatchedToken, 'contract' | 'least' | 'digits'>, units: bigint): Decimal | undefined {
    const { contract } = token;
    const before = this.shown.get(contract) ?? 0;
    const amount = before >= SHOWN_PER_DAY ? undefined : shownAmount(token, units);
    const counts = amount === undefined ? this.unfit : this.shown;
    counts.set(contract, (counts.get(contract) ?? 0) + 1);
    return amount;
  }
}

/**
 * Returns the text that a contract returned, either as `string` of the contract ABI or, as old tokens do, as
 * 32 bytes. Characters that are not printable are removed, and the text is cut to 40 characters; empty if no
 * text remains.
 * @param returned the returned bytes in hexadecimal digits, with the prefix `0x`
 */
export function contractText(returned: string): string {
  const bytes = Buffer.from(returned.slice(2), 'hex');
  const length = bytes.length >= 64 ? Number(bytes.readBigUInt64BE(56)) : 0;
  const text = bytes.length === 32 ? bytes : bytes.subarray(64, 64 + Math.min(length, bytes.length));
  const printable = text.toString('utf8').replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '');
  return Array.from(printable).slice(0, TEXT_MOST).join('').trim();
}
