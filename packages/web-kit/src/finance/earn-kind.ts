import type { Decimal } from '@exchange/core/decimal.ts';
import type { Schedule } from '@exchange/core/finance.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { call, type CallFields, onceMore } from '../api/client.ts';
import type { PageFields } from '../api/pages.ts';
import { askAnew } from '../api/query-client.ts';
import { askForBalances } from '../balance/balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedOnce } from '../feed/while-shown.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { onRefresh } from '../refresh.ts';
import { type OwnKeys, ownKeys } from '../session/own-key.ts';
import { signedIn } from '../session/session-store.ts';
import type {
  Bought,
  Holding,
  HoldingTab,
  IncomeDay,
  Page,
  Product,
  PurchasePayload,
  Totals,
} from './shapes.ts';

/** Describes a kind of earn product (fixed-term or mining) for the shared screens. */
export interface EarnKind {
  /** The translation namespace, also the name of the agreement. */
  readonly part: 'finance' | 'mining';
  readonly keys: OwnKeys;
  /** The tabs of the order list; the first is the default. */
  readonly tabs: readonly HoldingTab[];
  /** Subscribes to the private feed to keep queries up to date; returns the unsubscribe function. */
  readonly follow: () => () => void;
  /** Refetches all displayed queries of this kind. */
  readonly ask: () => void;
  readonly products: (signal: AbortSignal) => Promise<readonly Product[]>;
  readonly orders: (
    page: Partial<PageFields> & { readonly tab?: HoldingTab },
    signal?: AbortSignal,
  ) => Promise<Page<Holding> & { readonly totals: Totals }>;
  /** One of the user's orders; refused with `l.not_found` when the id is unknown. */
  readonly order: (id: string, signal: AbortSignal) => Promise<Holding>;
  readonly income: (orderId: string, page: PageFields, signal: AbortSignal) => Promise<Page<IncomeDay>>;
  readonly buy: (attempt: Attempt<PurchasePayload>) => Promise<Bought>;
  /** Moves a matured amount to the user's coin account. */
  readonly moveOut: (attempt: Attempt<{ readonly id: string }>) => Promise<unknown>;
  readonly tabOf: (order: Holding) => HoldingTab;
  readonly schedule: (product: Product, amount: Decimal, boughtAt: Instant) => Schedule;
  /** The amount credited at the order's next payment, in its coin. */
  readonly nextCredit: (order: Holding) => Decimal;
  /** The amount that the owner receives by redeeming it. */
  readonly stillToCome: (order: Holding) => Decimal;
}

/**
 * Wraps an endpoint whose request carries an idempotency key, so that repeating a request has no further
 * effect. Displayed queries are refetched whatever the result.
 */
export function keyed<E extends Endpoint>(endpoint: E, refetch: () => void) {
  return async ({ payload, clientId }: Attempt<CallFields<E>>): Promise<DataOf<E>> => {
    try {
      return await onceMore((timeoutMs) => call(endpoint, payload, { clientId, timeoutMs }));
    } finally {
      refetch();
      askForBalances();
    }
  };
}

/**
 * Keeps the displayed products, orders and income up to date through the private topic while at least one
 * component uses them. Other users' purchases are picked up by the refetch on every heartbeat.
 */
export function earnUpdates(topic: 'finance' | 'mining') {
  const keys = ownKeys(topic);
  const refetch = () => askAnew(keys.now());
  const follow = joinedOnce(() => {
    const stops = [
      feed.subscribe(topic, refetch),
      onRefresh(() => {
        if (signedIn() && receivesOwn(topic)) askAnew(keys.now('products'));
        else refetch();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  });
  return { keys, ask: refetch, follow };
}
