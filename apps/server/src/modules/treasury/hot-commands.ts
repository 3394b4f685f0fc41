import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { changeTransfer, findTransfer, insertTransfer } from './hot-repository.ts';

const id = idOf<string>();
const by = z.string();
const reason = z.string();

/**
 * Returns the commands for transfers between the hot and the cold wallet. They post no ledger entries,
 * because both wallets belong to the exchange; the network fee of a transfer is booked like the network fee
 * of any payment.
 */
export function hotCommands() {
  return {
    /**
     * Requests a refill of the hot wallet, or the move of a surplus to the cold wallet. Returns the id of the request,
     * or no id if a transfer of the same kind, network and coin has not ended.
     */
    requestTransfer: sqlCommand({
      name: 'treasury.requestTransfer',
      input: z.object({
        kind: z.enum(['refill', 'surplus']),
        network: z.string(),
        asset: z.string(),
        amount: decimal,
        source: z.string(),
        destination: z.string(),
      }),
      run: async (step, requested) => {
        const transferId = step.newId();
        const isStored = await insertTransfer(step.sql, {
          ...requested,
          id: transferId,
          createdAt: step.now,
        });
        return isStored ? { id: transferId } : {};
      },
    }),

    /**
     * Closes, as no longer needed, a request for a transfer between the hot and the cold wallet that has not
     * been approved. Returns false if the request is approved or closed already.
     */
    dropTransfer: sqlCommand({
      name: 'treasury.dropTransfer',
      input: z.object({ id }),
      run: (step, { id: transferId }) =>
        changeTransfer(step.sql, transferId, ['open'], { state: 'unneeded', closedAt: step.now }),
    }),

    /**
     * Closes the request of a refill that has arrived in the hot wallet, and stores the received amount and
     * the id of the last transaction of the refill. Returns false if the request is closed already.
     */
    refill: sqlCommand({
      name: 'treasury.refill',
      input: z.object({ id, txid: z.string(), received: decimal }),
      run: (step, { id: transferId, txid, received }) =>
        changeTransfer(step.sql, transferId, ['open'], {
          state: 'done',
          txid,
          received,
          closedAt: step.now,
        }),
    }),

    /**
     * Approves the move of a surplus to the cold wallet; `digest` is the digest of the approved fields.
     * Refuses an unknown move, a transfer of another kind, and a move that is already approved or closed.
     */
    approveTransfer: sqlCommand({
      name: 'treasury.approveTransfer',
      input: z.object({ id, digest: z.string(), by, reason }),
      run: async (step, { id: transferId, digest, ...approval }) => {
        const transfer = await findTransfer(step.sql, transferId);
        if (transfer?.kind !== 'surplus') throw new Refused(refusal('generic', 'l.not_found'));
        const isApproved = await changeTransfer(step.sql, transferId, ['open'], {
          state: 'approved',
          approval: { ...approval, digest, at: step.now },
        });
        if (!isApproved) throw new Refused(refusal('closed', 'l.transfer_decided'));
      },
    }),

    /**
     * Cancels the approved move of a surplus. The move ends when it is certain that its transaction cannot be mined.
     * Refuses a move that is not approved.
     */
    cancelTransfer: sqlCommand({
      name: 'treasury.cancelTransfer',
      input: z.object({ id, by, reason }),
      run: async (step, { id: transferId, ...cancellation }) => {
        const change = { state: 'cancelling' as const, cancellation };
        if (!(await changeTransfer(step.sql, transferId, ['approved'], change)))
          throw new Refused(refusal('closed', 'l.transfer_decided'));
      },
    }),

    /**
     * Stores the transaction id of a move to the cold wallet and the number of its block; both can change
     * until the move ends. Returns false for an unknown move, one that is not approved yet, and one that has
     * ended.
     */
    transferSent: sqlCommand({
      name: 'treasury.transferSent',
      input: z.object({ id, txid: z.string(), block: z.optional(z.int()) }),
      run: async (step, { id: transferId, txid, block }) => {
        const transfer = await findTransfer(step.sql, transferId);
        if (transfer?.state !== 'approved' && transfer?.state !== 'cancelling') return false;
        return changeTransfer(step.sql, transferId, [transfer.state], {
          state: transfer.state,
          txid,
          ...(block === undefined ? {} : { block }),
        });
      },
    }),

    /**
     * Ends a move to the cold wallet as `done` (its transaction is final), `failed` (the chain has rejected
     * it) or `cancelled` (its transaction can no longer be mined). Returns false for an unknown move, and for
     * one that is neither approved nor being cancelled.
     */
    endTransfer: sqlCommand({
      name: 'treasury.endTransfer',
      input: z.object({ id, state: z.enum(['done', 'failed', 'cancelled']) }),
      run: (step, { id: transferId, state }) =>
        changeTransfer(step.sql, transferId, ['approved', 'cancelling'], { state, closedAt: step.now }),
    }),
  };
}

export type HotCommands = ReturnType<typeof hotCommands>;
