import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import {
  cancelDebtFor,
  collectDebts,
  decideArrival,
  findArrival,
  isArrival,
  raiseDebt,
} from '../treasury/index.ts';
import { stateAfterReturn, DEPOSIT_NUMBERS, stateAfterDrop, type Deposit } from './domain.ts';
import { depositChanged } from './feed.ts';
import { creditProof } from './proof-repository.ts';
import {
  depositsByIds,
  findDeposit,
  finishDeposits,
  insertDeposit,
  isCredited,
  isReleased,
  enqueueNotices,
  markSmall,
  updateDeposit,
  saveClaim,
  saveRelease,
  smallDeposits,
  smallDepositsSum,
} from './repository.ts';

const owner = idOf<UserId>();
const seen = z.object({
  owner,
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.optional(z.string()),
  txid: z.string(),
  output: z.int(),
  amount: decimal,
  remark: z.optional(z.string()),
  position: z.int(),
  block: z.int(),
  confirmations: z.int(),
  /**
   * True if the network dropped the block with the transfer (chain re-org); false or undefined if the
   * transfer is in a block, for the first time or again.
   */
  isGone: z.optional(z.boolean()),
});

const reported = z.object({
  proof: idOf<string>(),
  owner,
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  txid: z.string(),
  amount: decimal,
  remark: z.string(),
  by: z.string(),
  /**
   * Index of the payment within its transaction; undefined if the operator did not enter one, and in the
   * inputs of older journals.
   */
  output: z.optional(z.int()),
});

/** The commands of deposits. Each transfer is recorded once and credited once. */
export function depositCommands(ledger: Ledger) {
  return {
    ...seenCommands(),
    ...reportedCommands(ledger),
    ...creditCommands(ledger),
    ...arrivalCommands(ledger),
    ...claimCommands(ledger),
  };
}

const creditedPlace = z.object({
  owner,
  asset: z.string(),
  network: z.string(),
  mostCredited: z.int(),
});

/**
 * Credits deposits to their owners, collects the owners' debts from the credited amounts, marks the deposits
 * as credited, publishes the changes, and enqueues for each deposit a message to its owner. The balances of
 * the owners must be in memory.
 */
async function postCredits(step: SqlStep, ledger: Ledger, deposits: readonly Deposit[]): Promise<void> {
  for (const { owner: recipient, asset, network, amount, id: reference } of deposits)
    ledger.post(step, 'deposit.credited', reference, [
      {
        source: worldAddress(asset, network),
        destination: userAddress(recipient, 'spot', 'available'),
        asset,
        amount,
      },
    ]);
  await collectDebts(step, ledger, deposits);
  await finishDeposits(
    step.sql,
    deposits.map(({ id }) => id),
    step.now,
  );
  await enqueueNotices(
    step.sql,
    deposits.map(({ id }) => ({ id: step.newId(), deposit: id })),
  );
  for (const deposit of deposits) publishChange(step, deposit, 1);
}

function publishChange(step: SqlStep, deposit: Deposit, status: number): void {
  const { owner: recipient, id, confirmations } = deposit;
  step.publish(depositChanged, {
    owner: recipient,
    id,
    status,
    confirm: confirmations,
  });
}

function creditCommands(ledger: Ledger) {
  /**
   * Credits a confirmed deposit together with its owner's deposits in the same coin on the same network that wait for
   * the minimum, at most `most` in total; without a limit if `most` is undefined. If all of them together are below the
   * minimum and none of those that wait were released by an earlier step (see `isReleased`), the deposit is marked as
   * waiting instead. Resolves to the number of credited deposits.
   */
  async function creditWithWaiting(step: SqlStep, deposit: Deposit, most: number | undefined) {
    const least = findCoinNetwork(deposit.asset, deposit.network)?.minDeposit ?? Decimal.zero;
    const isEnough =
      !deposit.amount.isLess(least) ||
      !deposit.amount.plus(await smallDepositsSum(step.sql, deposit)).isLess(least) ||
      (await isReleased(step.sql, deposit));
    if (!isEnough) {
      await markSmall(step.sql, deposit.id);
      publishChange(step, deposit, 0);
      return 0;
    }
    // Reads one deposit more than may be credited, to determine whether further deposits wait.
    const waiting = await smallDeposits(step.sql, deposit, most);
    const portion = most === undefined ? waiting : waiting.slice(0, most - 1);
    await postCredits(step, ledger, [deposit, ...portion]);
    if (portion.length < waiting.length) await saveRelease(step.sql, deposit, true);
    return 1 + portion.length;
  }

  return {
    /**
     * Credits confirmed deposits, each once; skips deposits that are not pending, that already wait, or whose coin is
     * halted. A deposit below the minimum waits until it and further deposits together reach the minimum. One step of
     * the sequencer credits at most `mostCredited` deposits. Those in the list beyond this number stay pending;
     * deposits that waited and have now reached the minimum together are released, so that `creditWaiting` credits the
     * remaining ones. The inputs of older journals have no such limit.
     */
    credit: sqlCommand({
      name: 'deposits.credit',
      input: z.object({
        deposits: z.array(z.object({ id: idOf<string>(), owner })),
        mostCredited: z.optional(z.int()),
      }),
      prepare: ({ deposits }) => ledger.prepareAll(deposits.map((deposit) => deposit.owner)),
      run: async (step, { deposits, mostCredited }) => {
        let done = 0;
        for (const { id } of deposits) {
          if (mostCredited !== undefined && done >= mostCredited) break;
          // Deposits are read one at a time, because crediting one deposit may also credit a later one of this list.
          const [deposit] = await depositsByIds(step.sql, [id]);
          if (deposit?.status !== 'pending' || deposit.isSmall || ledger.isHalted(deposit.asset)) continue;
          const most = mostCredited === undefined ? undefined : mostCredited - done;
          done += await creditWithWaiting(step, deposit, most);
        }
        return { done };
      },
    }),

    /**
     * Credits the next deposits of a user in a coin on a network that waited for the minimum and were released because
     * together they reached it, at most `mostCredited`. Returns whether further released deposits are to be credited.
     * While the coin is halted it credits nothing, returns false, and the deposits stay released.
     */
    creditWaiting: sqlCommand({
      name: 'deposits.creditWaiting',
      input: creditedPlace,
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { mostCredited, ...place }) => {
        if (ledger.isHalted(place.asset)) return { isLeft: false };
        if (!(await isReleased(step.sql, place))) return { isLeft: false };
        const waiting = await smallDeposits(step.sql, place, mostCredited + 1);
        await postCredits(step, ledger, waiting.slice(0, mostCredited));
        const isLeft = waiting.length > mostCredited;
        await saveRelease(step.sql, place, isLeft);
        return { isLeft };
      },
    }),
  };
}

function seenCommands() {
  return {
    /**
     * Stores new transfers to deposit addresses. A stored transfer changes only if its network dropped it or if it
     * reappeared. A dropped transfer that is not stored is ignored. A deposit whose transfer is dropped before the
     * credit is rejected until the transfer reappears. A deposit that was credited before stays credited, is marked as
     * dropped, and its id is returned in `alarming`.
     */
    see: sqlCommand({
      name: 'deposits.see',
      input: z.object({ transfers: z.array(seen) }),
      run: async (step, { transfers }) => {
        const alarming: string[] = [];
        for (const { output, position, isGone = false, ...transfer } of transfers) {
          const { network, txid, asset, block } = transfer;
          const stored = await findDeposit(step.sql, { network, txid, output, asset });
          if (stored !== undefined) {
            if (stored.position >= position) continue;
            const nextState = isGone ? stateAfterDrop(stored, step.now) : stateAfterReturn(stored, transfer);
            if (nextState === undefined) continue;
            await updateDeposit(step.sql, stored.id, { ...nextState, position, block });
            if (stored.status === 'finished' && isGone) alarming.push(stored.id);
            publishChange(stored, DEPOSIT_NUMBERS[nextState.status]);
            continue;
          }
          if (isGone) continue;
          const deposit: Deposit = {
            ...transfer,
            memo: transfer.memo,
            remark: transfer.remark,
            id: step.newId(),

            status: 'pending',
            isSmall: false,
            createdAt: step.now,
            finishedAt: undefined,
            goneAt: undefined,
            isClaimed: false,
          };
          if (await insertDeposit(step.sql, deposit, position, output))
            step.publish(depositChanged, { owner: deposit.owner, id: deposit.id, status: 0, confirm: 0 });
        }
        return { alarming };
        function publishChange({ owner, id }: Deposit, status: number) {
          step.publish(depositChanged, { owner, id, status, confirm: 0 });
        }
      },
    }),
  };
}

function reportedCommands(ledger: Ledger) {
  return {
    /**
     * Credits a reported deposit that two operators found on the exchange's address. Afterwards neither the report nor
     * this payment of the transaction can be credited again; another payment of the same transaction is a separate
     * deposit. Refuses a report that is decided already, and a payment that is recorded already as a deposit or an
     * arrival.
     */
    creditReported: sqlCommand({
      name: 'deposits.creditReported',
      input: reported,
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { proof, by, output, ...report }) => {
        const { amount } = report;
        const decided = await creditProof(step.sql, proof, { amount, by, now: step.now });
        if (decided === 'before') throw new Refused(refusal('duplicate', 'l.proof_decided'));
        const deposit: Deposit = {
          ...report,
          id: step.newId(),
          memo: undefined,
          block: 0,
          confirmations: 1,

          status: 'pending',
          isSmall: false,
          createdAt: step.now,
          finishedAt: undefined,
          goneAt: undefined,
          isClaimed: false,
        };
        const isKnown =
          (await isCredited(step.sql, deposit, output)) || (await isArrival(step.sql, deposit, output));
        if (isKnown || !(await insertDeposit(step.sql, deposit, 0, output)))
          throw new Refused(refusal('duplicate', 'l.deposit_known', { value: report.txid }));
        await postCredits(step, ledger, [deposit]);
      },
    }),
  };
}

function arrivalCommands(ledger: Ledger) {
  return {
    /**
     * Credits an arrival, a payment to the exchange that no user's deposit address received, to the user whom two
     * operators determined; the payment becomes a deposit of that user. Refuses an unknown arrival, one about which
     * operators have already decided, and a payment that is recorded already as a deposit.
     */
    creditArrival: sqlCommand({
      name: 'deposits.creditArrival',
      input: z.object({ arrival: idOf<string>(), owner, by: z.string(), reason: z.string() }),
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { arrival: arrivalId, owner: recipient, by, reason }) => {
        const arrival = await findArrival(step.sql, arrivalId);
        if (arrival === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const decision = {
          state: 'credited',
          by,
          reason,
          now: step.now,
          owner: recipient,
        } as const;
        if (!(await decideArrival(step.sql, arrivalId, decision)))
          throw new Refused(refusal('closed', 'l.arrival_decided'));
        const { asset, network, amount } = arrival;
        const deposit: Deposit = {
          owner: recipient,
          asset,
          network,
          amount,
          address: arrival.address,
          memo: arrival.memo,
          txid: arrival.txid,
          // The remark of a payment that operators registered themselves is an internal note. It is not copied to the
          // deposit, because the owner would see it there.
          remark: arrival.registeredBy === undefined ? arrival.remark : undefined,
          block: arrival.block,
          id: step.newId(),
          confirmations: 1,
          status: 'pending',
          isSmall: false,
          createdAt: step.now,
          finishedAt: undefined,
          goneAt: undefined,
          isClaimed: false,
        };
        const isKnown =
          (await isCredited(step.sql, deposit, arrival.output)) ||
          !(await insertDeposit(step.sql, deposit, arrival.position, arrival.output));
        if (isKnown) throw new Refused(refusal('duplicate', 'l.deposit_known', { value: arrival.txid }));
        await postCredits(step, ledger, [deposit]);
        return { deposit: deposit.id };
      },
    }),
  };
}

function claimCommands(ledger: Ledger) {
  const claimInput = z.object({ deposit: idOf<string>(), owner });
  return {
    /**
     * Debits from its owner a credited deposit that its network dropped: the owner's available spot balance
     * is debited at once as far as it suffices, the rest becomes a debt. Refuses a deposit of another user,
     * and one that is not credited, not dropped or debited already.
     */
    claim: sqlCommand({
      name: 'deposits.claim',
      input: z.extend(claimInput, { by: z.string(), reason: z.string() }),
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { deposit: id, owner: debtor, reason }) => {
        const [deposit] = await depositsByIds(step.sql, [id]);
        if (deposit?.owner !== debtor) throw new Refused(refusal('generic', 'l.not_found'));
        if (deposit.status !== 'finished' || deposit.goneAt === undefined || deposit.isClaimed)
          throw new Refused(refusal('closed', 'l.deposit_not_gone'));
        const { asset, network, amount } = deposit;
        await saveClaim(step.sql, id, true);
        await raiseDebt(step, ledger, {
          owner: debtor,
          asset,
          amount,
          account: worldAddress(asset, network),
          cause: 'deposit',
          reference: id,
          reason,
        });
      },
    }),

    /**
     * Cancels the debit of a dropped deposit that is on its network again, and refunds the amount that its
     * owner paid; a debt that operators wrote off stays written off. Does nothing for other deposits.
     */
    unclaim: sqlCommand({
      name: 'deposits.unclaim',
      input: claimInput,
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { deposit: id }) => {
        const [deposit] = await depositsByIds(step.sql, [id]);
        if (deposit?.isClaimed !== true || deposit.goneAt !== undefined) return;
        await saveClaim(step.sql, id, false);
        await cancelDebtFor(step, ledger, id);
      },
    }),
  };
}

export type DepositCommands = ReturnType<typeof depositCommands>;

/**
 * The commands of deposits, and the query of the state (deposits and releases) that a replay of the journal
 * must reproduce.
 */
export function depositsReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(depositCommands(ledger)),
    state: {
      deposits: `select d::text as row, d.id::text as turn from deposit d
        union all select r::text, concat('released ', r.owner, ' ', r.network, ' ', r.asset) from deposit_release r`,
    },
  };
}
