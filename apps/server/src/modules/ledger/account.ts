import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { OwnedAddress } from './domain.ts';
import type { ChangedBalance } from './changed-balance.ts';

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

/** One user's accounts in one asset, by slot. */
export interface Holding {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly slots: (Account | undefined)[];
  /** The fact of its last change; one step tells a balance once, however often it moves. */
  changed: ChangedBalance | undefined;
}
