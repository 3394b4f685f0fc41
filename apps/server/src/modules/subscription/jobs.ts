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
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import { isForeign, NO_ID, type SubscriptionCommands } from './commands.ts';
import { isMissed, tokenProblem, type Commitment, type Project } from './domain.ts';
import { writePublicFile } from './public-files.ts';
import {
  allocatedLines,
  everyProject,
  findProject,
  takeNotices,
  unfinishedProjects,
  unsettled,
  type Notice,
} from './repository.ts';

/** Participants of one step: one posts about what forty orders of finance's daily interest do. */
const CHUNK = 40;
const PROJECTS = 'subscription projects';
/** The commitments' hash is public for so long before anything is allocated. */
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
 * What follows the end of a sale, a step at a time: the commitment file is written and its hash announced; a minute later
 * the allocation is computed once from it, its file written and its hash taken; then participants are settled in small
 * steps, between which orders of spot pass. The work is the same however often it begins anew.
 */
export class SubscriptionJobs extends DueWork {
  private readonly deps: Deps;
  /** Whether the tokens of earlier sales were listed since this process started. */
  private hasListed = false;

  constructor(deps: Deps) {
    super({
      name: 'subscription',
      log: deps.log,
      settle: () => this.advance(ANNOUNCED_FOR_MS),
      tell: () =>
        tellNotices(deps, async (tx, limit) => (await takeNotices(tx, limit)).map((one) => messageOf(one))),
    });
    this.deps = deps;
  }

  /** Does what is due for one project now, also where it failed before and pauses. What fails is left to the next run. */
  async retry(code: string): Promise<void> {
    this.deps.bulkheads.of(PROJECTS).retryNow(code);
    try {
      const project = await this.now(code);
      if (project !== undefined) await this.advanceEach([project], ANNOUNCED_FOR_MS);
    } catch (cause) {
      // Reason: nothing can be executed at present; the next minute tries it again.
      this.deps.log.warn('subscription.not_settled', { cause });
    }
  }

  /**
   * Does for every project what is due, the allocation only so long after the announcement; lists what was sold. Reads
   * the projects with work left alone: those of past years cost an idle minute nothing.
   */
  async advance(announcedFor: number): Promise<void> {
    const { clock, database } = this.deps;
    const projects = await unfinishedProjects(database.store, clock.now());
    await this.advanceEach(projects, announcedFor);
    await this.listSold(projects);
  }

  private advanceEach(projects: readonly Project[], announcedFor: number): Promise<void> {
    return this.deps.bulkheads.of(PROJECTS).each(
      projects,
      ({ code }) => code,
      async (project) => {
        await this.announce(project);
        await this.allocate(project.code, announcedFor);
        await this.settleAll(project.code);
      },
    );
  }

  /** Lists the tokens of projects that are settled: once those of all, then those of projects that had work left. */
  private async listSold(worked: readonly Project[]): Promise<void> {
    const { assets, database } = this.deps;
    const codes = worked.map(({ code }) => code);
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
  }

  private async announce(project: Project): Promise<void> {
    const { clock, sequencer, commands } = this.deps;
    if (project.stage !== 'committing' || clock.now() < project.endAt) return;
    // A commitment made in the last moment may still be on its way to the database, where the file is read from.
    if (!(await sequencer.execute(commands.close, { project: project.id })).isOver) return;
    const hash = await writePublicFile(this.deps.database, project, 'commitments');
    await sequencer.execute(commands.announce, { project: project.id, hash });
  }

  private async allocate(code: string, announcedFor: number): Promise<void> {
    const { clock, sequencer, commands, database } = this.deps;
    const project = await this.now(code);
    if (project?.stage === 'announced' && !isMissed(project) && isForeign(this.deps.ledger, project.symbol))
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
    const project = await this.now(code);
    if (project?.stage !== 'settling') return;
    const allocations = new Map<string, Decimal>();
    for await (const lines of allocatedLines(database.store, project.id))
      for (const { line, allocated } of lines) allocations.set(line, allocated);
    for (let behind = NO_ID; ;) {
      const due = await unsettled(database.store, project.id, behind, CHUNK);
      if (due.length === 0) break;
      await bulkheads.of('subscription participants').together(
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

  private now(code: string): Promise<Project | undefined> {
    return findProject(this.deps.database.store, { code });
  }
}

/** The name of a participant's line in the public files: nobody else can tell whose it is. */
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
      kind: kind === 'allocated' ? 'subscriptionAllocated' : 'subscriptionRefunded',
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
