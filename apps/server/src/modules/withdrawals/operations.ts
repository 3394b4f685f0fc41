import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  REFUSAL_REASONS,
  RETURN_REASONS,
  type RefusalReason,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import { decisionOf } from '@exchange/core/operator-period.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/withdrawals.ts';
import { requireText } from '../../platform/console/field-values.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  idOf,
  OperatorFile,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type EvidenceOf,
  type Operation,
} from '../../platform/console/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Log } from '../../platform/log.ts';
import type { SignedVariant } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { maxFeeOf, raiseNeighbours, type FeeBooks } from '../treasury/index.ts';
import { onePersonProblem, promisedAt, type Withdrawal } from './domain.ts';
import type { ChosenExit, WithdrawalExits } from './exits.ts';
import type { WithdrawalReview } from './review.ts';
import { STATUSES } from './repository.ts';
import type { OpenPayment } from './restore-repository.ts';
import { type SendingPause, withdrawalAccountStatus } from './sending-stops.ts';
import type { Withdrawals } from './service.ts';

/** Maximum number of unsettled payments that are listed after a restore from backup. */
const RESTORED_MAX = 200;

/**
 * Returns the console operations on withdrawals, e.g. to approve them, to reject them with a listed reason,
 * and to resume sending after a restore.
 */
export function withdrawalOperations(
  parts: EvidenceParts & {
    readonly pause: SendingPause;
    readonly settleRestored: SettleRestored;
    readonly log: Log;
  },
): Operation[] {
  const { log, pause, review, withdrawals } = parts;
  return [
    serveList(described.openWithdrawals, async () => {
      const open = await review.open();
      const waitReasonOf = waitReasonsIn(parts);
      const owners = new Set(open.list.map(({ owner }) => owner));
      const [approved, contexts, stages] = await Promise.all([
        review.approvedByOne([...owners]),
        review.contexts(open.list),
        withdrawals.stages(open.list),
      ]);
      const pending = open.list.filter(({ status }) => status === 'pending');
      const reasons = await review.waitReasons(pending, contexts);
      return mapBounded(open, (withdrawal) => ({
        ...rowOf(withdrawal, stages.get(withdrawal.id)),
        waitsFor: reasons.get(withdrawal.id)?.join(', ') || undefined,
        ...personsOf(withdrawal, approved),
        ...contexts.get(withdrawal.id),
        waitsBecause: waitReasonOf(withdrawal),
      }));
    }),
    serveAction(described.approveWithdrawal, {
      check: (call) => review.requireDecidable(idOf(call), 'approve', 1),
      routine: async (call) => decisionOf((await withdrawals.require(idOf(call))).value),
      requireLowRisk: (call) => review.requireLowRisk(idOf(call)),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await review.decide(idOf(call), 'approve', { by, persons: 1 }));
      },
    }),
    serveAction(described.approveLargeWithdrawal, {
      check: (call) => review.requireDecidable(idOf(call), 'approve', 2),
      secondPerson: { evidence: (call) => withdrawalEvidence(parts, idOf(call)) },
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await review.decide(idOf(call), 'approve', { by, persons: 2 }));
      },
    }),
    serveAction(described.rejectWithdrawal, {
      check: (call) => review.requireDecidable(idOf(call), reasonOf(call), 1),
      run: async (call) => {
        const { by } = whyOf(call);
        return rowOf(await review.decide(idOf(call), reasonOf(call), { by, persons: 1 }));
      },
    }),
    serveAction(described.travelRuleRecord, {
      ownerOf: async (call) => (await withdrawals.find(idOf(call)))?.owner,
      run: async (call) => {
        const record = await review.travelRuleRecord(idOf(call));
        // The record contains names of persons, so each read is logged with the operator's name, as for identity data.
        log.warn('withdrawals.travel_rule_read', {
          withdrawal: idOf(call),
          operator: call.operator.name,
        });
        return new OperatorFile(`travel-rule-${idOf(call)}.json`, textOf(record));
      },
    }),
    ...exitOperations(parts),
    sendingPauses(review, pause),
    resumeOperation(review, pause),
    restoredPayments(pause),
    settleOperation(pause, parts.settleRestored),
  ];
}

/** Yields a value as JSON text, in a single part. */
// eslint-disable-next-line @typescript-eslint/require-await -- the console reads files as asynchronous parts
async function* textOf(value: unknown): AsyncGenerator<string, void> {
  yield `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Returns the console operations for a withdrawal that its network does not accept as it was signed: the list
 * of its signed transactions, the exits (return, or payment by hand), and the ways to raise its fee.
 */
function exitOperations(parts: EvidenceParts): Operation[] {
  const { exits, withdrawals } = parts;
  return [
    serveList(
      described.signedTransactions,
      async (call) => ({ list: (await exits.signedFor(idOf(call))).map(variantRow) }),
      { ownerOf: async (call) => (await withdrawals.find(idOf(call)))?.owner },
    ),
    serveAction(described.returnWithdrawal, {
      check: (call) => exits.requireExit(idOf(call), returnOf(call)),
      secondPerson: { evidence: (call) => exitEvidence(parts, idOf(call), returnOf(call)) },
      run: async (call) => rowOf(await exits.choose(idOf(call), returnOf(call), whyOf(call).by)),
    }),
    serveAction(described.payWithdrawalByHand, {
      check: (call) => exits.requireExit(idOf(call), BY_HAND),
      secondPerson: { evidence: (call) => exitEvidence(parts, idOf(call), BY_HAND) },
      run: async (call) => rowOf(await exits.choose(idOf(call), BY_HAND, whyOf(call).by)),
    }),
    serveAction(described.finishWithdrawal, {
      check: (call) => exits.requireExit(idOf(call), paidOf(call)),
      secondPerson: { evidence: (call) => exitEvidence(parts, idOf(call), paidOf(call)) },
      run: async (call) => rowOf(await exits.choose(idOf(call), paidOf(call), whyOf(call).by)),
    }),
    serveAction(described.raiseWithdrawalFee, {
      check: (call) => exits.plannedRaise(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
      neighbours: async (call) => {
        const raise = await exits.plannedRaise(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return raiseNeighbours(raise, feeBooksOf(parts, raise.coin));
      },
      secondPerson: {
        evidence: async (call) => {
          const signed = await exits.signedFor(idOf(call));
          const facts = {
            id: idOf(call),
            transactions: signed.length,
            highest: feeText(maxFeeOf(call.fields.gwei ?? ''), signed.at(-1)?.unit ?? ''),
          };
          return { facts, context: await sentContext(parts, idOf(call), signed) };
        },
      },
      run: async (call) => {
        const { txid } = await exits.raiseFee(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return { txid };
      },
    }),
    serveAction(described.addWithdrawalChild, {
      check: (call) => exits.plannedChild(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
      neighbours: async (call) => {
        const raise = await exits.plannedChild(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return raiseNeighbours(raise, feeBooksOf(parts, raise.coin), 'child');
      },
      secondPerson: {
        evidence: async (call) => {
          const maxFee = maxFeeOf(call.fields.gwei ?? '');
          const { raisedCost, coin, unit } = await exits.plannedChild(idOf(call), maxFee);
          return {
            facts: {
              id: idOf(call),
              highest: feeText(maxFee, unit),
              costs: `${raisedCost} ${coin}`,
            },
            context: await sentContext(parts, idOf(call), await exits.signedFor(idOf(call))),
          };
        },
      },
      run: async (call) => {
        const { txid } = await exits.addChild(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return { txid };
      },
    }),
  ];
}

/**
 * Returns the context for the operator who approves an action on signed transactions of a withdrawal: facts,
 * progress and transactions of the withdrawal.
 */
async function sentContext(parts: EvidenceParts, id: string, signed: readonly SignedVariant[]) {
  const evidence = await withdrawalEvidence(parts, id);
  return {
    ...evidence.facts,
    ...(await progressContext(parts, id)),
    ...signedContext(signed),
  };
}

/**
 * Returns the balance of the fees account in the coin of a network fee, and the coin's price in USDT;
 * undefined if the exchange does not list the coin.
 */
function feeBooksOf({ ledger, market }: EvidenceParts, coin: string): FeeBooks | undefined {
  if (!ledger.isKnown(coin)) return undefined;
  return { fees: ledger.balance(houseAddress('fees'), coin), price: market.usdtIndex(coin) };
}

/**
 * The exit by which operators pay a withdrawal by hand, chosen before the transaction of that payment is
 * named.
 */
const BY_HAND: ChosenExit = { kind: 'paid' };

function returnOf({
  fields: { because = '', txid = '' },
}: CallOf<typeof described.returnWithdrawal>): ChosenExit {
  const reason = RETURN_REASONS.find((candidate) => candidate === because);
  if (reason === undefined) throw invalidChoice('because', because);
  return txid === '' ? { kind: 'return', reason } : { kind: 'return', reason, txid: requireTxid(txid) };
}

function paidOf({ fields: { txid = '' } }: CallOf<typeof described.finishWithdrawal>): ChosenExit {
  return { kind: 'paid', txid: requireTxid(txid) };
}

function requireTxid(txid: string): string {
  requireText('txid', txid, TXID_MAX);
  return txid.trim();
}

/**
 * Returns a fee of a `SignedVariant` as decimal text in the unit `unit`, followed by the name of the unit.
 */
function feeText(fee: bigint, unit: string): string {
  return `${Decimal.ofScaled(fee, FEE_DIGITS)} ${unit}`.trim();
}

function variantRow({ txid, isVoid, nonce, maxFee, tip, unit, at }: SignedVariant) {
  return {
    txid,
    isVoid,
    nonce,
    maxFee: feeText(maxFee, unit),
    // Only chains with base fees have tips. On other chains the tip is 0 and is left out.
    tip: tip === 0n ? undefined : feeText(tip, unit),
    signedAt: at,
  };
}

/**
 * Returns evidence for the operators who end a withdrawal by an exit (return, or payment by hand): its facts,
 * the chosen exit, and the transactions that were signed for it. Refuses like `WithdrawalExits.requireExit`.
 */
async function exitEvidence(
  parts: EvidenceParts,
  id: string,
  exit: ChosenExit,
): Promise<EvidenceOf<typeof described.returnWithdrawal>> {
  await parts.exits.requireExit(id, exit);
  const [evidence, signed, progress] = await Promise.all([
    withdrawalEvidence(parts, id),
    parts.exits.signedFor(id),
    progressContext(parts, id),
  ]);
  const isReturn = exit.kind === 'return';
  const chosen = isReturn ? { returnedBecause: exit.reason } : { isPaidByHand: true };
  const { amount, asset, destination } = evidence.money!;
  return {
    // For a return the evidence shows no destination, because the amount does not go to the withdrawal's address.
    money: isReturn ? { amount, asset } : { amount, asset, destination },
    facts: { ...evidence.facts, ...chosen, transaction: exit.txid },
    context: { ...evidence.context, ...progress, ...signedContext(signed) },
  };
}

/**
 * Returns the stage of a withdrawal on its way to the network, and the reason why it waits: a failure of its
 * processing, or something that operators must do at its network.
 */
async function progressContext(parts: EvidenceParts, id: string) {
  const withdrawal = await parts.withdrawals.require(id);
  const stages = await parts.withdrawals.stages([withdrawal]);
  return { stage: stages.get(id), waitsBecause: waitReasonsIn(parts)(withdrawal) };
}

/**
 * Returns a function that returns why a withdrawal waits: the error because of which its processing fails, or
 * why it waits for operators at its network. The function returns undefined for a withdrawal that does not
 * wait.
 */
function waitReasonsIn({ bulkheads, withdrawals }: Pick<EvidenceParts, 'bulkheads' | 'withdrawals'>) {
  const failing = new Map(
    bulkheads
      .bulkheadOf('withdrawals')
      .failing()
      .map(({ key, cause }) => [key, cause]),
  );
  return (withdrawal: Withdrawal): string | undefined =>
    failing.get(withdrawal.id) ?? withdrawals.waitReason(withdrawal);
}

function signedContext(signed: readonly SignedVariant[]) {
  const newest = signed.at(-1);
  return {
    signedTransactions: signed.length,
    newestTransaction: newest?.txid,
    newestFee: newest && feeText(newest.maxFee, newest.unit),
    isVoided: newest?.isVoid,
  };
}

/**
 * Returns the console operation that lists the pause of sending after a restore from backup: one row, or none
 * if sending is not paused.
 */
function sendingPauses(review: WithdrawalReview, pause: SendingPause): Operation {
  return serveList(described.sendingPause, async () => {
    const open = await pause.overview();
    if (open === undefined) return { list: [] };
    const { count, value } = await review.openTotals();
    return { list: [{ ...open, waiting: count, valueUsdt: value }] };
  });
}

function resumeOperation(review: WithdrawalReview, pause: SendingPause): Operation {
  return serveAction(described.resumeWithdrawals, {
    secondPerson: {
      evidence: async () => {
        const { count, value } = await review.openTotals();
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
  });
}

function restoredPayments(pause: SendingPause): Operation {
  return serveList(described.restoredPayments, async () =>
    mapBounded(await pause.openPayments(RESTORED_MAX), restoredRow),
  );
}

/**
 * Returns a signed payment that the restored database does not count as sent, as the console lists it: with
 * the status of its withdrawal (`missing` if the database has none) and the way to settle it. A pending
 * withdrawal is continued; otherwise a booking debits its owner.
 */
function restoredRow({ id, asset, amount, address, txid, status, owner }: OpenPayment) {
  return {
    id,
    asset,
    amount,
    address,
    txid,
    owner: owner ?? undefined,
    withdrawal: status === null ? 'missing' : (STATUSES[status] ?? 'missing'),
    settledBy: isFollowed(status) ? 'its withdrawal' : 'a booking',
  };
}

/**
 * Returns whether the restored database still has the payment's withdrawal as pending. Then the withdrawal is
 * continued, and the payment needs no booking.
 */
function isFollowed(status: number | null): boolean {
  return status === STATUSES.indexOf('pending');
}

/**
 * Settles a signed payment that the restored database does not count as sent. `settlement` is the operator's
 * text that names the booking by which the payment was debited from its owner; undefined if the payment's
 * withdrawal is continued instead. `by` is the name of the operator.
 */
export type SettleRestored = (id: string, settlement: string | undefined, by: string) => Promise<void>;

/**
 * Returns the operator's text that names the booking by which a restored payment was debited from its owner.
 * Undefined, even if a text was entered, if the withdrawal is still pending and is therefore continued.
 * Refuses a missing text otherwise.
 */
function settlementOf(
  { status }: OpenPayment,
  { fields: { settlement = '' } }: CallOf<typeof described.settleRestored>,
): string | undefined {
  if (isFollowed(status)) return undefined;
  requireText('settlement', settlement, SETTLEMENT_MAX);
  return settlement;
}

function settleOperation(pause: SendingPause, settleRestored: SettleRestored): Operation {
  return serveAction(described.settleRestored, {
    check: async (call) => settlementOf((await pause.requireOpenPayment(idOf(call))).payment, call),
    secondPerson: {
      evidence: async (call) => {
        const { payment, waiting } = await pause.requireOpenPayment(idOf(call));
        settlementOf(payment, call);
        return { facts: restoredRow(payment), context: { waiting } };
      },
    },
    run: async (call) => {
      const { payment } = await pause.requireOpenPayment(idOf(call));
      await settleRestored(idOf(call), settlementOf(payment, call), whyOf(call).by);
      return { state: 'settled' };
    },
  });
}

function reasonOf({ fields: { because = '' } }: CallOf<typeof described.rejectWithdrawal>): RefusalReason {
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

/**
 * Returns, for a pending withdrawal, whether its approval needs a second operator, and the value in USDT that
 * single operators approved for the account in the last 24 hours (absent if there is none). Returns an empty
 * object for any other withdrawal.
 */
function personsOf({ owner, status, value }: Withdrawal, approved: ReadonlyMap<UserId, Decimal>) {
  if (status !== 'pending') return {};
  const before = approved.get(owner);
  const needsSecondPerson = onePersonProblem(value, before) !== undefined;
  return { needsSecondPerson, ...(before === undefined ? {} : { approvedByOneUsdt: before }) };
}

const VALUE_PLACES = 2;
/** Decimal places of the fees of a `SignedVariant` in the unit that it names. */
const FEE_DIGITS = 9;
const TXID_MAX = 128;
const SETTLEMENT_MAX = 500;

export interface EvidenceParts {
  readonly bulkheads: Bulkheads;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'balance' | 'isKnown'>;
  readonly identity: Pick<Identity, 'findUser' | 'prepare' | 'withdrawalHold'>;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly withdrawals: Withdrawals;
  readonly review: WithdrawalReview;
  readonly exits: WithdrawalExits;
}

/**
 * Returns evidence for the operator who approves a withdrawal: owner, amount, destination, and the history of
 * the address and the account. Values are in USDT. Refuses an unknown withdrawal.
 */
export async function withdrawalEvidence(
  parts: EvidenceParts,
  id: string,
): Promise<EvidenceOf<typeof described.approveLargeWithdrawal>> {
  const { clock, identity, market, review, withdrawals } = parts;
  const withdrawal = await withdrawals.find(id);
  if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { owner, asset, amount, address } = withdrawal;
  const [user, leaving, use, approved, contexts] = await Promise.all([
    identity.findUser(owner),
    withdrawalAccountStatus(identity, owner),
    review.destinationHistory(withdrawal),
    review.approvedByOne([owner]),
    review.contexts([withdrawal]),
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

/**
 * Returns the fields of a withdrawal that the approving operator confirms, which do not change while the
 * withdrawal is pending, and its status.
 */
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
    apiKey: withdrawal.key?.name,
    createdAt,
  };
}
