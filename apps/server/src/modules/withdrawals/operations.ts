import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { REFUSAL_REASONS, type RefusalReason } from '@exchange/core/network.ts';
import { invalidChoice } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/withdrawals.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  idOf,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
} from '../../platform/console/operation.ts';
import { onePersonProblem, promisedAt, type Withdrawal } from './domain.ts';
import { withdrawalEvidence, type EvidenceParts } from './evidence.ts';
import type { SendingPause } from './sending-pause.ts';
import type { Withdrawals } from './service.ts';

/**
 * Operator operations for pending withdrawals: approve, or reject with a listed reason; and resuming after a restore.
 */
export function withdrawalOperations(
  withdrawals: Withdrawals,
  pause: SendingPause,
  evidence: Omit<EvidenceParts, 'withdrawals'>,
): Operation[] {
  const parts = { ...evidence, withdrawals };
  return [
    serveList(described.openWithdrawals, async () => {
      const open = await withdrawals.open();
      const owners = new Set(open.list.map(({ owner }) => owner));
      const approved = await withdrawals.approvedByOne([...owners]);
      return mapBounded(open, (withdrawal) => ({
        ...rowOf(withdrawal),
        ...personsOf(withdrawal, approved),
      }));
    }),
    serveAction(described.approveWithdrawal, {
      check: (call) => withdrawals.requireDecidable(idOf(call), 'approve', 1),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), 'approve', { by, persons: 1 }));
      },
    }),
    serveAction(described.approveLargeWithdrawal, {
      check: (call) => withdrawals.requireDecidable(idOf(call), 'approve', 2),
      secondPerson: { evidence: (call) => withdrawalEvidence(parts, idOf(call)) },
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), 'approve', { by, persons: 2 }));
      },
    }),
    serveAction(described.rejectWithdrawal, {
      check: (call) => withdrawals.requireDecidable(idOf(call), reasonOf(call), 1),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), reasonOf(call), { by, persons: 1 }));
      },
    }),
    resumeOperation(withdrawals, pause),
  ];
}

function resumeOperation(withdrawals: Withdrawals, pause: SendingPause): Operation {
  return serveAction(described.resumeWithdrawals, {
    secondPerson: {
      evidence: async () => {
        const { count, value } = await withdrawals.openTotals();
        return {
          facts: { restoredFrom: pause.pausedBy },
          context: {
            waiting: count,
            valueUsdt: value,
          },
        };
      },
    },
    run: async (call) => {
      const { by, reason } = whyOf(call);
      await pause.resume(by, reason);
      return { state: 'sending' };
    },
  });
}

function reasonOf({ fields: { because = '' } }: CallOf<typeof described.rejectWithdrawal>): RefusalReason {
  const reason = REFUSAL_REASONS.find((candidate) => candidate === because);
  if (reason === undefined) throw invalidChoice('because', because);
  return reason;
}

function rowOf(withdrawal: Withdrawal) {
  const { id, owner, asset, network, address, memo, amount, fee, value, status, isAuto, createdAt } =
    withdrawal;
  return {
    id,
    owner,
    asset,
    network,
    address,
    memo,
    amount,
    fee,
    valueUsdt: value,
    status,
    isAuto,
    createdAt,
    promisedAt: promisedAt(withdrawal),
    txid: withdrawal.txid,
    reason: withdrawal.reason,
  };
}

/** Whether approval needs a second operator, and the value single operators approved for the account within 24 hours. */
function personsOf({ owner, status, value }: Withdrawal, approved: ReadonlyMap<UserId, Decimal>) {
  if (status !== 'pending') return {};
  const before = approved.get(owner);
  const needsSecondPerson = onePersonProblem(value, before) !== undefined;
  return { needsSecondPerson, ...(before === undefined ? {} : { approvedByOneUsdt: before }) };
}
