import type { UserId } from '@exchange/core/ids.ts';
import { findCoinNetwork, LIMIT_DAY_MS, LIMIT_MONTH_MS, requestsProblem } from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import type { Reader } from '../../platform/database/database.ts';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { userAddress, type Ledger } from '../ledger/index.ts';
import { isSameDestination } from './address-commands.ts';
import { addressesOf, addressKnownAt, storedWhitelist } from './addresses-repository.ts';
import {
  feeProblem,
  figuresOf,
  requestProblem,
  whitelistAt,
  type AddressEntry,
  type Withdrawal,
} from './domain.ts';
import { insertWithdrawal, enqueueNotice, withdrawalsByIds } from './repository.ts';
import { returnHold, bucketPosting, requireStatus, publishChange } from './step-parts.ts';
import { requestsSince, usedSince } from './usage-repository.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const text = z.optional(z.string());
const submitInput = z.object({
  owner,
  asset: z.string(),
  network: z.string(),
  amount: decimal,
  remark: text,
  addressId: z.optional(id),
  address: text,
  memo: text,
  /**
   * Values at the time of the request: the index price in USDT, the limits of the user's level, and the security hold.
   */
  price: z.optional(decimal),
  holdUntil: instantField,
  limits: z.object({ day: decimal, month: decimal, auto: decimal }),
  /** The fee in force, and the fee that the owner was shown; absent in old journal inputs. */
  fee: z.optional(decimal),
  shownFee: z.optional(decimal),
  /** Maximum number of requests within 24 hours; absent in old journal inputs, which had no limit. */
  requestsMost: z.optional(z.int()),
  /** Confirmations required by the channel; the network's default if absent. */
  confirmations: z.optional(z.int()),
  /** Whether the address becomes known 24 hours after it was first seen; absent in old journal inputs. */
  isAged: z.optional(z.boolean()),
  /** The user confirmed that the receiving wallet needs no memo. */
  withoutMemo: z.optional(z.boolean()),
});

/** A new withdrawal that is undecided and unsent. */
function pendingWithdrawal(
  requested: Omit<Withdrawal, 'status' | 'reason' | 'txid' | 'block' | 'decidedBy' | 'finishedAt'>,
): Withdrawal {
  return {
    ...requested,
    status: 'pending',
    reason: undefined,
    txid: undefined,
    block: undefined,
    decidedBy: undefined,
    finishedAt: undefined,
  };
}

/** Commands that a user issues: submit and cancel a withdrawal. */
export function requestCommands(ledger: Ledger) {
  return {
    /**
     * Validates a request against every limit and holds its amount. Steps run one at a time, so limits cannot be
     * exceeded by concurrent requests.
     */
    submit: sqlCommand({
      name: 'withdrawals.submit',
      input: submitInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner, asset, network, amount, remark, price, holdUntil, limits } = input;
        if (input.requestsMost !== undefined) await requireRequestLeft(step, owner, input.requestsMost);
        const terms = findCoinNetwork(asset, network);
        if (terms === undefined) throw invalidChoice('network', network);
        const coin = { ...terms, fee: input.fee ?? terms.fee };
        const changed = feeProblem(coin, input.shownFee);
        if (changed !== undefined) throw new Refused(changed);
        const { address, memo, entry } = await destinationOf(step.sql, owner, input);
        const whitelist = whitelistAt(await storedWhitelist(step.sql, owner), step.now);
        const used = await usedSince(step.sql, owner, {
          day: later(step.now, -LIMIT_DAY_MS),
          month: later(step.now, -LIMIT_MONTH_MS),
        });
        const available = ledger.balance(userAddress(owner, 'spot', 'available'), asset);
        const state = { available, limits, ...used, price, holdUntil };
        const withoutMemo = input.withoutMemo === true;
        const request = { coin, amount, address, memo, remark, withoutMemo, entry, whitelist, state };
        const problem = requestProblem(request, step.now);
        if (problem !== undefined) throw new Refused(problem);
        const { fee, value, isAuto } = figuresOf(request, price!, used.autoUsed);
        const withdrawal = pendingWithdrawal({
          id: step.newId(),
          owner,
          asset,
          network,
          address,
          memo,
          amount,
          fee,
          value,
          remark,
          isAuto,
          knownAt:
            input.isAged === true
              ? await addressKnownAt(step.sql, { owner, network, address, memo }, step.now)
              : undefined,
          confirmations: input.confirmations ?? coin.network.confirmations,
          createdAt: step.now,
        });
        ledger.post(step, 'withdrawal.held', withdrawal.id, [
          bucketPosting(withdrawal, 'available', 'frozen'),
        ]);
        await insertWithdrawal(step.sql, withdrawal);
        await enqueueNotice(step.sql, step.newId(), withdrawal.id, 'held');
        publishChange(step, withdrawal);
        return withdrawal;
      },
    }),

    /** Returns the amount of a pending withdrawal; repeating it has no effect. */
    cancel: sqlCommand({
      name: 'withdrawals.cancel',
      input: z.object({ owner, id }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
        if (withdrawal.status === 'cancelled') return withdrawal;
        requireStatus(withdrawal, 'pending');
        await returnHold(step, ledger, withdrawal, { status: 'cancelled' });
        const cancelled: Withdrawal = { ...withdrawal, status: 'cancelled', finishedAt: step.now };
        return cancelled;
      },
    }),
  };
}

interface Wanted {
  readonly asset: string;
  readonly network: string;
  readonly addressId?: string | undefined;
  readonly address?: string | undefined;
  readonly memo?: string | undefined;
}

/** Refuses a request above the daily count. Every request counts, whatever its outcome. */
async function requireRequestLeft(step: SqlStep, owner: UserId, most: number): Promise<void> {
  const requests = await requestsSince(step.sql, owner, { since: later(step.now, -LIMIT_DAY_MS), most });
  const problem = requestsProblem(requests, most);
  if (problem !== undefined) throw new Refused(problem);
}

/**
 * Resolves the destination of a withdrawal, and its address book entry if there is one. Refuses an id that is not in
 * the book, and a request without a destination.
 */
export async function destinationOf(
  reader: Reader,
  owner: UserId,
  { asset, network, addressId, address, memo }: Wanted,
): Promise<{ address: string; memo: string | undefined; entry: AddressEntry | undefined }> {
  const book = await addressesOf(reader, owner);
  if (addressId !== undefined) {
    const entry = book.find(
      (known) => known.id === addressId && known.asset === asset && known.network === network,
    );
    if (entry === undefined)
      throw new Refused(refusal('invalidField', 'l.address_required', { field: 'addressId' }));
    return { address: entry.address, memo: entry.memo, entry };
  }
  if (address === undefined)
    throw new Refused(refusal('invalidField', 'l.address_required', { field: 'address' }));
  return {
    address,
    memo,
    entry: book.find((known) => isSameDestination(known, { asset, network, address, memo })),
  };
}
