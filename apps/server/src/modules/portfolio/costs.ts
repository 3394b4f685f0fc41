import type { CoinCost, Cost } from '@exchange/core/cost.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { TAX_CURRENCY } from '@exchange/core/tax.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
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
import { eventsOfEntry, unpricedCoins, type SourcedValue, type TaxEvent } from './domain/tax-events.ts';
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
import { clearBooks, deleteTotals, insertEvents, storedEventsAfter } from './tax-books-repository.ts';

const MOVEMENTS_AT_A_TIME = 1_000;
/**
 * Maximum number of movements that one transaction adds to the cost basis; about 20 ms of work.
 */
const MOVEMENTS_MOST = 2_000;
/** Maximum number of transactions per request and per run of the job. A stopping server waits for the current run. */
const PORTIONS_OF_A_REQUEST = 3;
const PORTIONS_OF_A_RUN = 50;
/** Maximum number of stored prices that one transaction reads. Reading one can unpack an hour of index prices. */
const PRICES_MOST = 30;
/** Number of rows of each kind that one transaction deletes from books that are counted again. */
const CLEARED_AT_A_TIME = 5_000;
const COUNT_JOB = 'portfolio.countCosts';
/** Kinds of ledger entries whose fees the books contain. */
const KINDS_WITH_FEES: ReadonlySet<string> = new Set(['spot.traded', 'convert.exchanged', 'withdrawal.sent']);

interface CostsParts {
  readonly jobs: Pick<Jobs, 'add' | 'define'>;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly market: Pick<Market, 'tapeReader' | 'minuteClose'>;
  readonly movements: Pick<Movements, 'awaitProjection'>;
  readonly records: Pick<Records, 'tradeValues'>;
  readonly conversions: {
    /** Value of conversions in USDT, by quote id. */
    values(quotes: readonly string[]): Promise<ReadonlyMap<string, Decimal>>;
  };
}

interface CountPayload {
  readonly owner: UserId;
}

/**
 * Cost basis of users' coins by the average cost method, and books of realized gains by both methods, computed from the
 * ledger entries that add or remove coins. New entries are counted, in order, when the owner requests the costs; a
 * background job counts them if they are many. A cost that the user enters or changes makes the job count all entries
 * again. The results are stored, so the time of a request does not grow with the history.
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
   * A user's cost basis by coin, without coins that have neither a bought amount left nor a realized result. The result
   * is empty until all movements are counted, if need be by a background job.
   */
  async byCoin(owner: UserId): Promise<ReadonlyMap<string, Cost>> {
    if (!(await this.catchUp(owner))) return new Map();
    return onlyBought(await costsOf(this.parts.database.store, owner));
  }

  /**
   * Counts a user's pending movements in at most three transactions, or none if more than `MOVEMENTS_MOST`
   * are pending; a background job then counts the rest. Returns whether all are counted.
   */
  async catchUp(owner: UserId): Promise<boolean> {
    const { store } = this.parts.database;
    const isLong = await hasMoreMovements(store, owner, await positionOf(store, owner), MOVEMENTS_MOST);
    const portions = isLong ? 0 : PORTIONS_OF_A_REQUEST;
    for (let portion = 0; portion < portions; portion += 1)
      if ((await this.countNext(owner)).isDone) return true;
    await this.enqueueRest(owner);
    return false;
  }

  /**
   * Adds all pending movements of a user to the cost basis and returns the number of the last
   * counted ledger entry.
   */
  async countAll(owner: UserId): Promise<number> {
    for (;;) {
      const { position, isDone } = await this.countNext(owner);
      if (isDone) return position.entry;
    }
  }

  /**
   * Deletes a user's cost basis and totals in `tx` after a cost has changed. A background job deletes the other rows
   * of the books and counts the books again from the stored events.
   */
  async recount(tx: Tx, owner: UserId): Promise<void> {
    const { ingested } = await lockPosition(tx, owner);
    await deleteCosts(tx, owner);
    await deleteTotals(tx, owner);
    await savePosition(tx, owner, { entry: 0, ingested, isClearing: true });
    await this.parts.jobs.add(tx, COUNT_JOB, { owner }, { key: `${COUNT_JOB} ${owner}` });
  }

  private async countRest({ owner }: CountPayload): Promise<void> {
    for (let portion = 0; portion < PORTIONS_OF_A_RUN; portion += 1)
      if ((await this.countNext(owner)).isDone) return;
    await this.enqueueRest(owner);
  }

  private enqueueRest(owner: UserId): Promise<void> {
    const { database, jobs } = this.parts;
    const payload: CountPayload = { owner };
    return database.transaction((tx) => jobs.add(tx, COUNT_JOB, payload, { key: `${COUNT_JOB} ${owner}` }));
  }

  /** Adds the next pending movements to the books, in one transaction of limited size. */
  private async countNext(owner: UserId): Promise<{ position: BookPosition; isDone: boolean }> {
    const isMerged = !(await this.parts.movements.awaitProjection());
    return this.parts.database.transaction(async (tx) => {
      const position = await lockPosition(tx, owner);
      const { entry, ingested } = position;
      if (position.isClearing) {
        const isCleared = await clearBooks(tx, owner, CLEARED_AT_A_TIME);
        const cleared = { entry, ingested, isClearing: !isCleared };
        await savePosition(tx, owner, cleared);
        return { position: cleared, isDone: false };
      }
      if (entry < ingested) return this.addStored(tx, owner, position);
      const page = await this.readNew(tx, owner, entry, isMerged);
      await insertEvents(tx, owner, page.events);
      return this.addEvents(tx, owner, page.events, {
        from: entry,
        last: page.lastEntry,
        ingested: page.lastEntry,
        isLast: page.isLast,
      });
    });
  }

  /** Adds the next stored events to books that are counted again. */
  private async addStored(tx: Tx, owner: UserId, { entry, ingested }: BookPosition) {
    const { events, isLast } = await storedEventsAfter(tx, owner, entry, MOVEMENTS_MOST);
    const added = await this.addEvents(tx, owner, events, {
      from: entry,
      last: isLast ? ingested : (events.at(-1)?.entry ?? entry),
      ingested,
      isLast,
    });
    // `isDone` is false, because movements that are newer than the stored events may be pending.
    return { position: added.position, isDone: false };
  }

  /**
   * Reads entries after `entry`. Returns their events and the last entry read. Reads at most as many movements as one
   * transaction may count, and stops before an entry that exceeds the limit of stored prices.
   */
  private async readNew(tx: Tx, owner: UserId, entry: number, isMerged: boolean) {
    const prices = new StoredPrices(this.parts.market);
    const events: TaxEvent[] = [];
    let lastEntry = entry;
    let isLast = false;
    for (let readCount = 0; !isLast && readCount < MOVEMENTS_MOST; readCount += MOVEMENTS_AT_A_TIME) {
      const page = await changesAfter(tx, owner, lastEntry, { limit: MOVEMENTS_AT_A_TIME, isMerged });
      const values = await this.valuesOf(page.entries);
      const fees = await feesOfEntries(
        tx,
        owner,
        page.entries.filter(({ kind }) => KINDS_WITH_FEES.has(kind)).map((changed) => changed.entry),
      );
      for (const changed of page.entries) {
        if (prices.readCount >= PRICES_MOST) return { events, lastEntry, isLast: false };
        const known = {
          entry: changed.entry,
          at: changed.at,
          kind: changed.kind,
          reference: changed.reference,
          entries: changed.entries,
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
    return { events, lastEntry, isLast };
  }

  /** Adds events to the books and stores them with the new position. */
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

  /** USDT values, by reference, of trades and conversions whose entry contains no USDT. */
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
/** Maximum number of reported differences per coin. */
const NAMED_PER_COIN = 20;
const NO_OWNER = '00000000-0000-0000-0000-000000000000';

/**
 * Audit rule M22: for every owner and coin, the counted amounts (with and without cost) equal the balance after the
 * last counted entry. Processes owners in pages and reports at most twenty differences per coin. Returns none for
 * databases of versions without costs.
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
