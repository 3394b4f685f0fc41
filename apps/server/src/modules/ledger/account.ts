import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { eventKind } from '../../platform/events.ts';
import { type OwnedAddress, type Product, availableSlot } from './domain.ts';

/** One account in memory; `atoms` counts 10^-18 of the asset. */
export interface Account {
  readonly id: number;
  readonly address: string;
  readonly asset: AssetCode;
  /** Whose it is, on which product and for what; undefined for the house and the world. */
  readonly held: OwnedAddress | undefined;
  /** Its owner's accounts in the same asset. */
  readonly holding: Holding | undefined;
  readonly mayBeNegative: boolean;
  atoms: bigint;
  /** The last turn of the ledger (it counts steps that post) in which the account was touched. */
  touchedIn: number;
}

/** A user whose accounts are in memory. */
export interface LoadedOwner {
  readonly owner: UserId;
  /** One for each asset: few enough to look through. */
  holdings: Holding[];
  /** The request epoch in which the accounts were last prepared or posted to. */
  usedIn: number;
}

/** One user's accounts in one asset, by slot. */
export interface Holding {
  readonly owner: UserId;
  readonly loaded: LoadedOwner;
  readonly asset: AssetCode;
  readonly slots: (Account | undefined)[];
  /** The fact of its last change; one step tells a balance once, however often it moves. */
  changed: ChangedBalance | undefined;
}

/** The balances of one user on one product that an entry changed, as they are after it. */
export interface BalanceChanged {
  readonly owner: UserId;
  readonly product: Product;
  readonly asset: AssetCode;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

export const balanceChanged = eventKind<BalanceChanged>('ledger.balanceChanged');

/** What changed: one user's accounts in one asset, by slot. */
interface Watched {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly slots: readonly ({ readonly atoms: bigint } | undefined)[];
  readonly changed: ChangedBalance | undefined;
}

/** The fact of a changed balance, which still follows the balance while its step goes on. */
export class ChangedBalance implements BalanceChanged {
  readonly holding: Watched;
  readonly product: Product;
  /** The ledger's turn in which it changed. */
  readonly turn: number;
  /** Another product of the same holding, changed before it in the same turn. */
  readonly before: ChangedBalance | undefined;
  private readonly slot: number;
  private availableAtoms = 0n;
  private frozenAtoms = 0n;

  constructor(holding: Watched, product: Product, turn: number) {
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

  /** Takes the balances as they are now. */
  refresh(): void {
    const { slots } = this.holding;
    this.availableAtoms = slots[this.slot]?.atoms ?? 0n;
    this.frozenAtoms = slots[this.slot + 1]?.atoms ?? 0n;
  }
}
