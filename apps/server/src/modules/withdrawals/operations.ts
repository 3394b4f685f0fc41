import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { REFUSAL_REASONS, type RefusalReason } from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  boundedAnswer,
  idOf,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import { onePersonProblem, promisedAt, type Withdrawal } from './domain.ts';
import { type SendingPause, withdrawalAccountStatus } from './sending-stops.ts';
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
    run: async (call) => {
      const { by, reason } = whyOf(call);
      await pause.resume(by, reason);
      return { state: 'sending' };
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

const VALUE_PLACES = 2;

export interface EvidenceParts {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'findUser' | 'prepare' | 'withdrawalHold'>;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly withdrawals: Pick<Withdrawals, 'find' | 'destinationHistory' | 'approvedByOne'>;
}

/**
 * Evidence for approving a withdrawal: owner, amount, destination, and the history of the address and the account.
 * Values are in USDT.
 */
export async function withdrawalEvidence(parts: EvidenceParts, id: string): Promise<ApprovalEvidence> {
  const { clock, identity, market, withdrawals } = parts;
  const withdrawal = await withdrawals.find(id);
  if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { owner, asset, amount, address } = withdrawal;
  const [user, leaving, use, approved] = await Promise.all([
    identity.findUser(owner),
    withdrawalAccountStatus(identity, owner),
    withdrawals.destinationHistory(withdrawal),
    withdrawals.approvedByOne([owner]),
  ]);
  const price = market.usdtIndex(asset);
  const isHeld = leaving.holdUntil > clock.now();
  return {
    facts: { ...factsOf(withdrawal), uid: user?.uid, email: user?.email },
    context: {
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
      addressKeptAt: use.keptAt,
      addressKnownAt: withdrawal.knownAt,
      addressInBook: use.keptAt !== undefined,
      finishedToAddress: use.finishedToAddress,
      finishedOfAccount: use.finishedOfAccount,
      approvedByOneUsdt: approved.get(owner),
      isVerified: leaving.verified,
      isFrozen: leaving.frozen,
      ...(isHeld ? { withdrawalsHeldUntil: leaving.holdUntil } : {}),
    },
    money: { amount, asset, destination: address },
  };
}

/** Fixed fields of a pending withdrawal, and its status. */
function factsOf(withdrawal: Withdrawal) {
  const { id, owner, asset, network, address, memo, amount, fee, value, status, createdAt } = withdrawal;
  return {
    id,
    owner,
    amount,
    asset,
    network,
    address,
    memo,
    fee,
    arrives: amount.minus(fee),
    valueUsdt: value,
    status,
    remark: withdrawal.remark,
    createdAt,
  };
}
