import type { CoinCost, Cost } from '@exchange/core/cost.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { TAX_CURRENCY } from '@exchange/core/tax.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Identity } from '../identity/index.ts';
import {
  changesAfter,
  type AuditProblem,
  type EntryChanges,
  feesOfEntries,
  hasMoreMovements,
  type Movements,
} from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Records } from '../spot/index.ts';
import { Books } from './books.ts';
import {
  eventsOfEntry,
  isWithinPerson,
  unpricedCoins,
  type SourcedValue,
  type TaxEvent,
} from './domain/tax-events.ts';
import {
  costDifferences,
  costsOf,
  deleteCosts,
  hasCosts,
  lockPosition,
  positionOf,
  savePosition,
  type BookPosition,
} from './repository.ts';
import { StoredPrices } from './stored-prices.ts';
import { clearBooks, deleteTotals, insertEvents, storedEventsBetween } from './tax-books-repository.ts';

const MOVEMENTS_AT_A_TIME = 1_000;
/**
 * Maximum number of movements (statement rows, each the change of one balance by a ledger entry) that one
 * transaction reads for the cost basis; about 20 ms of work.
 */
const MOVEMENTS_MOST = 2_000;
/**
 * Maximum number of transactions that count a person's ledger entries: per request, and per run of the background job.
 * A stopping server waits for the current run.
 */
const PORTIONS_OF_A_REQUEST = 3;
const PORTIONS_OF_A_RUN = 50;
/** Maximum number of stored prices that one transaction reads. Reading one can unpack an hour of index prices. */
const PRICES_MOST = 30;
/** Maximum number of rows of each kind that one transaction deletes from books that are counted again. */
const CLEARED_AT_A_TIME = 5_000;
const COUNT_JOB = 'portfolio.countCosts';
/** Kinds of ledger entries whose fees the tax events and the books contain; fees of other kinds are not read. */
const KINDS_WITH_FEES: ReadonlySet<string> = new Set(['spot.traded', 'convert.exchanged', 'withdrawal.sent']);

interface CostsParts {
  readonly jobs: Pick<Jobs, 'add' | 'define'>;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly identity: Pick<Identity, 'accountsOfPerson' | 'personOf'>;
  readonly market: Pick<Market, 'tapeReader' | 'minuteClose'>;
  readonly movements: Pick<Movements, 'awaitProjection'>;
  readonly records: Pick<Records, 'tradeValues'>;
  readonly conversions: {
    /** Values of conversions in USDT when they were executed, by quote id. */
    values(quotes: readonly string[]): Promise<ReadonlyMap<string, Decimal>>;
  };
}

/** A person, and the ids of the person's main account and all sub-accounts. The id of the person is the main account's. */
interface PersonAccounts {
  readonly person: UserId;
  readonly accounts: readonly UserId[];
}

interface CountPayload {
  readonly owner: UserId;
}

/**
 * Cost basis of users' coins by the average cost method, and books of realized gains by both methods, computed from the
 * ledger entries that add or remove coins. A person has one set of books for the main account and all sub-accounts,
 * stored for the main account; transfers between these accounts change nothing in them. New entries are counted, in
 * order, when the owner requests the costs; a background job counts them if they are many. A cost that the user enters
 * or changes makes the job count all entries again. The results are stored, so the time of a request does not grow with
 * the history.
 */
export class Costs {
  private readonly parts: CostsParts;

  constructor(parts: CostsParts) {
    this.parts = parts;
    parts.jobs.define(
      COUNT_JOB,
      (payload) => this.countRest(payload as CountPayload),
      undefined,
      'background',
    );
  }

  /**
   * The cost basis by coin of the person who owns an account, without coins that have neither a bought amount left nor
   * a realized result. While not all movements are counted, the map is empty; a background job counts them.
   */
  async byCoin(owner: UserId): Promise<ReadonlyMap<string, Cost>> {
    if (!(await this.catchUp(owner))) return new Map();
    const person = await this.parts.identity.personOf(owner);
    return onlyBought(await costsOf(this.parts.database.store, person));
  }

  /**
   * Counts the pending movements of the person who owns an account, in at most three transactions, and in none if more
   * than `MOVEMENTS_MOST` are pending. If movements remain, enqueues a background job that counts them and returns
   * false; otherwise returns true.
   */
  async catchUp(owner: UserId): Promise<boolean> {
    const { database, identity } = this.parts;
    const person = await identity.personOf(owner);
    const accounts = await identity.accountsOfPerson(person);
    const counted = await positionOf(database.store, person);
    const isLong = await hasMoreMovements(database.store, accounts, counted, MOVEMENTS_MOST);
    const portions = isLong ? 0 : PORTIONS_OF_A_REQUEST;
    for (let portion = 0; portion < portions; portion += 1)
      if ((await this.countNext(person)).isDone) return true;
    await this.enqueueRest(person);
    return false;
  }

  /**
   * Adds all pending movements of the person who owns an account to the cost basis and returns the number of the last
   * counted ledger entry.
   */
  async countAll(owner: UserId): Promise<number> {
    const person = await this.parts.identity.personOf(owner);
    for (;;) {
      const { position, isDone } = await this.countNext(person);
      if (isDone) return position.entry;
    }
  }

  /**
   * Discards a user's cost basis and totals in `tx`, after a cost or the time zone of the tax years has changed. A
   * background job deletes the other rows of the books and counts the books again from the stored events.
   */
  async recount(tx: Tx, owner: UserId): Promise<void> {
    const { ingested } = await lockPosition(tx, owner);
    await deleteCosts(tx, owner);
    await deleteTotals(tx, owner);
    await savePosition(tx, owner, { entry: 0, ingested, isClearing: true });
    await this.parts.jobs.add(tx, COUNT_JOB, { owner }, { key: `${COUNT_JOB} ${owner}` });
  }

  private async countRest({ owner }: CountPayload): Promise<void> {
    const person = await this.parts.identity.personOf(owner);
    for (let portion = 0; portion < PORTIONS_OF_A_RUN; portion += 1)
      if ((await this.countNext(person)).isDone) return;
    await this.enqueueRest(person);
  }

  private enqueueRest(owner: UserId): Promise<void> {
    const { database, jobs } = this.parts;
    const payload: CountPayload = { owner };
    return database.transaction((tx) => jobs.add(tx, COUNT_JOB, payload, { key: `${COUNT_JOB} ${owner}` }));
  }

  /**
   * Adds the next pending movements of a person to the books, in one transaction of limited size. `isDone` is
   * true if no more are pending. Throws if the next movement is a transfer to or from an account that is
   * unknown.
   */
  private async countNext(person: UserId): Promise<{ position: BookPosition; isDone: boolean }> {
    const isMerged = !(await this.parts.movements.awaitProjection());
    const { database, identity } = this.parts;
    const accounts = await identity.accountsOfPerson(person);
    const next = await database.transaction((tx) => this.countPortion(tx, { person, accounts }, isMerged));
    if (next.isUnknownAccount && (await identity.accountsOfPerson(person)).length === accounts.length)
      throw new Error(`entry after ${next.position.entry} moves coins of ${person} to an unknown account`);
    return next;
  }

  /**
   * Adds the next pending movements of a person's accounts to the books. `isUnknownAccount` is true if the next movement
   * is a transfer to or from an account that is not in `accounts`.
   */
  private async countPortion(
    tx: Tx,
    { person, accounts }: PersonAccounts,
    isMerged: boolean,
  ): Promise<{ position: BookPosition; isDone: boolean; isUnknownAccount: boolean }> {
    const position = await lockPosition(tx, person);
    const { entry, ingested } = position;
    if (position.isClearing) {
      const isCleared = await clearBooks(
        tx,
        { person, subAccounts: accounts.filter((account) => account !== person) },
        CLEARED_AT_A_TIME,
      );
      const cleared = { entry, ingested, isClearing: !isCleared };
      await savePosition(tx, person, cleared);
      return { position: cleared, isDone: false, isUnknownAccount: false };
    }
    // `isDone` is false, because movements that are newer than the stored events may be pending.
    if (entry < ingested) {
      const stored = await this.addStored(tx, person, { entry, ingested });
      return { position: stored.position, isDone: false, isUnknownAccount: false };
    }
    const page = await this.readNew(tx, { person, accounts }, entry, isMerged);
    await insertEvents(tx, person, page.events);
    const added = await this.addStored(tx, person, { entry, ingested: page.lastEntry });
    return {
      position: added.position,
      isDone: added.isDone && page.isLast,
      isUnknownAccount: page.isUnknownAccount,
    };
  }

  /**
   * Adds the stored events after `entry` up to `ingested` to the books, as many as one transaction may add. `isDone` is
   * true if these were all. Events are added as they are stored and not as they were just read, because an event that was
   * stored earlier may have a value which can no longer be found.
   */
  private async addStored(
    tx: Tx,
    person: UserId,
    { entry, ingested }: Pick<BookPosition, 'entry' | 'ingested'>,
  ): Promise<{ position: BookPosition; isDone: boolean }> {
    const { events, isLast } = await storedEventsBetween(tx, person, {
      after: entry,
      upTo: ingested,
      limit: MOVEMENTS_MOST + 1,
    });
    return this.addEvents(tx, person, events, {
      from: entry,
      last: isLast ? ingested : (events.at(-1)?.entry ?? entry),
      ingested,
      isLast,
    });
  }

  /**
   * Reads the ledger entries after `entry` of all accounts of a person. Returns their events and the number of the last
   * entry read. Stops after `MOVEMENTS_MOST` movements, before the next entry once `PRICES_MOST` stored prices were
   * read, and before a transfer to or from an account of the person that is missing in `accounts` because it was opened
   * after `accounts` was read (`isUnknownAccount`).
   */
  private async readNew(tx: Tx, { person, accounts }: PersonAccounts, entry: number, isMerged: boolean) {
    const prices = new StoredPrices(this.parts.market);
    const events: TaxEvent[] = [];
    let lastEntry = entry;
    let isLast = false;
    for (let readCount = 0; !isLast && readCount < MOVEMENTS_MOST; readCount += MOVEMENTS_AT_A_TIME) {
      const page = await changesAfter(tx, accounts, lastEntry, { limit: MOVEMENTS_AT_A_TIME, isMerged });
      const values = await this.valuesOf(page.entries);
      const fees = await feesOfEntries(
        tx,
        accounts,
        page.entries.filter(({ kind }) => KINDS_WITH_FEES.has(kind)).map((changed) => changed.entry),
      );
      for (const changed of page.entries) {
        const isUnknownAccount = isWithinPerson(changed.kind) && changed.owners.size < 2;
        if (isUnknownAccount || prices.readCount >= PRICES_MOST)
          return { events, lastEntry, isLast: false, isUnknownAccount };
        const [account] = changed.owners;
        const known = {
          entry: changed.entry,
          at: changed.at,
          kind: changed.kind,
          reference: changed.reference,
          entries: changed.entries,
          account: changed.owners.has(person) ? undefined : account,
          changes: changed.changes,
          fees: fees.get(changed.entry) ?? [],
        };
        const coinPrices = new Map<string, SourcedValue | undefined>();
        for (const coin of unpricedCoins(known)) coinPrices.set(coin, await prices.price(coin, known.at));
        events.push(
          ...eventsOfEntry(known, values.get(known.reference ?? ''), (coin) => coinPrices.get(coin)),
        );
        lastEntry = changed.entry;
      }
      isLast = page.isLast;
    }
    return { events, lastEntry, isLast, isUnknownAccount: false };
  }

  /**
   * Adds events to the books and stores the books with their new position. `isDone` is true if all of them were added
   * and `page.isLast` says that no further ones are known.
   */
  private async addEvents(
    tx: Tx,
    owner: UserId,
    events: readonly TaxEvent[],
    page: {
      readonly from: number;
      readonly last: number;
      readonly ingested: number;
      readonly isLast: boolean;
    },
  ): Promise<{ position: BookPosition; isDone: boolean }> {
    const { from, last, ingested, isLast } = page;
    let entry = from;
    let isComplete = true;
    if (events.length > 0) {
      const books = await Books.load(tx, owner, events);
      let isFirst = true;
      for (const [entryNumber, entryEvents] of groupBy(events, (event) => event.entry)) {
        isComplete = await books.addEntry(entryEvents, isFirst);
        if (!isComplete) break;
        entry = entryNumber;
        isFirst = false;
      }
      await books.save();
    }
    const position = { entry: isComplete ? last : entry, ingested, isClearing: false };
    if (position.entry > from || ingested > from) await savePosition(tx, owner, position);
    return { position, isDone: isComplete && isLast };
  }

  /**
   * USDT values of the trades and conversions whose entries contain no USDT, at the time of their execution, by the
   * reference of the ledger entry.
   */
  private async valuesOf(entries: readonly EntryChanges[]): Promise<ReadonlyMap<string, Decimal>> {
    const unknown = entries.filter(({ changes }) => !changes.has(TAX_CURRENCY));
    const referencesOf = (wantedKind: string) =>
      unknown.flatMap(({ kind, reference }) =>
        kind === wantedKind && reference !== null ? [reference] : [],
      );
    const [trades, exchanges] = await Promise.all([
      this.parts.records.tradeValues(referencesOf('spot.traded')),
      this.parts.conversions.values(referencesOf('convert.exchanged')),
    ]);
    return new Map([...trades, ...exchanges]);
  }
}

/** Omits coins without a remaining bought amount and without realized profit or loss. */
function onlyBought(costs: ReadonlyMap<string, CoinCost>): ReadonlyMap<string, Cost> {
  return new Map(
    [...costs]
      .filter(([, { amount, realized }]) => !amount.isZero() || !realized.isZero())
      .map(([coin, { amount, cost, realized }]) => [coin, { amount, cost, realized }] as const),
  );
}

/** Number of owners per query that compares cost bases with balances. */
const COMPARED = 1_000;
/** Maximum number of differences per coin that audit rule M22 reports. */
const NAMED_PER_COIN = 20;
const NO_OWNER = '00000000-0000-0000-0000-000000000000';

/**
 * Audit rule M22: for every person and coin, the counted amounts (with and without cost) equal the balance of all
 * accounts of the person after the last counted entry. Processes persons in pages and reports at most twenty
 * differences per coin. Reports nothing for the database of an older version that did not store costs per person.
 */
export async function costProblems(reader: Reader): Promise<AuditProblem[]> {
  if (!(await hasCosts(reader))) return [];
  const named = new Map<string, number>();
  const problems: AuditProblem[] = [];
  for (let behind: string | undefined = NO_OWNER; behind !== undefined;) {
    const { different: differences, last } = await costDifferences(reader, behind, COMPARED);
    for (const { owner, asset, held, counted } of differences) {
      const count = named.get(asset) ?? 0;
      named.set(asset, count + 1);
      if (count >= NAMED_PER_COIN) continue;
      const detail = `${owner} had ${held}, the costs of coins count ${counted}`;
      problems.push({
        invariant: 'M22',
        asset,
        detail,
      });
    }
    behind = last;
  }
  return problems;
}
