import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { eventKind } from '../../platform/events.ts';
import { type OwnedAddress, type Product, availableSlot } from './domain.ts';

/** A ledger account in memory; `atoms` is the balance in units of 10^-18 of the asset. */
export interface Account {
  readonly id: number;
  readonly address: string;
  readonly asset: AssetCode;
  /**
   * Owner, product and bucket (available, frozen or locked) of a user's account; undefined for the exchange's own
   * accounts (house) and the accounts of the outside world.
   */
  readonly ownedAddress: OwnedAddress | undefined;
  /** All accounts of the same owner in the same asset; undefined for house and world accounts. */
  readonly holding: Holding | undefined;
  readonly mayBeNegative: boolean;
  atoms: bigint;
  /** Number of the turn in which the account last changed. The ledger counts each step that posts entries as a turn. */
  touchedIn: number;
}

/** A user whose accounts are in memory. */
export interface LoadedOwner {
  readonly owner: UserId;
  /**
   * The user's accounts, grouped by asset. A linear search is fast enough because users have few
   * assets.
   */
  holdings: Holding[];
  /** Number of the eviction epoch (a period of a few seconds) in which the accounts were last prepared or changed. */
  usedIn: number;
}

/**
 * A user's accounts in one asset. The index in `slots` determines product and bucket; a slot is undefined if the user
 * has no such account.
 */
export interface Holding {
  readonly owner: UserId;
  readonly loaded: LoadedOwner;
  readonly asset: AssetCode;
  readonly slots: (Account | undefined)[];
  /**
   * Event of the last change of one of these balances. All changes of one product's balance within a step share one
   * event.
   */
  changed: ChangedBalance | undefined;
}

/**
 * Event: the available and frozen balance of a user in one coin on one product, after a step changed them.
 */
export interface BalanceChanged {
  readonly owner: UserId;
  readonly product: Product;
  readonly asset: AssetCode;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

export const balanceChanged = eventKind<BalanceChanged>('ledger.balanceChanged');

/**
 * The fields of a `Holding` from which an event reads its balances; the index in `slots` determines product and bucket.
 */
interface ChangedHolding {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly slots: readonly ({ readonly atoms: bigint } | undefined)[];
  readonly changed: ChangedBalance | undefined;
}

/**
 * Event of a changed balance of a user on a product. It is created at the first change; `refresh` sets its balances
 * before it is published at the end of the step.
 */
export class ChangedBalance implements BalanceChanged {
  readonly holding: ChangedHolding;
  readonly product: Product;
  /** Number of the turn in which the balance changed. The ledger counts each step that posts entries as a turn. */
  readonly turn: number;
  /**
   * Event of another product of the same user and asset whose balance changed earlier in the same turn; undefined if
   * there is none.
   */
  readonly before: ChangedBalance | undefined;
  private readonly slot: number;
  private availableAtoms = 0n;
  private frozenAtoms = 0n;

  constructor(holding: ChangedHolding, product: Product, turn: number) {
    this.holding = holding;
    this.product = product;
    this.turn = turn;
    this.before = holding.changed?.turn === turn ? holding.changed : undefined;
    this.slot = availableSlot(product);
  }

  get owner(): UserId {
    return this.holding.owner;
  }

  get asset(): AssetCode {
    return this.holding.asset;
  }

  get available(): Decimal {
    return Decimal.ofAtoms(this.availableAtoms);
  }

  get frozen(): Decimal {
    return Decimal.ofAtoms(this.frozenAtoms);
  }

  toJSON(): BalanceChanged {
    const { owner, product, asset, available, frozen } = this;
    return { owner, product, asset, available, frozen };
  }

  /** Copies the current balances into the event before it is published. */
  refresh(): void {
    const { slots } = this.holding;
    this.availableAtoms = slots[this.slot]?.atoms ?? 0n;
    this.frozenAtoms = slots[this.slot + 1]?.atoms ?? 0n;
  }
}
