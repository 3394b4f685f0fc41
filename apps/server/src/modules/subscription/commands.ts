import { ceilingProblem } from '@exchange/core/ceilings.ts';
import {
  onlyVersion,
  anyVersion,
  termsVersionProblem,
  type AcceptsVersion,
} from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { commitProblem, costOf, reduceProblem, releasedIn, releasedOf } from '@exchange/core/subscription.ts';
import type { Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import type { Reader } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/console/field-values.ts';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { OUTSIDE_COINS } from '../assets/index.ts';
import { houseAddress, ISSUE, userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import {
  AGREEMENT_VERSION,
  changeProblem,
  hasTerms,
  isMissed,
  tokenProblem,
  termsProblem,
  type Commitment,
  type Project,
  type ProjectTerms,
} from './domain.ts';
import { subscriptionChanged } from './feed.ts';
import {
  cancelProject,
  commitmentIn,
  commitmentsByIds,
  everyProject,
  findProject,
  saveAgreement,
  saveAllocated,
  saveAnnounced,
  saveClaimed,
  saveCommitment,
  saveProject,
  saveSettled,
  saveStage,
  unsettled,
} from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const terms = z.object({
  code: z.string(),
  symbol: z.string(),
  name: textByLocale,
  about: textByLocale,
  tokenomics: textByLocale,
  whitepaper: textByLocale,
  totalSupply: decimal,
  issueAmount: decimal,
  ratio: decimal,
  hardCapUser: decimal,
  tokenDigits: z.int(),
  quote: z.string(),
  quoteDigits: z.int(),
  minAmount: decimal,
  maxAmount: decimal,
  softCap: z.optional(decimal),
  startAt: instantField,
  endAt: instantField,
  listAt: instantField,
  lockDays: z.int(),
  linearDays: z.int(),
  agreementVersion: z.string(),
});
/**
 * The version of the rules by which commands decide, stored in each command's input. Inputs older than the last change
 * of the rules have no version, and a replay decides them by the old rules.
 */
export const RULES = 2;
const rules = z.optional(z.literal(RULES));
const publishInput = z.object({
  terms,
  by: z.string(),
  reason: z.string(),
  /**
   * Whether the ceilings on a sale's terms apply to this publication; absent in journal steps that are older than the
   * ceilings.
   */
  underCeilings: z.optional(z.literal(true)),
  /**
   * Maximum number of token sale projects, including a new one; absent in journal steps older than this
   * limit.
   */
  most: z.optional(z.int()),
  rules,
});
const changeInput = z.object({
  owner,
  project: id,
  amount: decimal,
  agreed: z.optional(z.string()),
  /**
   * The version of the token sale project's terms that the user saw; without it, the terms are not compared.
   */
  version: z.optional(z.int()),
  /** For a demo commitment, the earlier time at which it counts as made; undefined for commitments of users. */
  since: z.optional(instantField),
});
const announceInput = z.object({ project: id, hash: z.string() });
const allocateInput = z.object({ project: id, hash: z.string(), sold: decimal });
const settleInput = z.object({
  project: id,
  lines: z.array(z.object({ id, owner, allocated: decimal })),
});
const claimInput = z.object({
  owner,
  id,
  rules,
});
const projectInput = z.object({ project: id });

const RAISED = houseAddress('raised');
const TOKENS = houseAddress('tokens');
export const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const frozenOf = (user: UserId) => userAddress(user, 'subscription', 'frozen');
const lockedOf = (user: UserId) => userAddress(user, 'subscription', 'locked');

/**
 * Checks of commands. A replay skips them, because the recorded commands have passed the checks of their time, and some
 * checks were added later.
 */
interface Checks {
  readonly accepts: AcceptsVersion;
  /**
   * Whether new terms of a cancelled token sale and commitments to it are refused, and commands that would
   * issue, settle or pay out tokens whose symbol belongs to another coin.
   */
  readonly refusesForeign: boolean;
}

const CHECKS: Checks = { accepts: onlyVersion(AGREEMENT_VERSION), refusesForeign: true };
const REPLAYED: Checks = { accepts: anyVersion, refusesForeign: false };

/** The sequencer commands of token sales. */
export function subscriptionCommands(ledger: Ledger, checks: Checks = CHECKS) {
  return {
    ...projectCommands(ledger, checks),
    ...commitmentCommands(ledger, checks),
    ...settlementCommands(ledger, checks),
    ...claimCommands(ledger, checks),
  };
}

/**
 * Whether a token's symbol belongs to a coin from outside the exchange, or whether an amount of the asset exists that
 * no token issue has created.
 */
export function isOutsideAsset(ledger: Pick<Ledger, 'isIssuedOnly'>, symbol: string): boolean {
  return OUTSIDE_COINS.has(symbol) || !ledger.isIssuedOnly(symbol);
}

/**
 * The refusal of a token sale project whose token symbol is taken: by a coin that the ledger knows, a coin
 * from outside the exchange, the quote coin, or the token of another project. Undefined if the project can
 * issue the token.
 */
export async function symbolProblem(
  reader: Reader,
  ledger: Pick<Ledger, 'isKnown'>,
  terms: Pick<ProjectTerms, 'code' | 'symbol' | 'quote'>,
): Promise<Refusal | undefined> {
  const { code, symbol, quote } = terms;
  const existing = await findProject(reader, { symbol });
  const isTaken = OUTSIDE_COINS.has(symbol) || symbol === quote || ledger.isKnown(symbol);
  return isTaken || (existing !== undefined && existing.code !== code) ? tokenProblem(symbol) : undefined;
}

export type SubscriptionCommands = ReturnType<typeof subscriptionCommands>;

function projectCommands(ledger: Ledger, { refusesForeign }: Checks) {
  return {
    /**
     * Publishes a token sale project or, before its sale begins, the next version of its terms. Does nothing
     * if the terms equal the published ones. Refuses invalid terms, a change after the sale has begun, more
     * projects than `most`, a token symbol that is taken (see `symbolProblem`), and a cancelled project.
     */
    publish: sqlCommand({
      name: 'subscription.publish',
      input: publishInput,
      run: (step, input) => publishProject(step, ledger, input, refusesForeign),
    }),

    /**
     * Cancels a token sale, until the hash of its commitments is announced; later only if its tokens cannot
     * be allocated. All commitments are then refunded in full. Refuses an unknown sale, and one that cannot
     * be cancelled any more.
     */
    cancel: sqlCommand({
      name: 'subscription.cancel',
      input: projectInput,
      run: async (step, { project: projectId }) => {
        const project = await requireProject(step, projectId);
        // A project whose token symbol belongs to another coin cannot allocate tokens, so it may be cancelled even
        // after the hash of its commitments was announced.
        const isStuck = project.stage === 'announced' && isOutsideAsset(ledger, project.symbol);
        if (project.stage !== 'committing' && !isStuck)
          throw new Refused(refusal('closed', 'l.subscribe_ended', { limit: String(project.endAt) }));
        await cancelProject(step.sql, projectId, step.now);
        return { id: projectId };
      },
    }),

    /**
     * Returns whether a token sale is over and the hash of its commitments is not announced yet; changes
     * nothing. As commands are executed in order, all commitments made in time are stored once this command
     * is committed, and none can follow. Refuses an unknown sale.
     */
    close: sqlCommand({
      name: 'subscription.close',
      input: projectInput,
      run: async (step, { project: projectId }) => {
        const { stage, endAt } = await requireProject(step, projectId);
        return { isOver: stage === 'committing' && step.now >= endAt };
      },
    }),

    /**
     * Stores the hash of the file of all commitments to a token sale, so that it is public before tokens are
     * allocated. Does nothing before the end of the sale, and if the hash was announced or the sale was
     * cancelled before. Refuses an unknown sale.
     */
    announce: sqlCommand({
      name: 'subscription.announce',
      input: announceInput,
      run: async (step, { project: projectId, hash }) => {
        const project = await requireProject(step, projectId);
        const isDue = project.stage === 'committing' && step.now >= project.endAt;
        if (isDue) await saveAnnounced(step.sql, projectId, hash, step.now);
        return { done: isDue ? 1 : 0 };
      },
    }),

    /**
     * Stores the result of a token sale's allocation, which was computed from the commitments of the announced file,
     * and issues the sold tokens. Does nothing unless the sale is announced and not allocated yet. Refuses to issue a
     * token whose symbol belongs to a coin that exists already.
     */
    allocate: sqlCommand({
      name: 'subscription.allocate',
      input: allocateInput,
      run: async (step, { project: projectId, hash, sold }) => {
        const project = await requireProject(step, projectId);
        if (project.stage !== 'announced') return { done: 0 };
        if (refusesForeign && sold.isPositive()) requireNewAsset(ledger, project);
        if (sold.isMore(project.issueAmount) || (isMissed(project) && sold.isPositive()))
          throw new Error(`${project.code}: more is allocated than can be sold`);
        const source = worldAddress(project.symbol, ISSUE);
        if (sold.isPositive())
          ledger.post(step, 'subscription.issued', projectId, [
            { source, destination: TOKENS, asset: project.symbol, amount: sold },
          ]);
        await saveAllocated(step.sql, projectId, { hash, sold }, step.now);
        return { done: 1 };
      },
    }),
  };
}

function requireNewAsset(ledger: Ledger, { symbol }: Project): void {
  if (isOutsideAsset(ledger, symbol) || ledger.isKnown(symbol)) throw new Refused(tokenProblem(symbol));
}

async function publishProject(
  step: SqlStep,
  ledger: Ledger,
  input: z.infer<typeof publishInput>,
  refusesForeign: boolean,
) {
  const { by, reason } = input;
  const proposed = input.terms as ProjectTerms;
  const { code } = proposed;
  const ceilingRefusal = input.underCeilings === true ? ceilingProblem('subscription', proposed) : undefined;
  const problem = ceilingRefusal ?? termsProblem(proposed);
  if (problem !== undefined) throw new Refused(problem);
  const published = await findProject(step.sql, { code });
  if (input.rules !== undefined && published !== undefined && hasTerms(published, proposed))
    return { id: published.id, code, version: published.version };
  const changeRefusal = refusesForeign
    ? (changeProblem(published, proposed, step.now) ?? (await symbolProblem(step.sql, ledger, proposed)))
    : changeProblem(published && { ...published, isCancelled: false }, proposed, step.now);
  if (changeRefusal !== undefined) throw new Refused(changeRefusal);
  if (published === undefined && input.most !== undefined)
    requireRoom((await everyProject(step.sql)).length, input.most);
  const project = {
    id: published?.id ?? step.newId(),
    version: (published?.version ?? 0) + 1,
    terms: proposed,
  };
  await saveProject(step.sql, project, { by, reason, now: step.now });
  return { id: project.id, code, version: project.version };
}

function commitmentCommands(ledger: Ledger, { accepts, refusesForeign }: Checks) {
  return {
    /**
     * Commits an amount to a token sale, or raises an existing commitment by the amount. Refuses a sale that
     * is not open or was cancelled, another version of the terms than the one that the user saw, an agreement
     * that is not accepted, an amount outside the limits of the sale, and an amount above the available spot
     * balance of the quote coin. Stores which version of the agreement the user has accepted.
     */
    commit: sqlCommand({
      name: 'subscription.commit',
      input: changeInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, project: projectId, amount, agreed, version, since }) => {
        const project = await requireOpen(step, projectId, since ?? step.now);
        const versionRefusal = termsVersionProblem(version, project.version);
        if (versionRefusal !== undefined) throw new Refused(versionRefusal);
        if (refusesForeign && project.isCancelled) throw new Refused(endedProblem(project, step.now));
        if (agreed === undefined || !accepts(agreed))
          throw new Refused(
            refusal('invalidField', 'l.finance_agreement', {
              field: 'agreementVersion',
              limit: AGREEMENT_VERSION,
              value: agreed ?? '0',
            }),
          );
        const existing = await commitmentIn(step.sql, project.id, owner);
        const committedBefore = existing?.amount ?? Decimal.zero;
        const available = ledger.balance(spotOf(owner), project.quote);
        const problem = commitProblem(project, amount, { mine: committedBefore, available });
        if (problem !== undefined) throw new Refused(problem);
        ledger.post(step, 'subscription.committed', project.id, [
          { source: spotOf(owner), destination: frozenOf(owner), asset: project.quote, amount },
        ]);
        const next = {
          id: existing?.id ?? step.newId(),
          salt: existing?.salt ?? step.newId(),
          project: project.id,
          owner,
          amount: committedBefore.plus(amount),
        };
        await saveCommitment(step.sql, next, committedBefore);
        await saveAgreement(step.sql, owner, agreed, step.now);
        publishChange(step, owner, project.id);
        return { committed: project.committed.plus(amount).toString(), mine: next.amount.toString() };
      },
    }),

    /**
     * Reduces a commitment to a token sale by an amount while the sale is open. Refuses a sale that is not
     * open, a user without a commitment, and an amount that is not positive, exceeds the commitment, or would
     * leave a rest above zero but below the minimum.
     */
    reduce: sqlCommand({
      name: 'subscription.reduce',
      input: changeInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, project: projectId, amount }) => {
        const project = await requireOpen(step, projectId, step.now);
        const existing = await commitmentIn(step.sql, project.id, owner);
        const committedBefore = existing?.amount ?? Decimal.zero;
        const problem = reduceProblem(project, amount, committedBefore);
        if (problem !== undefined || existing === undefined)
          throw new Refused(problem ?? refusal('generic', 'l.not_found'));
        ledger.post(step, 'subscription.lowered', project.id, [
          { source: frozenOf(owner), destination: spotOf(owner), asset: project.quote, amount },
        ]);
        await saveCommitment(
          step.sql,
          { ...existing, amount: committedBefore.minus(amount) },
          committedBefore,
        );
        publishChange(step, owner, project.id);
        return {
          committed: project.committed.minus(amount).toString(),
          mine: committedBefore.minus(amount).toString(),
        };
      },
    }),
  };
}

function claimCommands(ledger: Ledger, { refusesForeign }: Checks) {
  return {
    /**
     * Moves those of a participant's tokens that the vesting schedule has released so far and that are not
     * claimed yet to the participant's spot account, rounded down to the token's digits. Returns the moved
     * amount as `released`, 0 if there is none. Refuses an unknown commitment or one of another user, and a
     * token whose symbol belongs to another coin, so that real coins are never paid out for tokens.
     */
    claim: sqlCommand({
      name: 'subscription.claim',
      input: claimInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, id, rules }) => {
        const [commitment] = await commitmentsByIds(step.sql, [id]);
        if (commitment === undefined || commitment.owner !== owner)
          throw new Refused(refusal('generic', 'l.not_found'));
        const project = await requireProject(step, commitment.project);
        if (refusesForeign && isOutsideAsset(ledger, project.symbol))
          throw new Refused(refusal('closed', 'l.subscribe_foreign', { unit: project.symbol }));
        const released =
          rules === undefined
            ? releasedOf(commitment.allocated, project, step.now)
            : releasedIn(project.tokenDigits, commitment.allocated, project, step.now);
        const amount = released.minus(commitment.claimed);
        if (amount.isPositive()) {
          ledger.post(step, 'subscription.claimed', id, [
            { source: lockedOf(owner), destination: spotOf(owner), asset: project.symbol, amount },
          ]);
          await saveClaimed(step.sql, id, released);
          publishChange(step, owner, project.id);
        }
        return { released: amount.isPositive() ? amount.toString() : '0' };
      },
    }),
  };
}

function settlementCommands(ledger: Ledger, { refusesForeign }: Checks) {
  return {
    /**
     * Settles participants of a token sale: charges the cost, refunds the rest, allocates the tokens and
     * enqueues an inbox message to each. Skips settled participants, and skips all while the quote coin is
     * halted or if the sale is not in settlement. Refuses a token whose symbol belongs to another coin,
     * unless nothing is allocated.
     */
    settle: sqlCommand({
      name: 'subscription.settle',
      input: settleInput,
      prepare: ({ lines }) => ledger.prepareAll(lines.map((line) => line.owner)),
      run: async (step, { project: projectId, lines }) => {
        const project = await requireProject(step, projectId);
        if (project.stage !== 'settling') return { done: 0 };
        if (refusesForeign && !isMissed(project) && isOutsideAsset(ledger, project.symbol))
          throw new Refused(tokenProblem(project.symbol));
        const allocations = new Map(lines.map((line) => [line.id, line.allocated]));
        const stored = await commitmentsByIds(step.sql, [...allocations.keys()]);
        const due = ledger.isHalted(project.quote)
          ? []
          : stored.filter(
              (commitment) => commitment.project === projectId && commitment.settledAt === undefined,
            );
        const settled = due.map((commitment) => {
          const allocated = allocations.get(commitment.id)!;
          return { ...commitment, allocated, cost: costOf(allocated, project.ratio), notice: step.newId() };
        });
        for (const commitment of settled) postSettlement(step, ledger, project, commitment);
        if (settled.length > 0) await saveSettled(step.sql, projectId, settled, step.now);
        for (const { owner } of settled) publishChange(step, owner, projectId);
        return { done: settled.length };
      },
    }),

    /**
     * Marks a sale in settlement as settled, or as refunded if it allocates nothing; does nothing while a
     * participant is not settled. Refuses an unknown sale.
     */
    finish: sqlCommand({
      name: 'subscription.finish',
      input: projectInput,
      run: async (step, { project: projectId }) => {
        const project = await requireProject(step, projectId);
        const [unsettledCommitment] = await unsettled(step.sql, projectId, NO_ID, 1);
        const isDone = project.stage === 'settling' && unsettledCommitment === undefined;
        if (isDone) await saveStage(step.sql, projectId, isMissed(project) ? 'refunded' : 'settled');
        return { done: isDone ? 1 : 0 };
      },
    }),
  };
}

export const NO_ID = '00000000-0000-0000-0000-000000000000';

function postSettlement(step: SqlStep, ledger: Ledger, project: Project, commitment: Commitment): void {
  const { quote, symbol } = project;
  const { id, owner, amount: committed, cost, allocated } = commitment;
  const postings = [
    { source: frozenOf(owner), destination: RAISED, asset: quote, amount: cost },
    { source: frozenOf(owner), destination: spotOf(owner), asset: quote, amount: committed.minus(cost) },
    { source: TOKENS, destination: lockedOf(owner), asset: symbol, amount: allocated },
  ];
  ledger.post(
    step,
    'subscription.settled',
    id,
    postings.filter(({ amount }) => amount.isPositive()),
  );
}

async function requireProject(step: SqlStep, id: string): Promise<Project> {
  const project = await findProject(step.sql, { id });
  if (project === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return project;
}

/** Returns a token sale project whose sale is open at `now`; refuses otherwise. */
async function requireOpen(step: SqlStep, id: string, now: Instant): Promise<Project> {
  const project = await requireProject(step, id);
  const { startAt, endAt } = project;
  if (now < startAt)
    throw new Refused(refusal('closed', 'l.subscribe_soon', { limit: String(startAt), value: String(now) }));
  if (now >= endAt || project.stage !== 'committing') throw new Refused(endedProblem(project, now));
  return project;
}

function endedProblem({ endAt }: Project, now: Instant): Refusal {
  return refusal('closed', 'l.subscribe_ended', { limit: String(endAt), value: String(now) });
}

function publishChange(step: SqlStep, owner: UserId, projectId: string): void {
  step.publish(subscriptionChanged, { owner, projectId });
}

/** The commands of token sales, and the queries of the tables that a replay compares with the original. */
export function subscriptionReplay({ ledger }: { readonly ledger: Ledger }) {
  return { commands: Object.values(subscriptionCommands(ledger, REPLAYED)), state: STATE };
}

const STATE = {
  projects: 'select p::text as row, p.id as turn from subscription_project p',
  projectVersions:
    'select v::text as row, (v.project, v.version) as turn from subscription_project_version v',
  commitments: 'select c::text as row, c.id as turn from subscription_commitment c',
  subscriptionAgreements: 'select a::text as row, (a.owner, a.version) as turn from subscription_agreement a',
};
