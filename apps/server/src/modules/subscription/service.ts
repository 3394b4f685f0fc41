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
import { type AskedPage, type ListPage, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
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
  /** Does what follows the end of a project's sale at once, also where an earlier attempt failed and pauses. */
  readonly advance: (code: string) => Promise<void>;
}

/** A project as it stands at the moment. */
export interface Seen {
  readonly project: Project;
  readonly status: ProjectStatus;
  readonly logo: string;
}

/** A commitment with its project and what of its tokens is released. */
export interface Part extends Seen {
  readonly commitment: Commitment;
  readonly unlocked: Decimal;
  readonly lockUntil: Instant;
  readonly unlockedAt: Instant;
  readonly line: string;
}

/** What a step that changes a commitment results in: all commitments to the project and the owner's, in the quote coin. */
interface CommitmentOutcome {
  readonly committed: string;
  readonly mine: string;
}

/** What the owner is answered; `estimate` is the least allocation, in tokens. */
interface CommitmentAnswer {
  readonly committed: string;
  readonly myCommitted: string;
  readonly estimate: string;
}

/** A project of which nothing was sold yet. */
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
/** Projects that a list reads and sorts for each request; more are refused at publication. */
const PROJECTS_MAX = 1_000;
/** Sales that can be joined come first, then those that will be. */
const SALE_ORDER: Readonly<Record<ProjectStatus, number>> = {
  participating: 0,
  warming: 1,
  open: 2,
  closed: 3,
};

/** One method per use case of the subscription of new coins. */
export class Subscription {
  private readonly parts: SubscriptionParts;

  constructor(parts: SubscriptionParts) {
    this.parts = parts;
  }

  /** Every project: those that can be joined first, the latest sale first. */
  async projects(): Promise<Seen[]> {
    const projects = (await everyProject(this.parts.database.reader)).map((project) => this.seen(project));
    return projects.toSorted((one, other) => SALE_ORDER[one.status] - SALE_ORDER[other.status]);
  }

  /** A project, and what a user has committed to it and would receive at least. */
  async detail(id: string, user: UserId | undefined): Promise<Seen & { mine: Decimal; estimate: Decimal }> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { id });
    if (project === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const own = user === undefined ? undefined : await commitmentIn(reader, id, user);
    const mine = own?.amount ?? Decimal.zero;
    return { ...this.seen(project), mine, estimate: leastAllocation(mine, project.committed, project) };
  }

  /**
   * Commits an amount for a user who may buy, or raises their commitment by it. `version` is that of the terms that the user
   * was shown; others are refused with both versions.
   */
  async commit(
    owner: UserId,
    asked: {
      readonly project: string;
      readonly amount: Decimal;
      readonly agreed: string | undefined;
      readonly version?: number | undefined;
    },
    submission?: Submission,
  ) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    const answer = await this.commitmentAnswer(asked.project);
    return sequencer.execute(commands.commit, { owner, ...asked }, { actor: owner, submission, answer });
  }

  async reduce(
    owner: UserId,
    asked: { readonly project: string; readonly amount: Decimal },
    submission?: Submission,
  ) {
    const { sequencer, commands } = this.parts;
    const answer = await this.commitmentAnswer(asked.project);
    return sequencer.execute(commands.reduce, { owner, ...asked }, { actor: owner, submission, answer });
  }

  /** Moves what was released to the coin account; an alarm where the token turns out to be another coin. */
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

  /** A user's commitments, of projects with a status or all. */
  async records(owner: UserId, status: ProjectStatus | undefined, page: AskedPage): Promise<ListPage<Part>> {
    const { reader } = this.parts.database;
    const wanted = (await this.projects()).filter((seen) => status === undefined || seen.status === status);
    const projects = new Map(wanted.map((seen) => [seen.project.id, seen]));
    const found = await commitmentsOf(reader, owner, [...projects.keys()], rowsOfPage(page));
    return mapPage(found, (each) => this.partOf(each, projects.get(each.project)!));
  }

  /** A user's commitment by its id; refuses with `l.not_found` where it is not theirs. */
  async record(owner: UserId, id: string): Promise<Part> {
    const { reader } = this.parts.database;
    const [commitment] = await commitmentsByIds(reader, [id]);
    if (commitment?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const project = await findProject(reader, { id: commitment.project });
    return this.partOf(commitment, this.seen(project!));
  }

  /**
   * The SHA-256 of a public file, in hexadecimal, and its text as it was written, each part of which is read when it is
   * asked for. Refuses with `l.not_found` where the file was not written.
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

  /** The published versions of a project's terms with who and why, the newest first. */
  versions(code: string, which: VersionsBelow) {
    return projectVersions(this.parts.database.reader, code, which);
  }

  /**
   * Terms as a visitor would see them if they were published now, and what a commitment would receive if nobody else
   * took part; refused like their publication where that would be.
   */
  async proposed(
    given: ProjectTerms,
  ): Promise<Seen & { readonly mine: Decimal; readonly estimate: Decimal }> {
    const { assets, database, clock, ledger } = this.parts;
    const { digits: quoteDigits } = assets.requireCoin(given.quote, 'quote');
    const terms = { ...given, quoteDigits };
    const present = await findProject(database.reader, { code: terms.code });
    if (present === undefined) requireRoom((await everyProject(database.reader)).length, PROJECTS_MAX);
    const problem =
      ceilingProblem('subscription', terms) ??
      termsProblem(terms) ??
      changeProblem(present, terms, clock.now()) ??
      (await symbolProblem(database.reader, ledger, terms));
    if (problem !== undefined) throw new Refused(problem);
    const next = { ...(present ?? NEW), ...terms, id: present?.id ?? terms.code };
    const project = { ...next, version: (present?.version ?? 0) + 1 };
    const mine = exampleAmount(terms.minAmount, terms.maxAmount);
    return { ...this.seen(project), mine, estimate: leastAllocation(mine, mine, project) };
  }

  /** Publishes a project or the next version of its terms; who and why are kept. */
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

  /** Ends a sale before its allocation, with full refunds, which begin at once. */
  async cancel(code: string) {
    const project = await findProject(this.parts.database.reader, { code });
    if (project === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const cancelled = await this.parts.sequencer.execute(this.parts.commands.cancel, { project: project.id });
    await this.parts.advance(code);
    return cancelled;
  }

  /** The demo alone: commits at an earlier moment, once per person and project. */
  async commitForHouse(owner: UserId, code: string, amount: Decimal, since: Instant): Promise<void> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { code });
    if (project === undefined || (await commitmentIn(reader, project.id, owner)) !== undefined) return;
    if (project.stage !== 'committing') return;
    const input = { owner, project: project.id, amount, agreed: AGREEMENT_VERSION, since };
    await this.parts.sequencer.execute(this.parts.commands.commit, input).catch((cause: unknown) => {
      if (!(cause instanceof Refused)) throw cause;
    });
  }

  /** The demo alone: claims what was released of a house account's tokens; nothing where it has no settled commitment. */
  async claimForHouse(owner: UserId, code: string): Promise<void> {
    const { reader } = this.parts.database;
    const project = await findProject(reader, { code });
    if (project?.stage !== 'settled') return;
    const commitment = await commitmentIn(reader, project.id, owner);
    if (commitment !== undefined) await this.claim(owner, commitment.id);
  }

  /** The first answer to a commitment or a reduction. Answers stored by older versions lack what is made of the project. */
  async restoreCommitment(stored: string, id: string): Promise<CommitmentAnswer> {
    const answer = JSON.parse(stored) as CommitmentAnswer | CommitmentOutcome;
    return 'estimate' in answer ? answer : (await this.commitmentAnswer(id))(answer);
  }

  /** Makes the answer of a step that changes a commitment; the project's terms are fixed once its sale has begun. */
  private async commitmentAnswer(id: string): Promise<(outcome: CommitmentOutcome) => CommitmentAnswer> {
    const project = await findProject(this.parts.database.reader, { id });
    return ({ committed, mine }) => {
      // The step refuses a project that there is not before anything is answered.
      const estimate = leastAllocation(Decimal.parse(mine), Decimal.parse(committed), project!);
      return { committed, myCommitted: mine, estimate: estimate.toString() };
    };
  }

  private partOf(commitment: Commitment, seen: Seen): Part {
    const { project } = seen;
    const now = this.parts.clock.now();
    return {
      ...seen,
      commitment,
      unlocked: releasedIn(project.tokenDigits, commitment.allocated, project, now),
      lockUntil: cliffOf(project),
      unlockedAt: releasedAt(project),
      line: lineOf(commitment),
    };
  }

  private seen(project: Project): Seen {
    const isOver = project.stage === 'refunded' || project.isCancelled;
    const status = projectStatus({ ...project, isOver }, this.parts.clock.now());
    return { project, status, logo: this.parts.assets.logo(project.symbol) };
  }
}
