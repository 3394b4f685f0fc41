import { createHash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import type { CoinNetwork } from '@exchange/core/network.ts';
import { Submission, type Submissions } from '../../platform/sequencer/submission.ts';
import { withdrawsFrom } from '../api-keys/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Deposits } from '../deposits/index.ts';
import type { Withdrawals } from '../withdrawals/index.ts';
import type { ProgramCaller } from './handlers.ts';

export { withdrawsFrom };

export type Deposit = Awaited<ReturnType<Deposits['recordsWithin']>>[number];
export type Withdrawal = Awaited<ReturnType<Withdrawals['recordsWithin']>>[number];
export type DepositRange = Parameters<Deposits['recordsWithin']>[1];
export type WithdrawalRange = Parameters<Withdrawals['recordsWithin']>[1];

export type KeyRequest = Parameters<Withdrawals['submitByKey']>[1];

const KEY_LENGTH = 36;

/** A network of a coin and whether the coin can be deposited and withdrawn on it now. */
export interface WalletNetwork {
  readonly coinNetwork: CoinNetwork;
  readonly confirmations: number;
  readonly blockSeconds: number;
  /**
   * Usual number of seconds from the creation of a block until the exchange reads it as final; 0 for a network whose
   * newest block is read at once.
   */
  readonly finalitySeconds: number;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
}

/** A deposit or withdrawal with the number of its confirmations by blocks. */
export interface Confirmed<Transfer> {
  readonly transfer: Transfer;
  readonly confirmed: number;
}

interface Parts {
  readonly identity: Pick<Identity, 'personOf'>;
  readonly deposits: Pick<Deposits, 'address' | 'confirmed' | 'networks' | 'recordsWithin'>;
  readonly withdrawals: Pick<
    Withdrawals,
    'channel' | 'confirmed' | 'recordsWithin' | 'restoreAnswer' | 'submitByKey'
  >;
  readonly submissions: Pick<Submissions, 'serve'>;
}

/** Deposits and withdrawals for programs, through the same reads and commands as the apps. */
export class ApiWallet {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The networks of a listed coin, the default one first. */
  networks(asset: string): WalletNetwork[] {
    const { deposits, withdrawals } = this.parts;
    return deposits
      .networks(asset)
      .map(
        ({
          coin,
          channel,
          blockSeconds,
          finalitySeconds,
          confirmations,
          isPaused,
          depositPause,
          withdrawalPause,
        }) => ({
          coinNetwork: coin,
          blockSeconds,
          finalitySeconds,
          confirmations,
          canDeposit: channel !== 'none' && depositPause === undefined,
          canWithdraw:
            !isPaused &&
            withdrawalPause === undefined &&
            withdrawals.channel(asset, coin.network.code) !== 'none',
        }),
      );
  }

  /**
   * The owner's deposit address, the same at every call; undefined if the owner is a sub-account, which cannot receive
   * deposits because they are checked against the identity of the main account. Refuses as `Deposits.address` does.
   */
  async address(owner: UserId, asset: string, network: string) {
    if ((await this.parts.identity.personOf(owner)) !== owner) return undefined;
    return this.parts.deposits.address(owner, asset, network);
  }

  /**
   * Requests a withdrawal of a coin on a network and returns its id. A repetition with the same
   * `withdrawOrderId`, or without one the same signed request, returns the first id. `admit` is called before
   * the first execution. Refuses as `Withdrawals.submitByKey` does.
   */
  async withdraw(
    { owner, signature }: Pick<ProgramCaller, 'owner' | 'signature'>,
    request: KeyRequest,
    admit: () => void,
  ): Promise<string> {
    const submission = withdrawalSubmission(owner, signature, request);
    const { withdrawals, submissions } = this.parts;
    const { id } = await submissions.serve<{ readonly id: string }>(submission, {
      first: () => {
        admit();
        return withdrawals.submitByKey(owner, request, submission);
      },
      restore: (stored) => withdrawals.restoreAnswer(owner, stored),
    });
    return id;
  }

  /**
   * The owner's deposits that match a range of times, a coin and statuses, newest first, with their present
   * confirmations.
   */
  async deposits(owner: UserId, range: DepositRange): Promise<Confirmed<Deposit>[]> {
    const { deposits } = this.parts;
    const transfers = await deposits.recordsWithin(owner, range);
    return transfers.map((transfer) => ({ transfer, confirmed: deposits.confirmed(transfer) }));
  }

  /**
   * The owner's withdrawals that match a range of times, a coin, statuses and a `withdrawOrderId`, newest
   * first, with their present confirmations.
   */
  async withdrawals(owner: UserId, range: WithdrawalRange): Promise<Confirmed<Withdrawal>[]> {
    const { withdrawals } = this.parts;
    const transfers = await withdrawals.recordsWithin(owner, range);
    return transfers.map((transfer) => ({ transfer, confirmed: withdrawals.confirmed(transfer) }));
  }
}

/**
 * The submission of a withdrawal, with the program's `withdrawOrderId` or else the signature of the
 * request as its key. The fee that the program accepts is not part of it: a program that repeats a request without an
 * answer after the fee has changed gets the first answer.
 */
function withdrawalSubmission(
  owner: UserId,
  signature: string,
  { orderName, asset, network, address, memo, amount }: KeyRequest,
): Submission {
  const name = orderName === undefined ? `signature ${signature}` : `name ${orderName}`;
  return Submission.create({
    actor: owner,
    operation: 'withdrawals.submit',
    key: createHash('sha256').update(name).digest('base64url').slice(0, KEY_LENGTH),
    sent: {
      asset,
      network,
      address,
      memo: memo ?? '',
      amount: amount.toString(),
    },
  });
}
