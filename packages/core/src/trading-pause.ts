import type { TextByLocale } from './locale.ts';
import type { Instant } from './time.ts';

/**
 * The public reasons for a pause of trading, in the order of the operators' menu. Operators can only select a reason
 * from this list, so that they cannot publish the internal reason by mistake. With `other` no reason is published.
 */
export const PAUSE_CAUSES = [
  'maintenance',
  'technical',
  'prices',
  'volatility',
  'network',
  'listing',
  'other',
] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

/**
 * What operators can pause: trading on a pair, trading of a coin on all its pairs, or the opening of positions in the
 * seconds contract.
 */
export type PauseScope = 'pair' | 'coin' | 'seconds';

/** The part of a trading pause that users can see. */
export interface PauseNotice {
  readonly cause: PauseCause;
  /** Time by which the exchange has promised further information; undefined if it has promised none. */
  readonly newsAt: Instant | undefined;
  /** An explanation that operators wrote; undefined if they wrote none. */
  readonly note: TextByLocale | undefined;
}

/** A trading pause in the form in which the API publishes it. */
export interface PublicPause {
  /** The halted coin, if the whole coin is halted; undefined if only the pair is. */
  readonly coin: string | undefined;
  readonly cause: PauseCause;
  readonly newsTime: Instant | undefined;
  readonly note: TextByLocale | undefined;
}

/** The public part of a pause for which operators published nothing, e.g. one that the exchange began automatically. */
export const UNEXPLAINED: PauseNotice = { cause: 'other', newsAt: undefined, note: undefined };

/** Returns a trading pause in the form in which the API publishes it. `coin` is set if a whole coin is halted. */
export function publicPause({ cause, newsAt, note }: PauseNotice = UNEXPLAINED, coin?: string): PublicPause {
  return {
    coin,
    cause,
    newsTime: newsAt,
    note,
  };
}
