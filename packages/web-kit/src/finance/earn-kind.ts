import type { Decimal } from '@exchange/core/decimal.ts';
import type { Schedule } from '@exchange/core/finance.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import type { OwnKeys } from '../session/own-key.ts';
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
    page: { readonly tab?: HoldingTab; readonly pageNo?: number; readonly pageSize: number },
    signal?: AbortSignal,
  ) => Promise<Page<Holding> & { readonly totals: Totals }>;
  readonly income: (orderId: string, pageNo: number, signal: AbortSignal) => Promise<Page<IncomeDay>>;
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
