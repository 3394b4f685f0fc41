import { createHash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { fileNamesIn, readFileIn } from '../../platform/files/folder-files.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { importProblem, readerOf, type Hit, type Screened } from './domain.ts';
import {
  addressMatches,
  blockedAmong,
  decidedHits,
  decideHit,
  findHit,
  importedLists,
  insertHit,
  isBlocked,
  latestPass,
  nameMatches,
  openHits,
  storeList,
  storePass,
  type ImportedList,
  type Pass,
} from './repository.ts';

export interface ScreeningParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** Folder with the files of sanctions lists; undefined if nothing is screened. */
  readonly sanctionsFolder: string | undefined;
}

const LIST_SIZE = 200;
/** Maximum number of matches that are read for one address or name; one match is enough to hold withdrawals. */
const MATCHES_MAX = 20;
const FILE_BYTES_MAX = 200 * 1024 * 1024;
/** Health reports a sanctions list whose content has not changed for this many milliseconds. */
const OLD_MS = 30 * DAY_MS;
const PAGE_SIZE = 100;
/**
 * Maximum number of pages of stored names and addresses that one run compares for each source; the next run continues.
 */
const PAGES_MAX = 20;

/**
 * Reads a page of stored names and addresses, which are compared again when a sanctions list changes:
 * at most `limit` in the order of `subject`, starting after `after` or with the first one.
 */
export type SubjectPages = (after: string | undefined, limit: number) => Promise<readonly StoredSubject[]>;

/**
 * A stored name or address to screen. `screened` is undefined if the stored data cannot be read; the
 * source has then logged the failure.
 */
export interface StoredSubject {
  readonly subject: string;
  readonly screened: Screened | undefined;
}

/**
 * Compares addresses and names with sanctions lists. Two operators decide on a match; withdrawals of its owner wait
 * until all matches are cleared. Nothing is compared until a folder with lists is configured, but matches that were
 * stored earlier hold withdrawals also while there is none.
 */
export class Screening {
  private readonly parts: ScreeningParts;
  private lists: readonly ImportedList[] = [];
  /**
   * Why imports failed in the last run, by the name of a file that was not imported, and by the path of the folder if
   * it could not be read.
   */
  private problems: ReadonlyMap<string, string> = new Map();
  private readonly imports = new SerialRuns(() => this.importAll());
  private readonly repetitions = new SerialRuns(() => this.compareAll());
  private readonly sources = new Map<string, SubjectPages>();
  /** By source, the progress of its latest comparison with the sanctions lists. */
  private readonly passes = new Map<string, Pass>();

  constructor(parts: ScreeningParts) {
    this.parts = parts;
  }

  /** Whether sanctions screening is configured. */
  get isOn(): boolean {
    return this.parts.sanctionsFolder !== undefined;
  }

  /**
   * Imports every sanctions list whose file has changed since its last import. A list that cannot be imported keeps its
   * stored entries.
   */
  importLists(): Promise<void> {
    return this.imports.run();
  }

  /**
   * Registers a source of stored names and addresses that are compared again when a sanctions list
   * changes.
   */
  compareAgain(source: string, pages: SubjectPages): void {
    this.sources.set(source, pages);
  }

  /**
   * Compares all stored names and addresses again if the sanctions lists have changed since the last comparison. Each
   * run compares a limited number; the next run continues.
   */
  continueComparing(): Promise<void> {
    return this.repetitions.run();
  }

  async load(): Promise<void> {
    this.lists = await importedLists(this.parts.database.store);
  }

  /**
   * Compares names and addresses with the sanctions lists, and stores and logs each match that is not stored yet, at
   * most `MATCHES_MAX` for a name or address. Does nothing if screening is not configured.
   */
  async screen(subjects: readonly Screened[]): Promise<void> {
    if (!this.isOn) return;
    const { clock, database, log } = this.parts;
    for (const subject of subjects) {
      const { subjectKind, owner } = subject;
      const screened = 'address' in subject ? subject.address : undefined;
      const matches =
        'address' in subject
          ? await addressMatches(database.store, subject.address, MATCHES_MAX)
          : await nameMatches(database.store, subject.name, MATCHES_MAX);
      for (const match of matches.list) {
        const now = clock.now();
        const hit = {
          id: newId(systemRandom, now),
          subjectKind,
          subject: subject.subject,
          owner,
          screened,
          ...match,
          createdAt: now,
        };
        if (await insertHit(database.store, hit))
          log.warn('screening.hit', { hit: hit.id, subjectKind, subject: hit.subject, list: match.list });
      }
    }
  }

  /**
   * Whether withdrawals of an account may be sent: no sanctions match of the account is open or confirmed, and, if
   * screening is configured, at least one list was imported.
   */
  async mayWithdraw(owner: UserId): Promise<boolean> {
    if (this.isOn && this.lists.length === 0) return false;
    return !(await isBlocked(this.parts.database.store, owner));
  }

  /**
   * Refuses if an account has an open or confirmed sanctions match, or if screening is configured but no list was
   * imported.
   */
  async requireClear(owner: UserId): Promise<void> {
    if (!(await this.mayWithdraw(owner))) throw new Refused(refusal('securityHold', 'l.screening_open'));
  }

  /**
   * The refusal of a payment to an address outside the exchange, such as one that belongs to no account: a sanctions
   * list contains the address, or screening is configured but no list was imported. Otherwise undefined. The match is
   * not stored.
   */
  async addressProblem(address: string): Promise<Refusal | undefined> {
    if (!this.isOn) return undefined;
    if (this.lists.length === 0) return refusal('securityHold', 'l.screening_no_list');
    const [match] = (await addressMatches(this.parts.database.store, address, 1)).list;
    if (match === undefined) return undefined;
    return refusal('securityHold', 'l.screening_address', {
      field: 'address',
      limit: match.list,
      value: address,
    });
  }

  /**
   * The sanctions lists in use, each with the reason why its file was not imported in the last run,
   * if any.
   */
  imported(): readonly (ImportedList & { readonly problem: string | undefined })[] {
    return this.lists.map((list) => ({ ...list, problem: this.problems.get(list.name) }));
  }

  /** The accounts among `owners` that have a sanctions match that is open or confirmed. */
  blockedAmong(owners: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    return blockedAmong(this.parts.database.store, owners);
  }

  open() {
    return openHits(this.parts.database.store, LIST_SIZE);
  }

  decided() {
    return decidedHits(this.parts.database.store, LIST_SIZE);
  }

  /**
   * Returns a sanctions match that may change to `state` now: an open one, or a confirmed one that is to be cleared.
   * Refuses any other.
   */
  async requireDecidable(id: string, state: 'cleared' | 'confirmed'): Promise<Hit> {
    const hit = await findHit(this.parts.database.store, id);
    if (hit === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const isDecidable = hit.state === 'open' || (state === 'cleared' && hit.state === 'confirmed');
    if (!isDecidable) throw new Refused(refusal('closed', 'l.screening_decided'));
    return hit;
  }

  async decide(
    id: string,
    decision: { readonly state: 'cleared' | 'confirmed'; readonly by: string; readonly reason: string },
  ): Promise<void> {
    const { clock, database } = this.parts;
    await this.requireDecidable(id, decision.state);
    if (!(await decideHit(database.store, id, { ...decision, at: clock.now() })))
      throw new Refused(refusal('closed', 'l.screening_decided'));
  }

  async health(): Promise<ComponentHealth> {
    if (!this.isOn) return { isUp: true, facts: { screening: 'off: SANCTIONS_FOLDER is not set' } };
    const { total } = await this.open();
    const facts = {
      screening: 'on',
      lists: this.lists.length,
      openHits: total,
      comparedAgain: this.progress(),
    };
    const old = this.lists.filter(({ importedAt }) => this.parts.clock.now() - importedAt > OLD_MS);
    const reasons = [
      ...(this.lists.length === 0 ? ['no sanctions list was imported: no withdrawal is sent'] : []),
      ...[...this.problems].map(([file, problem]) => `${file}: ${problem}`),
      ...old.map(({ name }) => `${name} has not changed for 30 days`),
      ...(total === 0 ? [] : [`${total} sanctions hits wait for a decision`]),
    ];
    return reasons.length === 0 ? { isUp: true, facts } : { isUp: false, reason: reasons.join('; '), facts };
  }

  /**
   * Progress of the comparisons of stored names and addresses for operators, e.g. `identities: 1200, in
   * progress`.
   */
  private progress(): string {
    const texts = [...this.passes].map(
      ([source, { compared, finishedAt }]) =>
        `${source}: ${compared}${finishedAt === undefined ? ', in progress' : ''}`,
    );
    return texts.join('; ');
  }

  private async compareAll(): Promise<void> {
    if (!this.isOn || this.lists.length === 0) return;
    for (const [source, pages] of this.sources)
      await this.compareSource(source, pages, fingerprintOf(this.lists));
  }

  /**
   * Continues the comparison of a source with the versions `lists` of the sanctions lists by at most `PAGES_MAX` pages;
   * begins a new one if the latest comparison was with other versions.
   */
  private async compareSource(source: string, pages: SubjectPages, lists: string): Promise<void> {
    const { clock, database } = this.parts;
    const latest = await latestPass(database.store, source);
    let pass: Pass =
      latest?.lists === lists ? latest : { lists, after: undefined, compared: 0, finishedAt: undefined };
    this.passes.set(source, pass);
    for (let page = 0; page < PAGES_MAX && pass.finishedAt === undefined; page += 1) {
      const subjects = await pages(pass.after, PAGE_SIZE);
      await this.screen(subjects.flatMap(({ screened }) => screened ?? []));
      pass = {
        lists,
        after: subjects.at(-1)?.subject ?? pass.after,
        compared: pass.compared + subjects.length,
        finishedAt: subjects.length < PAGE_SIZE ? clock.now() : undefined,
      };
      await storePass(database.store, source, pass);
      this.passes.set(source, pass);
    }
  }

  private async importAll(): Promise<void> {
    const { sanctionsFolder: folder, log } = this.parts;
    if (folder === undefined) return;
    const problems = new Map<string, string>();
    const files = await fileNamesIn(folder).catch((cause: unknown): string[] => {
      problems.set(folder, errorMessage(cause));
      if (this.problems.get(folder) !== errorMessage(cause))
        log.error('screening.list_not_imported', { file: folder, cause });
      return [];
    });
    for (const file of files) {
      if (readerOf(file) === undefined) continue;
      try {
        await this.importFile(folder, file);
      } catch (cause) {
        problems.set(file, errorMessage(cause));
        if (this.problems.get(file) !== errorMessage(cause))
          log.error('screening.list_not_imported', { file, cause });
      }
    }
    const missing = this.lists.filter(({ name }) => !files.includes(name));
    for (const { name } of missing) problems.set(name, 'the file is missing; its last entries stay in use');
    this.problems = problems;
    await this.load();
  }

  private async importFile(folder: string, file: string): Promise<void> {
    const { clock, database, log } = this.parts;
    const bytes = await readFileIn(folder, file, FILE_BYTES_MAX);
    const fileHash = createHash('sha256').update(bytes).digest('hex');
    const known = this.lists.find(({ name }) => name === file);
    if (known?.fileHash === fileHash) return;
    const entries = readerOf(file)!(bytes.toString('utf8'));
    const before = known === undefined ? undefined : known.addresses + known.names;
    const problem = importProblem(before, entries.length);
    if (problem !== undefined) throw new Error(problem);
    await database.transaction((tx) => storeList(tx, { name: file, fileHash, at: clock.now() }, entries));
    log.info('screening.list_imported', { file, entries: entries.length });
  }
}

/** A digest that identifies the versions of the sanctions lists in use. */
function fingerprintOf(lists: readonly ImportedList[]): string {
  const files = lists.map(({ name, fileHash }) => `${name} ${fileHash}`);
  return createHash('sha256').update(files.join('\n')).digest('hex');
}
