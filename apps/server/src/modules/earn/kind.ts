import type { Decimal } from '@exchange/core/decimal.ts';
import type { RunningGroup } from '@exchange/core/figures.ts';
import type { Schedule } from '@exchange/core/finance.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { StoredVersion, VersionsBelow } from '../../platform/database/kept-versions.ts';
import type { EarnProduct, EarnTerms } from './domain.ts';

/**
 * The differences between the two kinds of earn products, finance (fixed-term) and mining, for the code that both use.
 */
export interface EarnKind<Terms extends EarnTerms> {
  /** Name of the product kind in quotas and entries of the ledger. */
  readonly name: 'finance' | 'mining';
  /** Name of the exchange's ledger account that pays the earnings of orders. */
  readonly payer: 'interest' | 'mining';
  /** Version of the current agreement that buyers of this kind of product accept. */
  readonly agreementVersion: string;
  /** Returns the number of days for which an order with these terms earns. */
  readonly daysOf: (terms: Terms) => number;
  readonly scheduleOf: (terms: Terms, amount: Decimal, boughtAt: Instant) => Schedule;
  /** The refusal if an earn product's terms cannot be published; undefined if they can. */
  readonly termsProblem: (terms: Terms, digits: number) => Refusal | undefined;
  /** The refusal for the first term that exceeds its highest permitted value; undefined if none does. */
  readonly ceilingProblem: (terms: Terms) => Refusal | undefined;
  readonly rows: EarnRows<Terms>;
}

/** The database queries on the tables of one kind of product. */
interface EarnRows<Terms extends EarnTerms> {
  /** All published products of the kind, oldest first. */
  readonly everyProduct: (reader: Reader) => Promise<EarnProduct<Terms>[]>;
  readonly productsByIds: (reader: Reader, ids: readonly string[]) => Promise<EarnProduct<Terms>[]>;
  readonly findProduct: (
    reader: Reader,
    by: { readonly id: string } | { readonly code: string },
  ) => Promise<EarnProduct<Terms> | undefined>;
  readonly productVersions: (reader: Reader, code: string, which: VersionsBelow) => Promise<StoredVersion[]>;
  readonly saveProduct: (
    store: Store,
    product: EarnProduct<Terms>,
    made: { readonly by: string; readonly reason: string; readonly now: Instant },
  ) => Promise<void>;
  /**
   * The orders that are running or on which earnings are owed, grouped by coin and the UTC day of their end,
   * with the payments that become due on them; overdue payments are in groups of the day of `now`.
   */
  readonly runningGroups: (reader: Reader, now: Instant) => Promise<RunningGroup[]>;
  /**
   * The total of the daily earnings of all orders that have days which are not credited yet, by coin of the products.
   */
  readonly running: (reader: Reader) => Promise<ReadonlyMap<string, Decimal>>;
}
