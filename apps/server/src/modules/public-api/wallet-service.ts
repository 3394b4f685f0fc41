import type { UserId } from '@exchange/core/ids.ts';
import type { CoinNetwork } from '@exchange/core/network.ts';
import type { Identity } from '../identity/index.ts';
import type { Deposits } from '../deposits/index.ts';
import type { Withdrawals } from '../withdrawals/index.ts';

export type Deposit = Awaited<ReturnType<Deposits['recordsWithin']>>[number];
export type Withdrawal = Awaited<ReturnType<Withdrawals['recordsWithin']>>[number];
export type DepositRange = Parameters<Deposits['recordsWithin']>[1];
export type WithdrawalRange = Parameters<Withdrawals['recordsWithin']>[1];

/** A network of a coin and whether the coin can be deposited and withdrawn on it now. */
export interface WalletNetwork {
  readonly coinNetwork: CoinNetwork;
  readonly confirmations: number;
  readonly blockSeconds: number;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
}

/** A transfer with the number of its confirmations. */
export interface Confirmed<Transfer> {
  readonly transfer: Transfer;
  readonly confirmed: number;
}

interface Parts {
  readonly identity: Pick<Identity, 'personOf'>;
  readonly deposits: Pick<Deposits, 'address' | 'confirmed' | 'networks' | 'recordsWithin'>;
  readonly withdrawals: Pick<Withdrawals, 'channel' | 'confirmed' | 'recordsWithin'>;
}

/** Deposits and withdrawals for programs, through the same reads as the apps. */
export class ApiWallet {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The networks of a listed coin, the default one first. */
  networks(asset: string): WalletNetwork[] {
    const { deposits, withdrawals } = this.parts;
    return deposits.networks(asset).map(({ coin, channel, blockSeconds, confirmations, isPaused }) => ({
      coinNetwork: coin,
      blockSeconds,
      confirmations,
      canDeposit: channel !== 'none',
      canWithdraw: !isPaused && withdrawals.channel(asset, coin.network.code) !== 'none',
    }));
  }

  /**
   * The owner's deposit address, the same at every call. Refuses as `Deposits.address` does. Undefined for a sub-account,
   * because deposits are checked against the identity of the main account.
   */
  async address(owner: UserId, asset: string, network: string) {
    if ((await this.parts.identity.personOf(owner)) !== owner) return undefined;
    return this.parts.deposits.address(owner, asset, network);
  }

  /** The owner's deposits in a range, newest first. */
  async deposits(owner: UserId, range: DepositRange): Promise<Confirmed<Deposit>[]> {
    const { deposits } = this.parts;
    const transfers = await deposits.recordsWithin(owner, range);
    return transfers.map((transfer) => ({ transfer, confirmed: deposits.confirmed(transfer) }));
  }

  /** The owner's withdrawals in a range, newest first. */
  async withdrawals(owner: UserId, range: WithdrawalRange): Promise<Confirmed<Withdrawal>[]> {
    const { withdrawals } = this.parts;
    const transfers = await withdrawals.recordsWithin(owner, range);
    return transfers.map((transfer) => ({ transfer, confirmed: withdrawals.confirmed(transfer) }));
  }
}
