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

/** A kind of product that an amount is locked in and earns by the day, as its screens see it. */
export interface EarnKind {
  /** Its namespace of words, and the name of its agreement. */
  readonly part: 'finance' | 'mining';
  readonly keys: OwnKeys;
  /** The tabs of its records, the first one shown first. */
  readonly tabs: readonly HoldingTab[];
  /** Keeps what is shown in step with the private feed; gives the way to stop. */
  readonly follow: () => () => void;
  /** Asks again for everything of it that is on screen. */
  readonly ask: () => void;
  readonly products: (signal: AbortSignal) => Promise<readonly Product[]>;
  readonly orders: (
    page: Partial<PageFields> & { readonly tab?: HoldingTab },
    signal?: AbortSignal,
  ) => Promise<Page<Holding> & { readonly totals: Totals }>;
  /** One of the own orders; refuses with `l.not_found` where there is none of that id. */
  readonly order: (id: string, signal: AbortSignal) => Promise<Holding>;
  readonly income: (orderId: string, page: PageFields, signal: AbortSignal) => Promise<Page<IncomeDay>>;
  readonly buy: (attempt: Attempt<PurchasePayload>) => Promise<Bought>;
  /** Moves what waits for its owner to the coin account. */
  readonly moveOut: (attempt: Attempt<{ readonly id: string }>) => Promise<unknown>;
  readonly tabOf: (order: Holding) => HoldingTab;
  readonly schedule: (product: Product, amount: Decimal, boughtAt: Instant) => Schedule;
  /** What is credited at an order's next payment, in its coin. */
  readonly nextCredit: (order: Holding) => Decimal;
  /** What its owner receives by moving it out. */
  readonly stillToCome: (order: Holding) => Decimal;
}

/** A deed under its own key: the same attempt sent again is the same deed. Whatever comes of it, what is shown is asked anew. */
export function keyed<E extends Endpoint>(endpoint: E, ask: () => void) {
  return async ({ payload, clientId }: Attempt<CallFields<E>>): Promise<DataOf<E>> => {
    try {
      return await onceMore((timeoutMs) => call(endpoint, payload, { clientId, timeoutMs }));
    } finally {
      ask();
      askForBalances();
    }
  };
}

/**
 * Keeps a kind's products, orders and income that are shown in step with its private topic while at least one component
 * that uses it is on screen. What others buy is asked for with every heartbeat.
 */
export function earnUpdates(topic: 'finance' | 'mining') {
  const keys = ownKeys(topic);
  const ask = () => askAnew(keys.now());
  const follow = joinedOnce(() => {
    const stops = [
      feed.subscribe(topic, ask),
      onRefresh(() => {
        if (signedIn() && receivesOwn(topic)) askAnew(keys.now('products'));
        else ask();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  });
  return { keys, ask, follow };
}
