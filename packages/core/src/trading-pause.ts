import type { TextByLocale } from './locale.ts';
import type { Instant } from './time.ts';

/**
 * The public reasons of a pause of trading, in the order of the operators' menu. The list is fixed, so that
 * operators cannot publish an internal reason by mistake; that reason is only in the audit log. `other`
 * states no reason.
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

/** What can be paused: a trading pair, everything in a coin, or new positions of the seconds contract. */
export type PauseScope = 'pair' | 'coin' | 'seconds';

/** The public side of a pause of trading. */
export interface PauseNotice {
  readonly cause: PauseCause;
  /** The time by which users hear more; undefined if none was promised. */
  readonly newsAt: Instant | undefined;
  /** An explanation in the operators' words; undefined without one. */
  readonly note: TextByLocale | undefined;
}

/** A pause as it is published. */
export interface PublicPause {
  /** The halted coin, where the whole coin is halted and not only the pair. */
  readonly coin: string | undefined;
  readonly cause: PauseCause;
  readonly newsTime: Instant | undefined;
  readonly note: TextByLocale | undefined;
}

/** The notice of a pause about which nothing was published, e.g. one that the exchange began itself. */
export const UNEXPLAINED: PauseNotice = { cause: 'other', newsAt: undefined, note: undefined };

/** A pause as it is published; `coin` where a whole coin is halted. */
export function publicPause({ cause, newsAt, note }: PauseNotice = UNEXPLAINED, coin?: string): PublicPause {
  return {
    coin,
    cause,
    newsTime: newsAt,
    note,
  };
}
