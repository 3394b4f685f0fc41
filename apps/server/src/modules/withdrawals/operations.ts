import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { REFUSAL_REASONS, type RefusalReason } from '@exchange/core/network.ts';
import { invalidChoice } from '@exchange/core/refusal.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  boundedAnswer,
  idOf,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { onePersonProblem, promisedAt, type Withdrawal } from './domain.ts';
import { withdrawalEvidence, type EvidenceParts } from './evidence.ts';
import type { SendingPause } from './sending-pause.ts';
import type { Withdrawals } from './service.ts';

/** Payments that the list after a restore shows; settled ones make room for the rest. */
const RESTORED_MAX = 200;

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
    {
      method: 'GET',
      path: '/ops/withdrawals',
      isQueue: true,
      summary: 'Withdrawals that are pending or under way, oldest first.',
      roles: ['finance', 'approver', 'support', 'auditor'],
      run: async () => {
        const open = await withdrawals.open();
        const owners = new Set(open.list.map(({ owner }) => owner));
        const approved = await withdrawals.approvedByOne([...owners]);
        return boundedAnswer(
          'withdrawals',
          mapBounded(open, (withdrawal) => ({ ...rowOf(withdrawal), ...personsOf(withdrawal, approved) })),
        );
      },
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/approve',
      summary: 'Lets a withdrawal out: of one account up to 10,000 USDT within 24 hours.',
      roles: ['finance'],
      check: (call) => withdrawals.requireDecidable(idOf(call), 'approve', 1),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), 'approve', { by, persons: 1 }));
      },
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/approve-large',
      summary:
        'Lets a withdrawal out with a second person: above 10,000 USDT, alone or with what one person has let out of the account within 24 hours.',
      roles: ['finance'],
      check: (call) => withdrawals.requireDecidable(idOf(call), 'approve', 2),
      secondPerson: { evidence: (call) => withdrawalEvidence(parts, idOf(call)) },
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), 'approve', { by, persons: 2 }));
      },
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/reject',
      summary: 'Refuses a withdrawal that is pending; the amount goes back to its owner.',
      roles: ['finance'],
      fields: {
        because: {
          label: 'Why (owners read of sanctions and holds as a review)',
          kind: 'choice',
          choices: REFUSAL_REASONS,
        },
      },
      check: (call) => withdrawals.requireDecidable(idOf(call), reasonOf(call), 1),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await withdrawals.decide(idOf(call), reasonOf(call), { by, persons: 1 }));
      },
    },
    resumeOperation(withdrawals, pause),
    restoredPayments(pause),
    settleOperation(pause),
  ];
}

function resumeOperation(withdrawals: Withdrawals, pause: SendingPause): Operation {
  return {
    method: 'POST',
    path: '/ops/withdrawals/resume',
    summary:
      'After a restore: lets withdrawals be sent again, once they were compared with their chains. Needs a second person.',
    roles: ['finance'],
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
    check: () => pause.requireResumable(),
    run: async (call) => {
      const { by, reason } = whyOf(call);
      await pause.resume(by, reason);
      return { state: 'sending' };
    },
  };
}

function restoredPayments(pause: SendingPause): Operation {
  return {
    method: 'GET',
    path: '/ops/withdrawals/restored',
    isQueue: true,
    summary:
      'After a restore: payments that left the wallet and that the restored database does not count as sent.',
    roles: ['finance', 'approver', 'auditor'],
    run: async () => ({ payments: await pause.openPayments(RESTORED_MAX) }),
  };
}

function settleOperation(pause: SendingPause): Operation {
  return {
    method: 'POST',
    path: '/ops/withdrawals/restored/:id/settle',
    summary:
      'After a restore: says by which booking a payment was debited from its owner. Needs a second person.',
    roles: ['finance'],
    fields: { settlement: { label: 'The booking that debits the owner', kind: 'text' } },
    secondPerson: {
      evidence: async (call) => {
        const payments = await pause.openPayments(RESTORED_MAX);
        const payment = payments.find(({ id }) => id === idOf(call));
        return { facts: { ...payment }, context: { waiting: payments.length } };
      },
    },
    run: async (call) => {
      const { settlement = '' } = call.fields;
      await pause.settle(idOf(call), { by: whyOf(call).by, settlement });
      return { state: 'settled' };
    },
  };
}

function reasonOf({ fields: { because = '' } }: OperatorCall): RefusalReason {
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
