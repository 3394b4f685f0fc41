import { ceilingProblem } from '@exchange/core/ceilings.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  cliffOf,
  leastAllocation,
  projectStatus,
  releasedAt,
  releasedIn,
  type ProjectStatus,
} from '@exchange/core/subscription.ts';
import type { Instant } from '@exchange/core/time.ts';
import { requireRoom, requireText } from '../../platform/console/field-values.ts';
import { exampleAmount } from '../../platform/console/preview.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import {
  type AskedPage,
  type ListPage,
  mapPage,
  rowsOfPage,
  COUNT_ONLY,
} from '../../platform/database/paged-rows.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { RULES, symbolProblem, type SubscriptionCommands } from './commands.ts';
import {
  AGREEMENT_VERSION,
  changeProblem,
  termsProblem,
  type Commitment,
  type FileKind,
  type Project,
  type ProjectTerms,
} from './domain.ts';
import { lineOf } from './jobs.ts';
import {
  commitmentIn,
  commitmentsByIds,
  commitmentsOf,
  everyProject,
  filePartsOf,
  findProject,
  hashOf,
  projectVersions,
} from './repository.ts';

interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface SubscriptionParts {
  readonly assets: Pick<Assets, 'findCoin' | 'logo' | 'requireCoin'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly accountStatuses: AccountStatuses;
  readonly commands: SubscriptionCommands;
  readonly ledger: Pick<Ledger, 'isKnown'>;
  readonly log: Log;
  /**
   * Executes the due work of the token sale `code` now, e.g. the refunds after its cancellation, even if an
   * earlier attempt failed and the next one is not due.
   */
  readonly advance: (code: string) => Promise<void>;
}

/** A token sale together with its current status and its token's logo. */
export interface ProjectView {
  readonly project: Project;
  readonly status: ProjectStatus;
  readonly logo: string;
}

/**
 * A user's commitment with its token sale; `unlocked` is the number of its tokens that the vesting schedule
 * has released so far, claimed ones included. `lockUntil` is the end of the lock, from which on tokens are
 * released, `unlockedAt` the instant at which all are released, and `line` the user's pseudonym in the public
 * files.
 */
export interface ParticipationView extends ProjectView {
  readonly commitment: Commitment;
  readonly unlocked: Decimal;
  readonly lockUntil: Instant;
  readonly unlockedAt: Instant;
  readonly line: string;
}

/**
 * The result of a command that changed a user's commitment: the new sum of all users' commitments to the sale, and the
 * user's own new total commitment, both in the quote coin.
 */
interface CommitmentOutcome {
  readonly committed: string;
  readonly mine: string;
}

/**
 * The answer to a user who changed a commitment to a token sale: the sum of all commitments and the user's
 * own commitment, in the quote coin. `estimate` is the number of tokens that the user gets at least if nobody
 * changes a commitment any more.
 */
interface CommitmentAnswer {
  readonly committed: string;
  readonly myCommitted: string;
  readonly estimate: string;
}

/** The initial state of a new token sale. */
const NEW: Omit<Project, keyof ProjectTerms | 'id' | 'version'> = {
  committed: Decimal.zero,
  participants: 0,
  stage: 'committing',
  isCancelled: false,
  commitmentHash: undefined,
  announcedAt: undefined,
  resultHash: undefined,
  allocatedAt: undefined,
  sold: undefined,
  handedOut: Decimal.zero,
};
const BY_MAX = 100;
const REASON_MAX = 500;
/**
 * Maximum number of token sales, because lists read and sort all of them. A new project beyond the limit is refused.
 */
const PROJECTS_MAX = 1_000;
/**
 * Rank of a token sale in lists, by status: running sales first, then upcoming ones (`warming`), ended ones
 * (`open`), and finished ones (`closed`: cancelled, refunded, or all tokens are released).
 */
const SALE_ORDER: Readonly<Record<ProjectStatus, number>> = {
  participating: 0,
  warming: 1,
  open: 2,
  closed: 3,
};

/** The use cases of token sales. */
export class Subscription {
  private readonly parts: SubscriptionParts;

  constructor(parts: SubscriptionParts) {
    this.parts = parts;
  }

  /** Returns the codes and English names of all published token sale projects. */
  async onSale() {
    const projects = await this.projects();
    return projects.map(({ project: { code, name } }) => ({ code, name: name['en-US'] }));
  }

  /** Returns all token sales, sorted by status and then by start, the latest first. */
  async projects(): Promise<ProjectView[]> {
    const projects = (await everyProject(this.parts.database.reader)).map((project) => this.saleOf(project));
    return projects.toSorted((left, right) => SALE_ORDER[left.status] - SALE_ORDER[right.status]);
  }

  /**
   * Returns a token sale with the user's commitment in the quote coin (0 without one) and the number of
   * tokens that the user gets at least if nobody changes a commitment any more. Refuses an unknown sale.
   */
  async detail(
    id: string,
    user: UserId | undefined,
  ): Promise<ProjectView & { mine: Decimal; estimate: Decimal }> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { id });
    if (project === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const commitment = user === undefined ? undefined : await commitmentIn(reader, id, user);
    const mine = commitment?.amount ?? Decimal.zero;
    return { ...this.saleOf(project), mine, estimate: leastAllocation(mine, project.committed, project) };
  }

  /**
   * Commits an amount in the quote coin for a user, or raises the user's commitment by it. Refuses users who
   * may not buy, a `version` that is not that of the published terms, and whatever the command refuses.
   * Without `version`, the terms are not compared.
   */
  async commit(
    owner: UserId,
    request: {
      readonly project: string;
      readonly amount: Decimal;
      readonly agreed: string | undefined;
      readonly version?: number | undefined;
    },
    submission?: Submission,
  ) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    const answer = await this.commitmentAnswer(request.project);
    return sequencer.execute(commands.commit, { owner, ...request }, { actor: owner, submission, answer });
  }

  async reduce(
    owner: UserId,
    request: { readonly project: string; readonly amount: Decimal },
    submission?: Submission,
  ) {
    const { sequencer, commands } = this.parts;
    const answer = await this.commitmentAnswer(request.project);
    return sequencer.execute(commands.reduce, { owner, ...request }, { actor: owner, submission, answer });
  }

  /**
   * Moves those tokens of a user's commitment `id` that the vesting schedule has released so far and that are
   * not claimed yet to the user's spot account. Refuses a token whose symbol belongs to another coin, and
   * logs that as an error.
   */
  async claim(owner: UserId, id: string, submission?: Submission) {
    const { sequencer, commands, log } = this.parts;
    const input = {
      owner,
      id,
      rules: RULES,
    } as const;
    return sequencer.execute(commands.claim, input, { actor: owner, submission }).catch((cause: unknown) => {
      if (cause instanceof Refused && cause.refusal.key === 'l.subscribe_foreign')
        log.error('subscription.foreign_token', { commitment: id, symbol: cause.refusal.parameters['unit'] });
      throw cause;
    });
  }

  /**
   * Returns the number of a user's commitments (those reduced to zero included) to token sales that are open
   * for participation now, with a label for operators.
   */
  async openCounts(owner: UserId) {
    const { total } = await this.records(owner, 'participating', COUNT_ONLY);
    return [{ product: 'Commitments to projects on sale', open: total }];
  }

  /**
   * Returns a user's commitments, newest first; with `status` only those to token sales that have this status
   * now.
   */
  async records(
    owner: UserId,
    status: ProjectStatus | undefined,
    page: AskedPage,
  ): Promise<ListPage<ParticipationView>> {
    const { reader } = this.parts.database;
    const shown = (await this.projects()).filter((sale) => status === undefined || sale.status === status);
    const projects = new Map(shown.map((sale) => [sale.project.id, sale]));
    const commitments = await commitmentsOf(reader, owner, [...projects.keys()], rowsOfPage(page));
    return mapPage(commitments, (commitment) => this.partOf(commitment, projects.get(commitment.project)!));
  }

  /**
   * Returns a commitment of the user. Refuses with `l.not_found` when it is unknown or belongs to another
   * user.
   */
  async record(owner: UserId, id: string): Promise<ParticipationView> {
    const { reader } = this.parts.database;
    const [commitment] = await commitmentsByIds(reader, [id]);
    if (commitment?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const project = await findProject(reader, { id: commitment.project });
    return this.partOf(commitment, this.saleOf(project!));
  }

  /**
   * Returns a public file of the token sale with this id: the file's SHA-256 in hexadecimal, and its text in
   * parts that are read on demand. Refuses with `l.not_found` if the file was not written yet.
   */
  async file(
    id: string,
    kind: FileKind,
  ): Promise<{ readonly sha256: string; readonly parts: AsyncGenerator<string, void> }> {
    const { reader } = this.parts.database;
    const sha256 = await hashOf(reader, id, kind);
    if (sha256 === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { sha256, parts: filePartsOf(reader, id, kind) };
  }

  /** Returns the published versions of a token sale project's terms with author and reason, newest first. */
  versions(code: string, range: VersionsBelow) {
    return projectVersions(this.parts.database.reader, code, range);
  }

  /**
   * Returns the detail view that a token sale would have after the publication of proposed terms, with an
   * example commitment (`mine`) and its allocation if it is the only one. Refuses terms that cannot be
   * published.
   */
  async previewTerms(
    proposedTerms: ProjectTerms,
  ): Promise<ProjectView & { readonly mine: Decimal; readonly estimate: Decimal }> {
    const { assets, database, clock, ledger } = this.parts;
    const { digits: quoteDigits } = assets.requireCoin(proposedTerms.quote, 'quote');
    const terms = { ...proposedTerms, quoteDigits };
    const published = await findProject(database.reader, { code: terms.code });
    if (published === undefined) requireRoom((await everyProject(database.reader)).length, PROJECTS_MAX);
    const problem =
      ceilingProblem('subscription', terms) ??
      termsProblem(terms) ??
      changeProblem(published, terms, clock.now()) ??
      (await symbolProblem(database.reader, ledger, terms));
    if (problem !== undefined) throw new Refused(problem);
    const next = { ...(published ?? NEW), ...terms, id: published?.id ?? terms.code };
    const project = { ...next, version: (published?.version ?? 0) + 1 };
    const mine = exampleAmount(terms.minAmount, terms.maxAmount);
    return { ...this.saleOf(project), mine, estimate: leastAllocation(mine, mine, project) };
  }

  /**
   * Publishes a token sale project or the next version of its terms; author and reason are stored. Refuses an
   * unknown quote coin, an author or reason that is empty or longer than `BY_MAX` or `REASON_MAX` characters,
   * and whatever the command refuses.
   */
  async publish(terms: ProjectTerms, { by, reason }: { readonly by: string; readonly reason: string }) {
    const { assets, sequencer, commands } = this.parts;
    const { digits: quoteDigits } = assets.requireCoin(terms.quote, 'quote');
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    return sequencer.execute(commands.publish, {
      terms: { ...terms, quoteDigits },
      by,
      reason,
      underCeilings: true,
      most: PROJECTS_MAX,
      rules: RULES,
    });
  }

  /**
   * Cancels a token sale and starts the refund of all commitments. Refuses an unknown sale, and whatever the command
   * refuses.
   */
  async cancel(code: string) {
    const project = await findProject(this.parts.database.reader, { code });
    if (project === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const cancelled = await this.parts.sequencer.execute(this.parts.commands.cancel, { project: project.id });
    await this.parts.advance(code);
    return cancelled;
  }

  /**
   * Makes a commitment of a demo user that counts as made at the earlier time `since`. Does nothing if the
   * user already has a commitment to the project, the sale does not exist, the hash of its commitments was
   * announced, or the commitment is refused.
   */
  async commitForDemo(owner: UserId, code: string, amount: Decimal, since: Instant): Promise<void> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { code });
    if (project === undefined || (await commitmentIn(reader, project.id, owner)) !== undefined) return;
    if (project.stage !== 'committing') return;
    const input = { owner, project: project.id, amount, agreed: AGREEMENT_VERSION, since };
    await this.parts.sequencer.execute(this.parts.commands.commit, input).catch((cause: unknown) => {
      if (!(cause instanceof Refused)) throw cause;
    });
  }

  /**
   * Claims those of a demo user's tokens that the vesting schedule has released so far; does nothing without a settled
   * commitment.
   */
  async claimForDemo(owner: UserId, code: string): Promise<void> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { code });
    if (project?.stage !== 'settled') return;
    const commitment = await commitmentIn(reader, project.id, owner);
    if (commitment !== undefined) await this.claim(owner, commitment.id);
  }

  /**
   * Returns the answer to a commitment or a reduction, restored from the stored answer to its first
   * submission. Stored answers of older versions lack the estimate, so it is computed now.
   */
  async restoreCommitment(stored: string, id: string): Promise<CommitmentAnswer> {
    const answer = JSON.parse(stored) as CommitmentAnswer | CommitmentOutcome;
    return 'estimate' in answer ? answer : (await this.commitmentAnswer(id))(answer);
  }

  /**
   * Returns a function that builds the answer to a user from the outcome of the command that changed the commitment.
   * The project is read before the command is executed; this is safe because its terms are fixed from the start of the
   * sale.
   */
  private async commitmentAnswer(id: string): Promise<(outcome: CommitmentOutcome) => CommitmentAnswer> {
    const project = await findProject(this.parts.database.reader, { id });
    return ({ committed, mine }) => {
      // The command has refused an unknown project before this function is called, so the project exists.
      const estimate = leastAllocation(Decimal.parse(mine), Decimal.parse(committed), project!);
      return { committed, myCommitted: mine, estimate: estimate.toString() };
    };
  }

  private partOf(commitment: Commitment, sale: ProjectView): ParticipationView {
    const { project } = sale;
    const now = this.parts.clock.now();
    return {
      ...sale,
      commitment,
      unlocked: releasedIn(project.tokenDigits, commitment.allocated, project, now),
      lockUntil: cliffOf(project),
      unlockedAt: releasedAt(project),
      line: lineOf(commitment),
    };
  }

  private saleOf(project: Project): ProjectView {
    const isOver = project.stage === 'refunded' || project.isCancelled;
    const status = projectStatus({ ...project, isOver }, this.parts.clock.now());
    return { project, status, logo: this.parts.assets.logo(project.symbol) };
  }
}
