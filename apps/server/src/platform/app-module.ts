import type { DueLiability, Exposure } from '@exchange/core/figures.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Operation } from './console/operation.ts';
import type { RecordSource } from './console/records.ts';
import type { Demo } from './demo.ts';
import type { PrivateEvent } from './feed/private-event.ts';
import type { ComponentHealth } from './health/health.ts';
import type { Reserve } from './health/reserves.ts';
import type { DemandEnforcer } from './http/demands.ts';
import type { SocketService } from './feed/upgrades.ts';
import type { MountedApi } from './http/mounted-api.ts';
import type { Page } from './http/page.ts';
import type { Route } from './http/route.ts';

/** A module of the server with its endpoints, operations and start and stop functions. */
export interface AppModule {
  readonly name: string;
  readonly routes?: readonly Route[];
  readonly pages?: readonly Page[];
  /** APIs that the module serves under their own paths and in their own formats. */
  readonly apis?: readonly MountedApi[];
  /** WebSocket services that the module offers. */
  readonly sockets?: readonly SocketService[];
  /** Functions of the module that check access requirements of endpoints, such as an emailed code. */
  readonly demands?: readonly DemandEnforcer[];
  /** The module's operations for the operators' console. */
  readonly operations?: readonly Operation[];
  /** Sources of the records that operators find by a search and on the timelines of accounts. */
  readonly records?: readonly RecordSource[];
  start?(): Promise<void> | void;
  /**
   * Aborts the module's start while it is running. Only modules whose start can take a long time define this function.
   */
  abandon?(): Promise<void> | void;
  stop?(): Promise<void> | void;
  /**
   * Called before `stop` if the state in memory may be wrong. After it has returned, the module sends nothing to the
   * database that depends on this state. A commit that is running may still finish.
   */
  failStop?(): void;
}

/** A product offer that is published to users, as the operators' search finds it. */
export interface ProductOnSale {
  readonly code: string;
  /** Name of the offer in English. */
  readonly name: string;
}

/**
 * Number of a user's open orders or positions in a product. Counting stops at the maximum length of the user's list.
 */
export interface OpenCount {
  /** English label of the counted orders or positions for operators, e.g. `Finance orders`. */
  readonly product: string;
  readonly open: number;
}

/** A product of the exchange, as a module of the server. */
export interface Product extends AppModule {
  /** Health of the product. A failing product does not make the server count as down. */
  health?(): Promise<ComponentHealth> | ComponentHealth;
  /** Events of the product that are published to their users on private topics of the live feed. */
  readonly privateEvents?: readonly PrivateEvent[];
  /** Balances of the house accounts from which the product pays users. */
  reserves?(): Promise<readonly Reserve[]>;
  /**
   * The product's current risks and obligations for the exchange, shown to operators and compared with alarm limits.
   */
  exposures?(): Promise<readonly Exposure[]>;
  /**
   * Amounts that the product must pay to users from now until the end of the UTC day `untilDay` (in days since 1970),
   * by day and coin.
   */
  dueLiabilities?(untilDay: number): Promise<readonly DueLiability[]>;
  /**
   * Creates the product's demo data. It is called at every start of a demo and must not create existing parts again.
   */
  seed?(demo: Demo): Promise<void>;
  /** The offers that the product has published, for the operators' search; absent for a module that publishes none. */
  onSale?(): Promise<readonly ProductOnSale[]>;
  /** Counts of a user's open orders and positions; absent for a module that has none. */
  openCounts?(user: UserId): Promise<readonly OpenCount[]>;
}

/**
 * The manifest of a product: the fields that the server reads, and further fields with the product's services for other
 * modules and tests.
 */
export type ProductManifest = Product & Readonly<Record<string, unknown>>;
