import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { credited, type Deposit } from './domain.ts';
import { depositChanged } from './events.ts';
import {
  depositsByIds,
  finishDeposits,
  insertDeposit,
  leaveNotices,
  markSmall,
  smallDeposits,
} from './repository.ts';

const owner = idOf<UserId>();
const seen = z.object({
  ...{ owner, asset: z.string(), network: z.string(), address: z.string(), memo: z.optional(z.string()) },
  ...{ txid: z.string(), output: z.int(), amount: decimal, remark: z.optional(z.string()) },
  ...{ position: z.int(), block: z.int(), confirmations: z.int() },
});

/** What may be done with deposits: a transfer is seen once and credited once. */
export function depositCommands(ledger: Ledger) {
  return {
    /** Stores transfers to persons' addresses; one that was seen before changes nothing. */
    see: sqlCommand({
      name: 'deposits.see',
      input: z.object({ transfers: z.array(seen) }),
      run: async (step, { transfers }) => {
        for (const { output, position, ...transfer } of transfers) {
          const deposit: Deposit = {
            ...{ ...transfer, memo: transfer.memo, remark: transfer.remark, id: step.newId() },
            ...{ status: 'pending', isSmall: false, createdAt: step.now, finishedAt: undefined },
          };
          if (await insertDeposit(step.sql, deposit, position, output))
            step.publish(depositChanged, { owner: deposit.owner, id: deposit.id, status: 0, confirm: 0 });
        }
      },
    }),

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

export type DepositCommands = ReturnType<typeof depositCommands>;

/** Deposits without their service, for a replay. */
export function depositsReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(depositCommands(ledger)),
    state: { deposits: 'select d::text as row, d.id as turn from deposit d' },
  };
}
