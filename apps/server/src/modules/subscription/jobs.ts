import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { DueWork } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Assets } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Identity } from '../identity/index.ts';
import { deliverNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import { isOutsideAsset, NO_ID, type SubscriptionCommands } from './commands.ts';
import { isMissed, tokenProblem, type Commitment, type Project } from './domain.ts';
import { writePublicFile } from './public-files.ts';
import {
  allocatedLines,
  everyProject,
  findProject,
  subscriptionNotices,
  unfinishedProjects,
  unsettled,
  type Notice,
} from './repository.ts';
import { subscriptionMessages } from './words/messages.ts';

const { kinds: KINDS } = subscriptionMessages;

/**
 * Maximum number of participants of a token sale that one command settles. Settling a participant takes about as long
 * as crediting a user's daily interest in the module finance.
 */
const CHUNK = 40;
const PROJECTS = 'subscription projects';
/** Minimum milliseconds from the announcement of the hash of all commitments to the allocation of tokens. */
const ANNOUNCED_FOR_MS = MINUTE_MS;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly ledger: Pick<Ledger, 'isIssuedOnly'>;
  readonly assets: Pick<Assets, 'list'>;
  readonly database: Pick<Database, 'reader' | 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: SubscriptionCommands;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * The job after the end of a token sale. It writes the commitments file and announces its hash. At least a minute later
 * it computes the allocation, writes the result file and stores its hash. Then it settles participants by many small
 * commands, so that other commands run in between. Every part can be repeated with the same result.
 */
export class SubscriptionJobs extends DueWork {
  private readonly deps: Deps;
  /** Whether this process has already added the tokens of all settled sales to the coin list. */
  private hasListed = false;
  /** Codes of the sales whose due work was executed since the last successful call of `listSold`. */
  private readonly advanced = new Set<string>();

  constructor(deps: Deps) {
    super({
      name: 'subscription',
      log: deps.log,
      settle: () => this.executeDue(ANNOUNCED_FOR_MS),
      writeNotices: async () => {
        await deliverNotices(deps, 'subscription notices', subscriptionNotices, (notices) =>
          notices.map(messageOf),
        );
      },
    });
    this.deps = deps;
  }

  /**
   * Executes the due work of one token sale now, even if it failed before and its pause after the failure has not
   * ended. A failure is not thrown; the next run of the job tries again.
   */
  async retry(code: string): Promise<void> {
    this.deps.bulkheads.bulkheadOf(PROJECTS).retryNow(code);
    try {
      const project = await this.findByCode(code);
      if (project !== undefined) await this.advanceEach([project], ANNOUNCED_FOR_MS);
      await this.listSold();
    } catch (cause) {
      // The error occurs when no command can be executed, e.g. during maintenance. The next run of the job, a minute
      // later, tries again.
      this.deps.log.warn('subscription.not_settled', { cause });
    }
  }

  /**
   * Executes the due work of all unfinished token sales, and adds the tokens of settled sales to the coin list. A sale
   * allocates its tokens at the earliest `announcedFor` milliseconds after the announcement of its commitments' hash.
   * The first successful call of a process also lists the tokens of sales that were settled earlier.
   */
  async executeDue(announcedFor: number): Promise<void> {
    const { clock, database } = this.deps;
    const projects = await unfinishedProjects(database.store, clock.now());
    await this.advanceEach(projects, announcedFor);
    await this.listSold();
  }

  private advanceEach(projects: readonly Project[], announcedFor: number): Promise<void> {
    for (const { code } of projects) this.advanced.add(code);
    return this.deps.bulkheads.bulkheadOf(PROJECTS).each(
      projects,
      ({ code }) => code,
      async (project) => {
        await this.announce(project);
        await this.allocate(project.code, announcedFor);
        await this.settleAll(project.code);
      },
    );
  }

  /**
   * Adds the tokens of settled sales to the coin list. The first successful call of a process considers all sales,
   * later calls only those in `advanced`. A sale stays there until a call succeeds, because a settled sale has no due
   * work that would bring it there again.
   */
  private async listSold(): Promise<void> {
    const { assets, database } = this.deps;
    const codes = [...this.advanced];
    const projects = this.hasListed
      ? await Promise.all(codes.map((code) => findProject(database.store, { code })))
      : await everyProject(database.store);
    for (const project of projects)
      if (project?.stage === 'settled')
        assets.list({
          code: project.symbol,
          name: project.name['en-US'],
          digits: project.tokenDigits,
          listAt: project.listAt,
          project: { name: project.name, about: project.about },
          totalSupply: project.totalSupply,
        });
    this.hasListed = true;
    for (const code of codes) this.advanced.delete(code);
  }

  private async announce(project: Project): Promise<void> {
    const { clock, sequencer, commands } = this.deps;
    if (project.stage !== 'committing' || clock.now() < project.endAt) return;
    // The file of commitments is read from the database, so commitments made just before the end must be stored first.
    // The command `close` is committed after them.
    if (!(await sequencer.execute(commands.close, { project: project.id })).isOver) return;
    const hash = await writePublicFile(this.deps.database, project, 'commitments');
    await sequencer.execute(commands.announce, { project: project.id, hash });
  }

  private async allocate(code: string, announcedFor: number): Promise<void> {
    const { clock, sequencer, commands, database } = this.deps;
    const project = await this.findByCode(code);
    if (
      project?.stage === 'announced' &&
      !isMissed(project) &&
      isOutsideAsset(this.deps.ledger, project.symbol)
    )
      throw new Refused(tokenProblem(project.symbol));
    if (project?.stage !== 'announced' || clock.now() < project.announcedAt! + announcedFor) return;
    const hash = await writePublicFile(database, project, 'result');
    let sold = Decimal.zero;
    for await (const lines of allocatedLines(database.store, project.id))
      for (const { allocated } of lines) sold = sold.plus(allocated);
    await sequencer.execute(commands.allocate, { project: project.id, hash, sold });
  }

  private async settleAll(code: string): Promise<void> {
    const { sequencer, commands, database, bulkheads } = this.deps;
    const project = await this.findByCode(code);
    if (project?.stage !== 'settling') return;
    const allocations = new Map<string, Decimal>();
    for await (const lines of allocatedLines(database.store, project.id))
      for (const { line, allocated } of lines) allocations.set(line, allocated);
    for (let behind = NO_ID; ;) {
      const due = await unsettled(database.store, project.id, behind, CHUNK);
      if (due.length === 0) break;
      await bulkheads.bulkheadOf('subscription participants').together(
        due,
        ({ id }) => id,
        (participants, actor) => {
          const lines = participants.map((participant) => ({
            id: participant.id,
            owner: participant.owner,
            allocated: allocations.get(lineOf(participant))!,
          }));
          return sequencer.execute(commands.settle, { project: project.id, lines }, { actor });
        },
      );
      behind = due.at(-1)!.id;
    }
    await sequencer.execute(commands.finish, { project: project.id });
  }

  private findByCode(code: string): Promise<Project | undefined> {
    return findProject(this.deps.database.store, { code });
  }
}

/**
 * Returns the pseudonym of a participant in public files. Only the participant and the exchange can compute
 * it, because only they know `salt`.
 */
export function lineOf({ salt, owner }: Pick<Commitment, 'salt' | 'owner'>): string {
  return createHash('sha256').update(`${salt}:${owner}`).digest('hex');
}

function messageOf({ kind, commitment, project }: Notice): AddressedMessage {
  const { amount, cost, allocated, owner, id } = commitment;
  return {
    userId: owner,
    about: id,
    message: {
      type: 'asset',
      kind: KINDS[kind === 'allocated' ? 'subscriptionAllocated' : 'subscriptionRefunded'],
      parameters: {
        coin: project.quote,
        unit: project.symbol,
        amount: allocated.toString(),
        principal: amount.toString(),
        total: cost.toString(),
        price: amount.minus(cost).toString(),
        start: timeText(project.listAt),
        order: id,
      },
    },
  };
}
