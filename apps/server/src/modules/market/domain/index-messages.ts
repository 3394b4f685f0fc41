import { Decimal } from '@exchange/core/decimal.ts';
import type { IndexFlag, IndexPoint } from '@exchange/core/index-price.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { PathState } from './simulated-path.ts';
import type { SourceState } from './source-states.ts';

/**
 * An index point as sent between threads. Prices are text, because a structured clone loses the methods of
 * `Decimal`.
 */
export interface PointMessage {
  readonly symbol: string;
  readonly t: Instant;
  readonly price: string | null;
  readonly flags: readonly IndexFlag[];
  readonly sources: readonly {
    readonly id: string;
    readonly price: string;
    readonly at: Instant;
    readonly used: boolean;
    readonly outlier: boolean;
  }[];
}

/** Messages from the thread that computes the price index: index points, its state, or a log line. */
export type IndexReport =
  | { readonly kind: 'points'; readonly publishedAt: Instant; readonly points: readonly PointMessage[] }
  | { readonly kind: 'state'; readonly path: PathState | undefined; readonly health: unknown }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly event: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/**
 * Messages to the thread that computes the price index: the switches that decide which price sources count now and in
 * the near future, or the request to stop.
 */
export type IndexRequest =
  | { readonly kind: 'sources'; readonly changes: readonly SourceState[] }
  | { readonly kind: 'stop' };

export function pointMessage(symbol: string, { t, price, flags, sources }: IndexPoint): PointMessage {
  return {
    symbol,
    t,
    price: price?.toString() ?? null,
    flags,
    sources: sources.map((source) => ({ ...source, price: source.price.toString() })),
  };
}

export function pointOf({ t, price, flags, sources }: PointMessage): IndexPoint {
  return {
    t,
    price: price === null ? null : Decimal.parse(price),
    flags,
    sources: sources.map((source) => ({ ...source, price: Decimal.parse(source.price) })),
  };
}
