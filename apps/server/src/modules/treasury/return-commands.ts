import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { OPEN_RETURN_STATES, returnReference } from './return-domain.ts';
import { changeReturn, findReturn, insertReturn, returnCount } from './return-repository.ts';
import { decideArrival, findArrival, finishReturning, reopenArrival } from './repository.ts';

const id = idOf<string>();
const by = z.string();
const reason = z.string();

/**
 * Returns the commands for returns of arrivals to their senders. The ledger has no entry for an arrival
 * without a decision, so its return posts only the fee that the exchange keeps to pay the network fee.
 */
export function returnCommands(ledger: Ledger) {
  return {
    /**
     * Approves the return of an undecided arrival (an incoming transfer that is no user's deposit) to its
     * sender; no other decision on this arrival is possible until the return has ended without a payment.
     * `digest` covers the approved fields. Refuses an unknown arrival, one that is decided or was dropped by
     * its network, and an amount and a fee that do not add up to the amount of the arrival.
     */
    approveReturn: sqlCommand({
      name: 'treasury.approveReturn',
      input: z.object({
        arrival: id,
        reference: z.string(),
        address: z.string(),
        memo: z.optional(z.string()),
        amount: decimal,
        fee: decimal,
        isFromChain: z.boolean(),
        digest: z.string(),
        by,
        reason,
      }),
      run: async (step, { by: approvedBy, ...approved }) => {
        const arrival = await findArrival(step.sql, approved.arrival);
        if (arrival === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        if (arrival.goneAt !== undefined || !approved.amount.plus(approved.fee).equals(arrival.amount))
          throw new Refused(refusal('closed', 'l.arrival_unconfirmed'));
        // The payment reference of the request is outdated if another return of the arrival has ended in the meantime.
        const attempt = (await returnCount(step.sql, arrival.id)) + 1;
        if (approved.reference !== returnReference(arrival, attempt))
          throw new Refused(refusal('closed', 'l.arrival_decided'));
        const decision = {
          state: 'returning',
          by: approvedBy,
          reason: approved.reason,
          now: step.now,
        } as const;
        if (!(await decideArrival(step.sql, arrival.id, decision)))
          throw new Refused(refusal('closed', 'l.arrival_decided'));
        const returnId = step.newId();
        const { network, asset } = arrival;
        const isStored = await insertReturn(step.sql, {
          ...approved,
          id: returnId,
          memo: approved.memo,
          network,
          asset,
          approvedBy,
          approvedAt: step.now,
        });
        if (!isStored) throw new Refused(refusal('closed', 'l.arrival_decided'));
        return { id: returnId };
      },
    }),

    /**
     * Stores the transaction id of a return and the number of its block; both can change until the return
     * ends. Returns false if the return is unknown or has ended.
     */
    returnSent: sqlCommand({
      name: 'treasury.returnSent',
      input: z.object({ id, txid: z.string(), block: z.optional(z.int()) }),
      run: async (step, { id: returnId, txid, block }) => {
        const found = await findReturn(step.sql, returnId);
        if (found?.state !== 'approved' && found?.state !== 'cancelling') return false;
        return changeReturn(step.sql, returnId, [found.state], { state: found.state, txid, block });
      },
    }),

    /**
     * Cancels a return. The return ends when it is certain that its transaction cannot be mined. A second cancellation
     * can add `usedBy`, the id of another transaction that used the nonce of the return's transaction. Refuses a return
     * that has ended.
     */
    cancelReturn: sqlCommand({
      name: 'treasury.cancelReturn',
      input: z.object({ id, usedBy: z.optional(z.string()), by, reason }),
      run: async (step, { id: returnId, by: cancelledBy, reason: because, usedBy }) => {
        const isCancelled = await changeReturn(step.sql, returnId, OPEN_RETURN_STATES, {
          state: 'cancelling',
          cancellation: { by: cancelledBy, reason: because, usedBy },
        });
        if (!isCancelled) throw new Refused(refusal('closed', 'l.transfer_decided'));
      },
    }),

    /**
     * Ends a return. The state `done` means that its transaction is final: the arrival is marked as returned, and the
     * fee is posted to the fees account. The states `failed` and `cancelled` mean that nothing was paid: the arrival is
     * undecided again. Returns false if the return is unknown or has ended.
     */
    endReturn: sqlCommand({
      name: 'treasury.endReturn',
      input: z.object({ id, state: z.enum(['done', 'failed', 'cancelled']) }),
      run: async (step, { id: returnId, state }) => {
        const found = await findReturn(step.sql, returnId);
        const isEnded = await changeReturn(step.sql, returnId, OPEN_RETURN_STATES, {
          state,
          closedAt: step.now,
        });
        if (found === undefined || !isEnded) return false;
        const { arrival, network, asset, fee, txid } = found;
        if (state !== 'done') {
          await reopenArrival(step.sql, arrival);
          return true;
        }
        await finishReturning(step.sql, arrival, { txid: txid!, now: step.now });
        if (fee.isPositive())
          ledger.post(step, 'treasury.returned', returnId, [
            {
              source: worldAddress(asset, network),
              destination: houseAddress('fees'),
              asset,
              amount: fee,
            },
          ]);
        return true;
      },
    }),
  };
}

export type ReturnCommands = ReturnType<typeof returnCommands>;
