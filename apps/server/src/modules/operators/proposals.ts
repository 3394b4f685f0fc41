import { isUuid } from '@exchange/core/ids.ts';
import { PERIOD_DECISION_VALUE, WITHOUT_MONEY, type RoutineCall } from '@exchange/core/operator-period.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { evidenceDigest, isRetyped, type ApprovalEvidence } from '../../platform/console/evidence.ts';
import { requireText } from '../../platform/console/field-values.ts';
import {
  nameOf,
  permits,
  type CallMarks,
  type CallPreview,
  type Performed,
  type SessionMark,
} from '../../platform/console/gate.ts';
import {
  OperatorFile,
  OperatorPicture,
  START_FIELD,
  takesCode,
  type Operation,
  type Operator,
  type OperatorCall,
  type SecondPerson,
} from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { RecentTimes } from '../../platform/recent-times.ts';
import type { OperatorAccounts } from './accounts.ts';
import { writeAudit } from './audit.ts';
import type { Claims } from './claims.ts';
import type { Confirmations, Confirmed } from './confirmations.ts';
import { LIFETIMES, type AuditFacts } from './domain.ts';
import type { Periods } from './periods.ts';
import * as rows from './repository.ts';
import type { ScheduledRow } from './scheduled-repository.ts';
import { Scheduled } from './scheduled.ts';
import { hideSecrets } from './secrets.ts';

const REASON_MAX = 500;
const RESULT_MAX = 2_000;
/**
 * If an operator repeats a read of the same object within this many milliseconds, the repetition is not recorded in the
 * audit log.
 */
const SAME_READ_MS = MINUTE_MS;
const READS_KEPT = 1_000;

/** The authenticator code and the session by which a call is confirmed. */
type ConfirmingMarks = Pick<CallMarks, 'code' | 'session'>;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly accounts: OperatorAccounts;
  readonly confirmations: Confirmations;
  readonly claims: Claims;
  readonly periods: Pick<Periods, 'confirm' | 'covers'>;
}

/** Text in the audit log for a call that was confirmed by a confirmation period instead of a code. */
const BY_PERIOD = 'confirmed by a period';

/**
 * Runs the operations of operators. A call that needs a second operator is stored as a proposal and runs after its
 * approval. Calls, decisions, searches, files and reads of single objects are recorded in the audit log.
 */
export class Proposals {
  readonly scheduled: Scheduled;
  private readonly parts: Parts;
  private readonly operations = new Map<string, Operation>();
  private readonly approvalQueue = new OnePerKey();
  /** Times at which the latest `READS_KEPT` different reads were recorded, by operator and call. */
  private readonly reads = new RecentTimes<Instant>(READS_KEPT);

  constructor(parts: Parts) {
    this.parts = parts;
    this.scheduled = new Scheduled({ ...parts, apply: (row) => this.applyScheduled(row) });
  }

  use(operations: readonly Operation[]): void {
    for (const operation of operations) this.operations.set(nameOf(operation), operation);
    this.parts.claims.use(operations);
  }

  /** A registered operation by its name in proposals and in the audit log; undefined for an unknown name. */
  operationNamed(name: string): Operation | undefined {
    return this.operations.get(name);
  }

  /**
   * Performs an operation; proposes it to a second operator if one is needed, and stores it if it has a later
   * start time. The authenticator code of the call is checked after all other conditions and is not stored.
   * Reads, and operations for which `takesCode` is false, need no code; a confirmation period replaces the
   * code of a routine call. If the call is refused, its code stays valid.
   */
  async perform(operation: Operation, call: OperatorCall, marks: ConfirmingMarks): Promise<Performed> {
    if (operation.method === 'GET') {
      // Lists without a search text and without a path parameter, which the console reloads regularly, are
      // not recorded in the audit log. Searches, files and reads of single objects are.
      const isSearch = (call.fields['query'] ?? '') !== '' || operation.isFile === true;
      const isRecorded = isSearch || Object.keys(call.parameters).length > 0;
      if (isRecorded && operation.seen === undefined) await this.recordRead(operation, call);
      const answer = await this.parts.claims.withClaims(operation, await operation.run(call));
      if (isRecorded && operation.seen !== undefined) {
        const { fields, result } = operation.seen(call, answer);
        await this.record('seen', nameOf(operation), { ...call, fields }, result.slice(0, RESULT_MAX));
      }
      return { state: 'done', result: answer };
    }
    const { seen: versionedCall, evidence } = await this.prepare(operation, call);
    const needsSecond = evidence !== undefined;
    this.scheduled.startOf(operation, versionedCall);
    const byPeriod = needsSecond ? undefined : await this.confirmByPeriod(operation, versionedCall, marks);
    const confirmed =
      byPeriod ??
      (takesCode(operation) ? await this.confirm(operation, versionedCall, marks.code) : undefined);
    try {
      if (needsSecond) return await this.propose(operation, versionedCall, evidence);
      const confirmedBy = byPeriod === undefined ? '' : BY_PERIOD;
      const result = await this.runOrSchedule(operation, versionedCall, { confirmedBy });
      await this.releaseRow(operation, versionedCall);
      return { state: 'done', result };
    } catch (cause) {
      // A refused call changed nothing, so its code may be used again for the corrected call.
      if (cause instanceof Refused) await confirmed?.undo();
      throw cause;
    }
  }

  /**
   * Runs the checks that `perform` makes before it uses the code, so that a preview refuses a call for the
   * same reasons. Returns warnings, texts to show beside the form fields, the operator's ceiling, and whether
   * the call needs a code. It changes nothing and is not recorded in the audit log.
   */
  async preview(operation: Operation, call: OperatorCall, session: SessionMark): Promise<CallPreview> {
    const { seen: versionedCall, evidence } = await this.prepare(operation, call);
    this.scheduled.startOf(operation, versionedCall);
    const isCovered =
      evidence === undefined &&
      operation.isRoutine === true &&
      (await this.parts.periods.covers(session, await this.routineOf(operation, versionedCall)));
    return {
      warnings: (await operation.warnings?.(versionedCall)) ?? [],
      neighbours: await operation.neighbours?.(versionedCall),
      ceiling: await operation.secondPerson?.ceiling?.(versionedCall, call.operator),
      needsCode: takesCode(operation) && !isCovered,
    };
  }

  /**
   * The number of decisions and their value in USDT that a confirmation period must cover to confirm a call
   * of a routine operation; one decision of no value for an operation that does not state its own.
   */
  async routineOf({ routine }: Operation, call: OperatorCall): Promise<RoutineCall> {
    return (await routine?.(call)) ?? WITHOUT_MONEY;
  }

  /**
   * Refuses a call that cannot be part of a joint confirmation: one that would be refused on its own, that needs a
   * second operator, that `requireLowRisk` of the operation refuses, or whose value exceeds that of a single decision
   * in a confirmation period. Returns the call with the version that it refers to.
   */
  async requireAlone(operation: Operation, call: OperatorCall): Promise<OperatorCall> {
    const { seen: versionedCall, evidence } = await this.prepare(operation, call);
    if (evidence !== undefined) throw new Refused(refusal('generic', 'l.several_alone'));
    await operation.requireLowRisk?.(versionedCall);
    const { greatestValue } = await this.routineOf(operation, versionedCall);
    if (greatestValue.isMore(PERIOD_DECISION_VALUE)) throw new Refused(refusal('generic', 'l.several_alone'));
    return versionedCall;
  }

  /**
   * Makes one of several decisions that were confirmed together by one code or one confirmation period.
   * The audit log records it like a single decision.
   */
  async runConfirmed(operation: Operation, call: OperatorCall): Promise<void> {
    const versionedCall = await this.requireAlone(operation, call);
    await this.run(operation, versionedCall, 'confirmed with others');
    await this.releaseRow(operation, versionedCall);
  }

  /**
   * Confirms a routine call without a code, by the confirmation period of its session; undefined if the
   * operation is not a routine one, a code was entered, or no open period covers the call.
   */
  private async confirmByPeriod(
    operation: Operation,
    call: OperatorCall,
    { code, session }: ConfirmingMarks,
  ): Promise<Confirmed | undefined> {
    if (operation.isRoutine !== true || code !== '') return undefined;
    return this.parts.periods.confirm(session, await this.routineOf(operation, call));
  }

  /** Validates a call and adds the version that it refers to; collects evidence if a second operator is needed. */
  private async prepare(operation: Operation, call: OperatorCall) {
    if (operation.isImmediate !== true) requireText('reason', call.fields['reason'] ?? '', REASON_MAX);
    await this.requireUnclaimed(operation, call);
    const versionedCall = await ofVersion(operation, call);
    await operation.check?.(versionedCall);
    const { secondPerson } = operation;
    await requireCeiling(secondPerson, versionedCall, call.operator);
    const isNeeded = secondPerson !== undefined && ((await secondPerson.isNeeded?.(versionedCall)) ?? true);
    return {
      seen: versionedCall,
      evidence: isNeeded ? await secondPerson.evidence(versionedCall) : undefined,
    };
  }

  /** Refuses a decision about a queue row that another operator has claimed. */
  private async requireUnclaimed(operation: Operation, call: OperatorCall): Promise<void> {
    const row = operation.sharesWork === true ? undefined : this.parts.claims.rowOf(operation, call);
    if (row !== undefined) await this.parts.claims.requireFree(row, call.operator.name);
  }

  /** Ends the operator's claim of a queue row after the operator has decided about the row. */
  private async releaseRow(operation: Operation, call: OperatorCall): Promise<void> {
    const row = operation.sharesWork === true ? undefined : this.parts.claims.rowOf(operation, call);
    if (row !== undefined) await this.parts.claims.release(row, call.operator.name);
  }

  /**
   * The current evidence for an approver; `isChanged` is true if the proposal is open and its evidence
   * differs, and `warnings` is empty unless the proposal is open. Refuses an unknown proposal, and one that
   * its proposer may no longer propose.
   */
  async evidence(id: string) {
    const row = isUuid(id) ? await rows.proposalRow(this.parts.database.reader, id) : undefined;
    if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { operation, call } = await this.proposed(row);
    const evidence = await operation.secondPerson!.evidence(call);
    const { facts, context = {}, money } = evidence;
    return {
      facts,
      context,
      money,
      isChanged: row.state === 'open' && !isSame(row, evidence),
      warnings: row.state === 'open' ? ((await operation.warnings?.(call)) ?? []) : [],
    };
  }

  /**
   * Refuses an approval that could not be applied, for example by the proposer, above the ceiling of either operator,
   * of evidence that has changed, or of money without retyping the amount or the destination.
   */
  async requireApprovable(id: string, { operator, fields }: OperatorCall): Promise<void> {
    const row = await this.open(id);
    if (row.operator === operator.name) throw new Refused(refusal('generic', 'l.second_person'));
    const { operation, call } = await this.proposed(row, operator.name);
    // Since the proposal was made, the proposer's ceiling may have been lowered, or a price may have risen,
    // so that the value in USDT is higher. The ceilings are therefore checked again.
    for (const person of [call.operator, operator])
      await requireCeiling(operation.secondPerson, call, person);
    // The approval of a proposal for an outdated version is refused, but the proposal stays open: an operator has to
    // reject it, and thereby sees why it was not applied.
    await ofVersion(operation, call);
    this.scheduled.startOf(operation, call);
    const evidence = await operation.secondPerson!.evidence(call);
    if (!isSame(row, evidence)) throw new Refused(refusal('closed', 'l.evidence_changed'));
    const { money } = evidence;
    if (money === undefined || isRetyped(money, fields['retyped'] ?? '')) return;
    const key = money.destination === undefined ? 'l.retype_amount' : 'l.retype_destination';
    throw new Refused(refusal('invalidField', key, { field: 'retyped', unit: money.asset }));
  }

  /**
   * The operation and the call of a proposal, as its proposer sent them. Refuses if the proposer may no longer propose
   * it.
   */
  private async proposed(row: rows.ProposalRow, approvedBy?: string) {
    const operation = this.operations.get(row.operation);
    const proposer = await this.parts.accounts.byName(row.operator);
    if (operation?.secondPerson === undefined || proposer === undefined || !permits(operation, proposer))
      throw new Refused(refusal('closed', 'l.proposal_over'));
    const call: OperatorCall = {
      parameters: JSON.parse(row.parameters) as Record<string, string>,
      fields: JSON.parse(row.fields) as Record<string, string>,
      operator: approvedBy === undefined ? proposer : { ...proposer, approvedBy },
    };
    return { operation, call };
  }

  /**
   * Runs a proposal on behalf of its proposer, or schedules it, once; if this fails, the proposal ends as failed. The
   * second of two concurrent approvals is refused.
   */
  async approve(id: string, approval: OperatorCall): Promise<unknown> {
    const { operation, parameters } = await this.open(id);
    // Approvals of the same operation and parameters run one after another, so that the second one sees the result of
    // the first.
    return this.approvalQueue.run(`${operation} ${parameters}`, () => this.approveQueued(id, approval));
  }

  private async approveQueued(id: string, approval: OperatorCall): Promise<unknown> {
    const { database } = this.parts;
    const approver = approval.operator;
    await this.requireApprovable(id, approval);
    const row = await this.open(id);
    const { operation, call } = await this.proposed(row, approver.name);
    const decision = { decided_by: approver.name, decided_at: BigInt(this.now) };
    if (
      !(await rows.changeProposalState(
        database.store,
        { id, from: 'open' },
        { state: 'running', ...decision },
      ))
    )
      throw new Refused(refusal('closed', 'l.proposal_over'));
    const finish = (state: 'done' | 'failed', result: string) =>
      rows.changeProposalState(database.store, { id, from: 'running' }, { state, result });
    let result: unknown;
    try {
      result = await this.runOrSchedule(operation, call, { approvedDigest: row.evidence_digest });
    } catch (cause) {
      await finish('failed', errorMessage(cause));
      throw cause;
    }
    // If storing the state `done` fails, the proposal stays `running`. It is not marked as failed, because
    // the operation has taken effect.
    await finish('done', textOf(result));
    return result;
  }

  /**
   * Ends an open proposal without running it: a rejection by another operator, or a withdrawal by the proposer. Refuses
   * a proposal that is unknown, decided or expired.
   */
  async reject(id: string, operator: Operator): Promise<void> {
    await this.open(id);
    const decision = { decided_by: operator.name, decided_at: BigInt(this.now) };
    const { store } = this.parts.database;
    if (!(await rows.changeProposalState(store, { id, from: 'open' }, { state: 'rejected', ...decision })))
      throw new Refused(refusal('closed', 'l.proposal_over'));
  }

  async list() {
    const { store, reader } = this.parts.database;
    await rows.expireProposals(store, this.now);
    return mapBounded(await rows.proposalRows(reader), (row) => ({
      id: row.id,
      operation: row.operation,
      state: row.state,
      operator: row.operator,
      reason: row.reason,
      parameters: row.parameters,
      fields: row.fields,
      createdAt: Number(row.created_at),
      expiresAt: Number(row.expires_at),
      decidedBy: row.decided_by,
      result: row.result,
      movesMoney: row.moves_money,
    }));
  }

  /** Records in the audit log an event that is not the call of an operation, such as a sign-in. */
  async recordEvent(event: string, operator: string): Promise<void> {
    const emptyCall = { parameters: {}, fields: {}, operator: { name: operator, roles: [] } };
    await this.record(event, 'session', emptyCall, '');
  }

  private async open(id: string): Promise<rows.ProposalRow> {
    const row = isUuid(id) ? await rows.proposalRow(this.parts.database.store, id) : undefined;
    if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (row.state !== 'open' || Number(row.expires_at) <= this.now)
      throw new Refused(refusal('closed', 'l.proposal_over'));
    return row;
  }

  /**
   * Confirms with a code a request about the operator's own session, such as opening a confirmation period; marks the
   * code as used. Wrong codes are recorded in the audit log.
   */
  async confirmSession(operator: string, code: string): Promise<void> {
    const emptyCall = { parameters: {}, fields: {}, operator: { name: operator, roles: [] } };
    await this.confirmNamed('session', emptyCall, code);
  }

  /**
   * Checks the authenticator code of a call and marks it as used; refuses a missing, wrong or used one. Wrong
   * codes are recorded in the audit log.
   */
  private confirm(operation: Operation, call: OperatorCall, code: string): Promise<Confirmed> {
    return this.confirmNamed(nameOf(operation), call, code);
  }

  private async confirmNamed(action: string, call: OperatorCall, code: string): Promise<Confirmed> {
    try {
      return await this.parts.confirmations.confirm(call.operator.name, code);
    } catch (cause) {
      const key = cause instanceof Refused ? cause.refusal.key : undefined;
      if (key === 'l.operator_code_wrong' || key === 'l.operator_codes_ended')
        await this.record('wrongCode', action, call, key);
      throw cause;
    }
  }

  private async propose(
    operation: Operation,
    call: OperatorCall,
    evidence: ApprovalEvidence,
  ): Promise<Performed> {
    const { database } = this.parts;
    const now = this.now;
    const row = await rows.insertProposal(database, {
      id: newId(systemRandom, now),
      operator: call.operator.name,
      operation: nameOf(operation),
      parameters: JSON.stringify(call.parameters),
      fields: JSON.stringify(call.fields),
      reason: call.fields['reason'] ?? '',
      state: 'open',
      created_at: BigInt(now),
      expires_at: BigInt(now + LIFETIMES.proposal),
      decided_by: null,
      decided_at: null,
      result: null,
      evidence_digest: evidenceDigest(evidence),
      moves_money: evidence.money !== undefined,
    });
    await this.record('proposed', nameOf(operation), call, row.id);
    return { state: 'proposed', id: row.id, expiresAt: Number(row.expires_at) };
  }

  /**
   * Runs a confirmed call. A call with a later start time is stored until then, with the digest of the facts on which
   * it was approved.
   */
  private async runOrSchedule(
    operation: Operation,
    call: OperatorCall,
    {
      confirmedBy = '',
      approvedDigest = null,
    }: { readonly confirmedBy?: string; readonly approvedDigest?: Buffer | null },
  ): Promise<unknown> {
    const startsAt = this.scheduled.startOf(operation, call);
    if (startsAt === undefined) return this.run(operation, call, confirmedBy);
    const stored = await this.scheduled.add(operation, call, { startsAt, evidenceDigest: approvedDigest });
    await this.record('scheduled', nameOf(operation), call, JSON.stringify(stored));
    return stored;
  }

  /**
   * Applies a scheduled call at its start time. First repeats the checks of its confirmation: for example of the
   * operator's roles and ceiling, and of the facts on which it was approved.
   */
  private async applyScheduled(row: ScheduledRow): Promise<unknown> {
    const operation = this.operations.get(row.operation);
    const operator = await this.parts.accounts.byName(row.operator);
    if (operation?.canStartLater !== true || operator === undefined || !permits(operation, operator))
      throw new Refused(refusal('closed', 'l.proposal_over'));
    const { [START_FIELD]: _, ...fields } = JSON.parse(row.fields) as Record<string, string>;
    const call: OperatorCall = {
      parameters: JSON.parse(row.parameters) as Record<string, string>,
      fields,
      operator: row.approved_by === null ? operator : { ...operator, approvedBy: row.approved_by },
    };
    const versionedCall = await ofVersion(operation, call);
    await operation.check?.(versionedCall);
    await requireCeiling(operation.secondPerson, versionedCall, operator);
    const evidence = await operation.secondPerson?.evidence(versionedCall);
    const isNeeded =
      operation.secondPerson !== undefined &&
      ((await operation.secondPerson.isNeeded?.(versionedCall)) ?? true);
    if (isNeeded && row.approved_by === null) throw new Refused(refusal('generic', 'l.second_person'));
    if (
      row.evidence_digest !== null &&
      evidence !== undefined &&
      !row.evidence_digest.equals(evidenceDigest(evidence))
    )
      throw new Refused(refusal('closed', 'l.evidence_changed'));
    return this.run(operation, versionedCall, 'at its scheduled time');
  }

  /**
   * Runs an operation. The audit log records its start before it has any effect, and then its result, refusal
   * or failure.
   */
  private async run(operation: Operation, call: OperatorCall, confirmedBy = ''): Promise<unknown> {
    const name = nameOf(operation);
    await this.record('begun', name, call, confirmedBy);
    try {
      const result = await operation.run(call);
      await this.record('done', name, call, textOf(result));
      return result;
    } catch (cause) {
      const isRefused = cause instanceof Refused;
      await this.record(isRefused ? 'refused' : 'failed', name, call, isRefused ? cause.refusal.key : '');
      throw cause;
    }
  }

  /**
   * Records in the audit log that an operator read an object, with the user to whom the object belongs, if there is
   * one. Repetitions within a minute are not recorded.
   */
  private async recordRead(operation: Operation, call: OperatorCall): Promise<void> {
    const { fields, operator, parameters } = call;
    const key = JSON.stringify([operator.name, nameOf(operation), parameters, fields]);
    const earlier = this.reads.get(key);
    if (earlier !== undefined && this.now - earlier < SAME_READ_MS) return;
    const owner = await operation.ownerOf?.(call);
    const recorded = owner === undefined ? parameters : { ...parameters, owner };
    await this.record('seen', nameOf(operation), { ...call, parameters: recorded }, '');
    this.reads.set(key, this.now);
  }

  private async record(
    event: string,
    action: string,
    { parameters, fields, operator }: OperatorCall,
    result: string,
  ): Promise<void> {
    const facts: AuditFacts = {
      at: this.now,
      operator: operator.name,
      action,
      event,
      approvedBy: operator.approvedBy,
      result,
      parameters: JSON.stringify(parameters),
      fields: JSON.stringify(fields, hideSecrets),
      reason: fields['reason'] ?? '',
    };
    await writeAudit(this.parts.database, facts);
  }

  private get now(): Instant {
    return instant(this.parts.clock.now());
  }
}

/**
 * Adds to a call the version that it refers to; returns the call unchanged if its object has no versions.
 * Throws `Refused` if the operator saw an outdated version.
 */
async function ofVersion({ versionOf }: Operation, call: OperatorCall): Promise<OperatorCall> {
  const currentVersion = await versionOf?.(call);
  if (currentVersion === undefined) return call;
  const version = call.fields['version'] ?? String(currentVersion);
  if (version === String(currentVersion)) return { ...call, fields: { ...call.fields, version } };
  throw new Refused(
    refusal('closed', 'l.version_changed', { limit: String(currentVersion), value: version }),
  );
}

/**
 * Refuses a call whose value in USDT exceeds the ceiling of the operator's roles, or cannot be computed
 * because a price is missing. Operations without a ceiling, and operators whose roles have none, are not
 * limited.
 */
async function requireCeiling(
  secondPerson: SecondPerson | undefined,
  call: OperatorCall,
  operator: Operator,
): Promise<void> {
  const check = await secondPerson?.ceiling?.(call, operator);
  if (check?.most === undefined) return;
  const { asset, value, most } = check;
  if (value !== undefined && !value.isMore(most)) return;
  const limit = most.toString();
  throw new Refused(
    value === undefined
      ? refusal('aboveMaximum', 'l.ceiling_unpriced', { limit, operator: operator.name, unit: asset })
      : refusal('aboveMaximum', 'l.above_ceiling', {
          limit,
          operator: operator.name,
          value: value.toString(),
        }),
  );
}

/**
 * True if the evidence equals that at the time of the proposal; compares digests. False for a proposal
 * without a stored digest.
 */
function isSame({ evidence_digest: digest }: rows.ProposalRow, evidence: ApprovalEvidence): boolean {
  return digest !== null && digest.equals(evidenceDigest(evidence));
}

/**
 * Text of an operation's result for the audit log: its JSON without secrets, cut off after `RESULT_MAX` characters. For
 * a picture or a file, only the words `a picture` or `a file`.
 */
function textOf(result: unknown): string {
  if (result instanceof OperatorPicture) return 'a picture';
  if (result instanceof OperatorFile) return 'a file';
  return (JSON.stringify(result, hideSecrets) ?? '').slice(0, RESULT_MAX);
}
