import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { backIn, credited, DEPOSIT_NUMBERS, goneFrom, type Deposit } from './domain.ts';
import { depositChanged } from './events.ts';
import { creditProof } from './proof-repository.ts';
import {
  depositsByIds,
  findDeposit,
  finishDeposits,
  insertDeposit,
  isCredited,
  leaveNotices,
  markSmall,
  moveDeposit,
  smallDeposits,
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
  /** The network has it no more. */
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
  /** Which of the transaction's payments it is; absent where it has one, and in inputs from before this was asked. */
  output: z.optional(z.int()),
});

/** What may be done with deposits: a transfer is seen once and credited once. */
export function depositCommands(ledger: Ledger) {
  return {
    ...seenCommands(),
    ...reportedCommands(ledger),

    /** Credits confirmed deposits, each once; less than the least waits until more has come. */
    credit: sqlCommand({
      name: 'deposits.credit',
      input: z.object({ deposits: z.array(z.object({ id: idOf<string>(), owner })) }),
      prepare: ({ deposits }) => ledger.prepareAll(deposits.map((deposit) => deposit.owner)),
      run: async (step, { deposits: asked }) => {
        for (const { id } of asked) {
          // Read one by one: crediting the first may have credited the second with it.
          const [deposit] = await depositsByIds(step.sql, [id]);
          if (deposit?.status !== 'pending' || ledger.isHalted(deposit.asset)) continue;
          const least = findCoinNetwork(deposit.asset, deposit.network)?.minDeposit ?? Decimal.zero;
          const all = credited(deposit, await smallDeposits(step.sql, deposit), least);
          if (all.length === 0) {
            await markSmall(step.sql, id);
            tell(deposit, 0);
            continue;
          }
          for (const { owner: to, asset, network, amount, id: reference } of all)
            ledger.post(step, 'deposit.credited', reference, [
              {
                source: worldAddress(asset, network),
                destination: userAddress(to, 'spot', 'available'),
                asset,
                amount,
              },
            ]);
          await finishDeposits(
            step.sql,
            all.map((one) => one.id),
            step.now,
          );
          await leaveNotices(
            step.sql,
            all.map((one) => ({ id: step.newId(), deposit: one.id })),
          );
          for (const one of all) tell(one, 1);
        }
        function tell({ owner: of, id, confirmations }: Deposit, status: number) {
          step.publish(depositChanged, { owner: of, id, status, confirm: confirmations });
        }
      },
    }),
  };
}

function seenCommands() {
  return {
    /**
     * Stores transfers to persons' addresses; one that was seen before changes nothing. One that its network has taken
     * back before it was credited is rejected, until it is seen again; one that was credited is marked for people to look
     * at, and these are answered.
     */
    see: sqlCommand({
      name: 'deposits.see',
      input: z.object({ transfers: z.array(seen) }),
      run: async (step, { transfers }) => {
        const alarming: string[] = [];
        for (const { output, position, isGone = false, ...transfer } of transfers) {
          const { network, txid, asset, block } = transfer;
          const known = await findDeposit(step.sql, { network, txid, output, asset });
          if (known !== undefined) {
            if (known.position >= position) continue;
            const stands = isGone ? goneFrom(known, step.now) : backIn(known, transfer);
            if (stands === undefined) continue;
            await moveDeposit(step.sql, known.id, { ...stands, position, block });
            if (known.status === 'finished' && isGone) alarming.push(known.id);
            tell(known, DEPOSIT_NUMBERS[stands.status]);
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
          };
          if (await insertDeposit(step.sql, deposit, position, output))
            step.publish(depositChanged, { owner: deposit.owner, id: deposit.id, status: 0, confirm: 0 });
        }
        return { alarming };
        function tell({ owner: of, id }: Deposit, status: number) {
          step.publish(depositChanged, { owner: of, id, status, confirm: 0 });
        }
      },
    }),
  };
}

function reportedCommands(ledger: Ledger) {
  return {
    /**
     * Credits a deposit that two operators have found on the house's address, once: neither the report nor this payment of
     * the network's transaction is ever credited again. Another payment of the same transaction is another deposit.
     */
    creditReported: sqlCommand({
      name: 'deposits.creditReported',
      input: reported,
      prepare: (input) => ledger.prepareAll([input.owner]),
      run: async (step, { proof, by, output, ...given }) => {
        const { owner: to, asset, network, amount } = given;
        const decided = await creditProof(step.sql, proof, { amount, by, now: step.now });
        if (decided === 'before') throw new Refused(refusal('duplicate', 'l.proof_decided'));
        const deposit: Deposit = {
          ...given,
          id: step.newId(),
          memo: undefined,
          block: 0,
          confirmations: 1,

          status: 'pending',
          isSmall: false,
          createdAt: step.now,
          finishedAt: undefined,
          goneAt: undefined,
        };
        const isKnown = await isCredited(step.sql, deposit, output);
        if (isKnown || !(await insertDeposit(step.sql, deposit, 0, output)))
          throw new Refused(refusal('duplicate', 'l.deposit_known', { value: given.txid }));
        ledger.post(step, 'deposit.credited', deposit.id, [
          {
            source: worldAddress(asset, network),
            destination: userAddress(to, 'spot', 'available'),
            asset,
            amount,
          },
        ]);
        await finishDeposits(step.sql, [deposit.id], step.now);
        await leaveNotices(step.sql, [{ id: step.newId(), deposit: deposit.id }]);
        step.publish(depositChanged, { owner: to, id: deposit.id, status: 1, confirm: 1 });
      },
    }),
  };
}

export type DepositCommands = ReturnType<typeof depositCommands>;

/** Deposits without their service, for a replay. */
export function depositsReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(depositCommands(ledger)),
    state: { deposits: 'select d::text as row, d.id as turn from deposit d' },
  };
}
