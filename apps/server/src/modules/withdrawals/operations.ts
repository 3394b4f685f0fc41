import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  REFUSAL_REASONS,
  RETURN_REASONS,
  type RefusalReason,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { requireText } from '../../platform/console/field-values.ts';
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
import type { SignedVariant } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import { onePersonProblem, promisedAt, type Withdrawal } from './domain.ts';
import { type SendingPause, withdrawalAccountStatus } from './sending-stops.ts';
import type { ChosenExit, Withdrawals } from './service.ts';

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
        const [approved, contexts, stages] = await Promise.all([
          withdrawals.approvedByOne([...owners]),
          withdrawals.contexts(open.list),
          withdrawals.stages(open.list),
        ]);
        return boundedAnswer(
          'withdrawals',
          mapBounded(open, (withdrawal) =>
            Object.assign(
              rowOf(withdrawal, stages.get(withdrawal.id)),
              personsOf(withdrawal, approved),
              contexts.get(withdrawal.id),
            ),
          ),
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
    ...exitOperations(parts),
    resumeOperation(withdrawals, pause),
  ];
}

/** The exits of a withdrawal that its network does not take as it is. */
function exitOperations(parts: EvidenceParts): Operation[] {
  const { withdrawals } = parts;
  return [
    {
      method: 'GET',
      path: '/ops/withdrawals/:id/transactions',
      summary: 'The transactions that were signed for a withdrawal. At most one of them can be mined.',
      roles: ['finance', 'approver', 'support', 'auditor'],
      run: async (call) => {
        const signed = await withdrawals.signedFor(idOf(call));
        return { transactions: signed.map(variantRow) };
      },
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/return',
      summary:
        'Returns an approved withdrawal to its owner, with a second person: at once if nothing was signed for it, otherwise when a transfer of nothing has taken the place of its transaction for good.',
      roles: ['finance'],
      fields: {
        because: {
          label: 'Why (owners read of sanctions and holds as a review)',
          kind: 'choice',
          choices: RETURN_REASONS,
        },
        txid: {
          label: 'Only if its nonce was used by a transaction that was not signed for it: that transaction',
          kind: 'text',
          isOptional: true,
        },
      },
      check: (call) => withdrawals.requireExit(idOf(call), returnOf(call)),
      secondPerson: { evidence: (call) => exitEvidence(parts, call, returnOf(call)) },
      run: async (call) => rowOf(await withdrawals.leave(idOf(call), returnOf(call), whyOf(call).by)),
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/pay-by-hand',
      summary:
        'Takes a withdrawal out of automatic payment, with a second person, so that it can be paid by hand. Pay it only when exitReadyAt is shown: then its own transaction cannot be mined any more.',
      roles: ['finance'],
      check: (call) => withdrawals.requireExit(idOf(call), BY_HAND),
      secondPerson: { evidence: (call) => exitEvidence(parts, call, BY_HAND) },
      run: async (call) => rowOf(await withdrawals.leave(idOf(call), BY_HAND, whyOf(call).by)),
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/finish',
      summary:
        'Ends a withdrawal that was paid by hand, with a second person: its transaction must be in a confirmed block and pay exactly this coin and amount to this address.',
      roles: ['finance'],
      fields: { txid: { label: 'Transaction that paid it', kind: 'text' } },
      check: (call) => withdrawals.requireExit(idOf(call), paidOf(call)),
      secondPerson: { evidence: (call) => exitEvidence(parts, call, paidOf(call)) },
      run: async (call) => rowOf(await withdrawals.leave(idOf(call), paidOf(call), whyOf(call).by)),
    },
    {
      method: 'POST',
      path: '/ops/withdrawals/:id/raise-fee',
      summary:
        'Sends the signed transaction of a withdrawal again with a higher fee, with a second person. Needed above the bound up to which this happens automatically.',
      roles: ['finance'],
      fields: { gwei: { label: 'Highest fee per unit of gas, in Gwei', kind: 'text' } },
      check: (call) => withdrawals.require(idOf(call)).then(() => maxFeeOf(call)),
      secondPerson: {
        evidence: async (call) => {
          const evidence = await withdrawalEvidence(parts, idOf(call));
          const signed = await withdrawals.signedFor(idOf(call));
          const facts = { id: idOf(call), transactions: signed.length, gwei: gweiOf(maxFeeOf(call)) };
          return { facts, context: { ...evidence.facts, ...signedContext(signed) } };
        },
      },
      run: async (call) => variantRow(await withdrawals.raiseFee(idOf(call), maxFeeOf(call))),
    },
  ];
}

/** The exit of a withdrawal that is to be paid by hand. */
const BY_HAND: ChosenExit = { kind: 'paid' };

function returnOf({ fields: { because = '', txid = '' } }: OperatorCall): ChosenExit {
  const reason = RETURN_REASONS.find((candidate) => candidate === because);
  if (reason === undefined) throw invalidChoice('because', because);
  return txid === '' ? { kind: 'return', reason } : { kind: 'return', reason, txid: requireTxid(txid) };
}

function paidOf({ fields: { txid = '' } }: OperatorCall): ChosenExit {
  return { kind: 'paid', txid: requireTxid(txid) };
}

function requireTxid(txid: string): string {
  requireText('txid', txid, TXID_MAX);
  return txid.trim();
}

/** The highest fee in wei per unit of gas; the field is in Gwei, with up to 9 decimals. */
function maxFeeOf({ fields: { gwei = '' } }: OperatorCall): bigint {
  const fee = Decimal.tryParse(gwei.trim());
  if (fee === undefined || !fee.isPositive() || !fee.fits(GWEI_DIGITS))
    throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'gwei', value: gwei }));
  return fee.toScaled(GWEI_DIGITS);
}

function gweiOf(wei: bigint): Decimal {
  return Decimal.ofScaled(wei, GWEI_DIGITS);
}

function variantRow({ txid, isVoid, nonce, maxFee, tip, at }: SignedVariant) {
  return {
    txid,
    isVoid,
    nonce,
    maxFeeGwei: gweiOf(maxFee),
    tipGwei: gweiOf(tip),
    signedAt: at,
  };
}

/** Facts about a withdrawal, the chosen exit, and what was signed so far. */
async function exitEvidence(
  parts: EvidenceParts,
  call: OperatorCall,
  exit: ChosenExit,
): Promise<ApprovalEvidence> {
  const id = idOf(call);
  await parts.withdrawals.requireExit(id, exit);
  const [evidence, signed] = await Promise.all([
    withdrawalEvidence(parts, id),
    parts.withdrawals.signedFor(id),
  ]);
  const chosen = exit.kind === 'return' ? { returnedBecause: exit.reason } : { isPaidByHand: true };
  return {
    ...evidence,
    facts: { ...evidence.facts, ...chosen, transaction: exit.txid },
    context: { ...evidence.context, ...signedContext(signed) },
  };
}

function signedContext(signed: readonly SignedVariant[]) {
  const newest = signed.at(-1);
  return {
    signedTransactions: signed.length,
    newestTransaction: newest?.txid,
    newestFeeGwei: newest && gweiOf(newest.maxFee),
    isVoided: newest?.isVoid,
  };
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

function rowOf(withdrawal: Withdrawal, stage?: WithdrawalStage) {
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
    stage,
    isAuto,
    createdAt,
    promisedAt: promisedAt(withdrawal),
    txid: withdrawal.txid,
    reason: withdrawal.reason,
    exit: withdrawal.exit?.kind,
    exitReadyAt: withdrawal.exit?.readyAt,
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
const GWEI_DIGITS = 9;
const TXID_MAX = 128;

export interface EvidenceParts {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'findUser' | 'prepare' | 'withdrawalHold'>;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly withdrawals: Withdrawals;
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
  const [user, leaving, use, approved, contexts] = await Promise.all([
    identity.findUser(owner),
    withdrawalAccountStatus(identity, owner),
    withdrawals.destinationHistory(withdrawal),
    withdrawals.approvedByOne([owner]),
    withdrawals.contexts([withdrawal]),
  ]);
  const { confirmedDigest, isChanged, ...context } = contexts.get(id)!;
  const price = market.usdtIndex(asset);
  const isHeld = leaving.holdUntil > clock.now();
  return {
    facts: { ...factsOf(withdrawal), uid: user?.uid, email: user?.email, confirmedDigest, isChanged },
    context: {
      ...context,
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
      addressKeptAt: use.keptAt,
      addressKnownAt: withdrawal.knownAt,
      addressInBook: use.keptAt !== undefined,
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
