import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { SecondsResult } from '@exchange/core/seconds.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  houseAddress,
  userAddress,
  worldAddress,
  type EntryKind,
  type Ledger,
  type Posting,
} from '../ledger/index.ts';
import type { Position } from './domain.ts';

/**
 * House accounts of the seconds contract: `payout` pays profits and receives lost stakes; `fees` receives fees.
 * Refunds of losses are paid from both accounts.
 */
export const ACCOUNTS = { payout: houseAddress('payout'), fees: houseAddress('fees') };

export const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
export const secondsOf = (user: UserId) => userAddress(user, 'seconds', 'available');
export const lockedOf = (user: UserId) => userAddress(user, 'seconds', 'locked');

const SETTLED: Readonly<Record<SecondsResult, EntryKind>> = {
  win: 'seconds.won',
  lose: 'seconds.lost',
  draw: 'seconds.returned',
  void: 'seconds.returned',
};

/**
 * A transfer between a user's spot account and seconds account; `isIn` is true for one into the seconds
 * account.
 */
interface Transfer {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly amount: Decimal;
  readonly isIn: boolean;
}

/** Posts ledger entries of the seconds contract. */
export class SecondsPosts {
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  transfer(step: Step, { id, owner, asset, amount, isIn }: Transfer): void {
    const [source, destination] = isIn
      ? [spotOf(owner), secondsOf(owner)]
      : [secondsOf(owner), spotOf(owner)];
    this.ledger.post(step, isIn ? 'seconds.deposited' : 'seconds.withdrawn', id, [
      { source, destination, asset, amount },
    ]);
  }

  fund(step: Step, asset: AssetCode, amount: Decimal, from: 'demo' | 'fees'): void {
    const source = from === 'demo' ? worldAddress(asset, 'demo') : ACCOUNTS.fees;
    this.ledger.post(step, 'seconds.funded', null, [{ source, destination: ACCOUNTS.payout, asset, amount }]);
  }

  /** Locks stake and fee of a new position. */
  open(step: Step, { id, owner, asset, stake, fee }: Position): void {
    const amount = stake.plus(fee);
    this.ledger.post(step, 'seconds.opened', id, [
      { source: secondsOf(owner), destination: lockedOf(owner), asset, amount },
    ]);
  }

  /**
   * Posts the refund of a lost position: the stake comes back to the owner from the payout account, the fee from the
   * fees account.
   */
  refund(step: Step, { id, owner, asset, stake, fee }: Position): void {
    const userAccount = secondsOf(owner);
    const postings: Posting[] = [
      { source: ACCOUNTS.payout, destination: userAccount, asset, amount: stake },
      { source: ACCOUNTS.fees, destination: userAccount, asset, amount: fee },
    ];
    this.ledger.post(
      step,
      'seconds.refunded',
      id,
      postings.filter(({ amount }) => amount.isPositive()),
    );
  }

  /**
   * Ends a position: the locked stake and fee go to the owner or to the house accounts according to the result; a win
   * also pays the profit from the payout account.
   */
  settle(step: Step, { id, owner, asset, stake, fee, profit }: Position, result: SecondsResult): void {
    const fromLocked = (destination: Posting['destination'], amount: Decimal): Posting => ({
      source: lockedOf(owner),
      destination,
      asset,
      amount,
    });
    const userAccount = secondsOf(owner);
    const postings =
      result === 'win'
        ? [
            fromLocked(userAccount, stake),
            fromLocked(ACCOUNTS.fees, fee),
            { source: ACCOUNTS.payout, destination: userAccount, asset, amount: profit },
          ]
        : result === 'lose'
          ? [fromLocked(ACCOUNTS.payout, stake), fromLocked(ACCOUNTS.fees, fee)]
          : [fromLocked(userAccount, stake.plus(fee))];
    this.ledger.post(
      step,
      SETTLED[result],
      id,
      postings.filter(({ amount }) => amount.isPositive()),
    );
  }
}
