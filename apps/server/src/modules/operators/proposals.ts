import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { evidenceDigest, isRetyped, type ApprovalEvidence } from '../../platform/console/evidence.ts';
import { requireText } from '../../platform/console/field-values.ts';
import { nameOf, permits, type Performed } from '../../platform/console/gate.ts';
import {
  CODE_FIELD,
  OperatorFile,
  OperatorPicture,
  takesCode,
  type Operation,
  type Operator,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { OperatorAccounts } from './accounts.ts';
import { writeAudit } from './audit.ts';
import type { Confirmations, Confirmed } from './confirmations.ts';
import { LASTS, type AuditFacts } from './domain.ts';
import * as rows from './repository.ts';

const REASON_MAX = 500;
const RESULT_MAX = 2_000;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly accounts: OperatorAccounts;
  readonly confirmations: Confirmations;
}

/** Runs what operators ask, with a second person where it takes one, and writes all of it down. */
export class Proposals {
  private readonly parts: Parts;
  private readonly operations = new Map<string, Operation>();
  private readonly turns = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  use(operations: readonly Operation[]): void {
    for (const operation of operations) this.operations.set(nameOf(operation), operation);
  }

  /** `code` is the authenticator's; it is looked at behind what else could be wrong, and kept nowhere. */
  async perform(operation: Operation, call: OperatorCall, code: string): Promise<Performed> {
    if (operation.method === 'GET') {
      // Lists are looked at every few seconds; what is about one person or thing, searched or saved is written down.
      const isSearch = (call.fields['query'] ?? '') !== '' || operation.isFile === true;
      if (isSearch || Object.keys(call.parameters).length > 0)
        await this.record('seen', nameOf(operation), call, '');
      return { state: 'done', result: await operation.run(call) };
    }
    const { seen, evidence } = await this.prepare(operation, call);
    const confirmed = takesCode(operation) ? await this.confirm(operation, seen, code) : undefined;
    try {
      if (evidence !== undefined) return await this.propose(operation, seen, evidence);
      return { state: 'done', result: await this.run(operation, seen) };
    } catch (cause) {
      // What was refused has changed nothing, so its code may confirm what is sent in its place.
      if (cause instanceof Refused) await confirmed?.giveBack();
      throw cause;
    }
  }

  /**
   * Everything that `perform` looks at before it uses a code: a preview refuses what a confirmation would refuse. Gives
   * what is unusual about the call. Nothing is changed and nothing is written down.
   */
  async preview(operation: Operation, call: OperatorCall): Promise<{ warnings: readonly OperatorWarning[] }> {
    const { seen } = await this.prepare(operation, call);
    return { warnings: (await operation.warnings?.(seen)) ?? [] };
  }

  /** The call about the version that was seen, with its evidence where it takes a second person; refuses wrong ones. */
  private async prepare(operation: Operation, call: OperatorCall) {
    requireText('reason', call.fields['reason'] ?? '', REASON_MAX);
    const seen = await ofVersion(operation, call);
    await operation.check?.(seen);
    const { secondPerson } = operation;
    const isNeeded = secondPerson !== undefined && ((await secondPerson.isNeeded?.(seen)) ?? true);
    return { seen, evidence: isNeeded ? await secondPerson.evidence(seen) : undefined };
  }

  /** What an approver decides on, as it is now; `isChanged` where it is not what was proposed. */
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
   * Refuses an approval that could not run: by its proposer, of a proposal that is over, of something that has changed
   * since it was proposed, or of money where neither amount nor destination was typed again.
   */
  async requireApprovable(id: string, { operator, fields }: OperatorCall): Promise<void> {
    const row = await this.open(id);
    if (row.operator === operator.name) throw new Refused(refusal('generic', 'l.second_person'));
    const { operation, call } = await this.proposed(row, operator.name);
    // It waits on: rejecting it says that somebody has seen why it cannot be.
    await ofVersion(operation, call);
    const evidence = await operation.secondPerson!.evidence(call);
    if (!isSame(row, evidence)) throw new Refused(refusal('closed', 'l.evidence_changed'));
    const { money } = evidence;
    if (money === undefined || isRetyped(money, fields['retyped'] ?? '')) return;
    const key = money.destination === undefined ? 'l.retype_amount' : 'l.retype_destination';
    throw new Refused(refusal('invalidField', key, { field: 'retyped', unit: money.asset }));
  }

  /** What a proposal would do, as its proposer sent it. */
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

  /** Runs a proposal for its proposer, once: of two approvals at a time one finds it taken. */
  async approve(id: string, approval: OperatorCall): Promise<unknown> {
    const { operation, parameters } = await this.open(id);
    // Of two about the same thing the second sees what the first has published.
    return this.turns.run(`${operation} ${parameters}`, () => this.approveNow(id, approval));
  }

  private async approveNow(id: string, approval: OperatorCall): Promise<unknown> {
    const { database } = this.parts;
    const approver = approval.operator;
    await this.requireApprovable(id, approval);
    const { operation, call } = await this.proposed(await this.open(id), approver.name);
    const decided = { decided_by: approver.name, decided_at: BigInt(this.now) };
    if (!(await rows.moveProposal(database.store, { id, from: 'open' }, { state: 'running', ...decided })))
      throw new Refused(refusal('closed', 'l.proposal_over'));
    const finish = (state: 'done' | 'failed', result: string) =>
      rows.moveProposal(database.store, { id, from: 'running' }, { state, result });
    try {
      const result = await this.run(operation, call);
      await finish('done', textOf(result));
      return result;
    } catch (cause) {
      await finish('failed', String(cause));
      throw cause;
    }
  }

  /** Ends a proposal without running it; its proposer may take it back in the same way. */
  async reject(id: string, operator: Operator): Promise<void> {
    await this.open(id);
    const decided = { decided_by: operator.name, decided_at: BigInt(this.now) };
    const { store } = this.parts.database;
    if (!(await rows.moveProposal(store, { id, from: 'open' }, { state: 'rejected', ...decided })))
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
      form: this.operations.get(row.operation)?.fields ?? {},
      isPreviewed: this.operations.get(row.operation)?.preview !== undefined,
      isVersioned: this.operations.get(row.operation)?.versionOf !== undefined,
      movesMoney: row.moves_money,
    }));
  }

  /** Writes down what happened, apart from calls: signing in and out. */
  async note(event: string, operator: string): Promise<void> {
    const nothing = { parameters: {}, fields: {}, operator: { name: operator, roles: [] } };
    await this.record(event, 'session', nothing, '');
  }

  private async open(id: string): Promise<rows.ProposalRow> {
    const row = isUuid(id) ? await rows.proposalRow(this.parts.database.store, id) : undefined;
    if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (row.state !== 'open' || Number(row.expires_at) <= this.now)
      throw new Refused(refusal('closed', 'l.proposal_over'));
    return row;
  }

  /** Uses up the code of a call. Wrong ones stand in the log. */
  private async confirm(operation: Operation, call: OperatorCall, code: string): Promise<Confirmed> {
    try {
      return await this.parts.confirmations.confirm(call.operator.name, code);
    } catch (cause) {
      const key = cause instanceof Refused ? cause.refusal.key : undefined;
      if (key === 'l.operator_code_wrong' || key === 'l.operator_codes_ended')
        await this.record('wrongCode', nameOf(operation), call, key);
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
      expires_at: BigInt(now + LASTS.proposal),
      decided_by: null,
      decided_at: null,
      result: null,
      evidence_digest: evidenceDigest(evidence),
      moves_money: evidence.money !== undefined,
    });
    await this.record('proposed', nameOf(operation), call, row.id);
    return { state: 'proposed', id: row.id, expiresAt: Number(row.expires_at) };
  }

  /** Nothing is done before it stands in the log that it is going to be. */
  private async run(operation: Operation, call: OperatorCall): Promise<unknown> {
    const name = nameOf(operation);
    await this.record('begun', name, call, '');
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
      fields: JSON.stringify(fields, hide),
      reason: fields['reason'] ?? '',
    };
    await writeAudit(this.parts.database, facts);
  }

  private get now(): Instant {
    return instant(this.parts.clock.now());
  }
}

/** A call with the version that it is about; refused where its operator saw another one than is published now. */
async function ofVersion({ versionOf }: Operation, call: OperatorCall): Promise<OperatorCall> {
  const present = await versionOf?.(call);
  if (present === undefined) return call;
  const version = call.fields['version'] ?? String(present);
  if (version === String(present)) return { ...call, fields: { ...call.fields, version } };
  throw new Refused(refusal('closed', 'l.version_changed', { limit: String(present), value: version }));
}

/** Whether evidence is what a proposal was made on. */
function isSame({ evidence_digest: digest }: rows.ProposalRow, evidence: ApprovalEvidence): boolean {
  return digest !== null && digest.equals(evidenceDigest(evidence));
}

const SECRETS = new Set(['recoveryCodes', 'password', CODE_FIELD]);

/** Codes and passwords are not kept. */
function hide(key: string, value: unknown): unknown {
  return SECRETS.has(key) ? 'hidden' : value;
}

/** What came out, as it is kept: codes that let somebody in are not. */
function textOf(result: unknown): string {
  if (result instanceof OperatorPicture) return 'a picture';
  if (result instanceof OperatorFile) return 'a file';
  return (JSON.stringify(result, hide) ?? '').slice(0, RESULT_MAX);
}
