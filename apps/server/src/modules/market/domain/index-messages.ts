import { Decimal } from '@exchange/core/decimal.ts';
import type { IndexFlag, IndexPoint } from '@exchange/core/index-price.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { PathState } from './simulated-path.ts';
import type { SourceState } from './source-states.ts';

/** A point as it passes between threads: prices as text, since a copied object has no methods. */
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

/** What the thread that makes the index sends. */
export type IndexReport =
  | { readonly kind: 'points'; readonly publishedAt: Instant; readonly points: readonly PointMessage[] }
  | { readonly kind: 'state'; readonly path: PathState | undefined; readonly health: unknown }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly event: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** What it is sent: the changes of the sources anew after each change, and the request to end. */
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
