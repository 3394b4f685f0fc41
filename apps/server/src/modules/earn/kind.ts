import type { Decimal } from '@exchange/core/decimal.ts';
import type { Schedule } from '@exchange/core/finance.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { KeptVersion, VersionsBelow } from '../../platform/database/kept-versions.ts';
import type { EarnProduct, EarnTerms } from './domain.ts';

/** What sets one kind of product apart from another; each kind describes itself once. */
export interface EarnKind<Terms extends EarnTerms> {
  /** Under which the ledger keeps its quotas and its entries. */
  readonly name: 'finance' | 'mining';
  /** The account of the house that pays what orders earn. */
  readonly payer: 'interest' | 'mining';
  /** Of the agreement in force. */
  readonly agreementVersion: string;
  /** For how many days an order earns. */
  readonly daysOf: (terms: Terms) => number;
  readonly scheduleOf: (terms: Terms, amount: Decimal, boughtAt: Instant) => Schedule;
  /** Why terms cannot be published, or undefined. */
  readonly termsProblem: (terms: Terms, digits: number) => Refusal | undefined;
  /** The first term that is above the ceiling of the rules, or undefined. */
  readonly ceilingProblem: (terms: Terms) => Refusal | undefined;
  readonly rows: EarnRows<Terms>;
}

/** The tables of a kind's products. */
interface EarnRows<Terms extends EarnTerms> {
  /** Oldest first. */
  readonly everyProduct: (reader: Reader) => Promise<EarnProduct<Terms>[]>;
  readonly productsByIds: (reader: Reader, ids: readonly string[]) => Promise<EarnProduct<Terms>[]>;
  readonly findProduct: (
    reader: Reader,
    by: { readonly id: string } | { readonly code: string },
  ) => Promise<EarnProduct<Terms> | undefined>;
  readonly productVersions: (reader: Reader, code: string, which: VersionsBelow) => Promise<KeptVersion[]>;
  readonly saveProduct: (
    reader: Reader,
    product: EarnProduct<Terms>,
    made: { readonly by: string; readonly reason: string; readonly now: Instant },
  ) => Promise<void>;
  /** What all running orders earn in one day, per asset. */
  readonly running: (reader: Reader) => Promise<ReadonlyMap<string, Decimal>>;
}
