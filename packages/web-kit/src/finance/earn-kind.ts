import type { Decimal } from '@exchange/core/decimal.ts';
import type { Schedule } from '@exchange/core/finance.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { call, type CallFields, retryOnce } from '../api/client.ts';
import type { PageFields } from '../api/pages.ts';
import { refetchActive } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { sharedSubscription } from '../feed/shared-subscription.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { onRefresh } from '../refresh.ts';
import { type UserKeys, userKeys } from '../session/user-keys.ts';
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
  /** Translation namespace of the product kind, also the name of its agreement. */
  readonly part: 'finance' | 'mining';
  readonly keys: UserKeys;
  /** The tabs of the order list; the first is the default. */
  readonly tabs: readonly HoldingTab[];
  /**
   * Subscribes to the private feed topic whose messages refetch the queries of this kind of earn product; returns a
   * function that unsubscribes.
   */
  readonly subscribe: () => () => void;
  /** Refetches all displayed queries of this kind of earn product. */
  readonly refetch: () => void;
  readonly products: (signal: AbortSignal) => Promise<readonly Product[]>;
  readonly orders: (
    page: Partial<PageFields> & { readonly tab?: HoldingTab },
    signal?: AbortSignal,
  ) => Promise<Page<Holding> & { readonly totals: Totals }>;
  /**
   * Fetches one of the user's earn orders by its id; throws the refusal `l.not_found` when the user has no order with
   * that id.
   */
  readonly order: (id: string, signal: AbortSignal) => Promise<Holding>;
  readonly income: (orderId: string, page: PageFields, signal: AbortSignal) => Promise<Page<IncomeDay>>;
  readonly buy: (attempt: KeyedSubmission<PurchasePayload>) => Promise<Bought>;
  /** Redeems a matured earn order: `redeemableAmount` is credited to the user's coin account. */
  readonly redeem: (attempt: KeyedSubmission<{ readonly id: string }>) => Promise<unknown>;
  readonly tabOf: (order: Holding) => HoldingTab;
  readonly schedule: (product: Product, amount: Decimal, boughtAt: Instant) => Schedule;
  /**
   * The amount credited at an earn order's next payment, in the order's coin: interest, and at the last payment of a
   * fixed-term order also the principal.
   */
  readonly nextCredit: (order: Holding) => Decimal;
  /**
   * Returns the amount in the order's coin that the user receives by redeeming an earn order at its maturity.
   */
  readonly redeemableAmount: (order: Holding) => Decimal;
}

/**
 * Returns a function that calls an endpoint with an idempotency key and repeats the call once after a lost
 * response. After success and after failure it calls `refetch` and refetches the user's balances.
 */
export function withIdempotencyKey<E extends Endpoint>(endpoint: E, refetch: () => void) {
  return async ({ payload, clientId }: KeyedSubmission<CallFields<E>>): Promise<DataOf<E>> => {
    try {
      return await retryOnce((timeoutMs) => call(endpoint, payload, { clientId, timeoutMs }));
    } finally {
      refetch();
      refetchBalances();
    }
  };
}

/**
 * Returns the query keys of a kind of earn product, `refetch` for all its displayed queries, and `subscribe`.
 * While at least one component is subscribed, the displayed products, orders and income are refetched with
 * each message of the private feed topic, and the products also every five seconds because of other users'
 * purchases. While the topic is not received, all of them are refetched every five seconds; the refetches
 * every five seconds pause while the page is hidden.
 */
export function earnUpdates(topic: 'finance' | 'mining') {
  const keys = userKeys(topic);
  const refetch = () => refetchActive(keys.forCurrentUser());
  const follow = sharedSubscription(() => {
    const stops = [
      feed.subscribe(topic, refetch),
      onRefresh(() => {
        if (signedIn() && receivesPrivateTopic(topic)) refetchActive(keys.forCurrentUser('products'));
        else refetch();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  });
  return { keys, refetch, subscribe: follow };
}
