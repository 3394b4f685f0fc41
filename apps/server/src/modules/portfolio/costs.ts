import {
  afterArrival,
  afterDeparture,
  afterPurchase,
  afterSale,
  NO_COST,
  type CoinCost,
  type Cost,
} from '@exchange/core/cost.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import {
  changesAfter,
  type AuditProblem,
  type EntryChanges,
  hasMoreMovements,
  type Movements,
} from '../ledger/index.ts';
import type { Records } from '../spot/index.ts';
import { costDifferences, costsOf, hasCosts, storeCosts, lockPosition, positionOf } from './repository.ts';

const STABLE_COIN = 'USDT';
const MOVEMENTS_AT_A_TIME = 1_000;
/**
 * Greatest number of movements that one transaction adds to the cost basis: about 20 ms of work.
 */
const MOVEMENTS_MOST = 2_000;
/** Greatest number of transactions per run of the job. A stop of the server waits for a run. */
const PORTIONS_OF_A_RUN = 50;
const COUNT_JOB = 'portfolio.countCosts';

interface CostsParts {
  readonly jobs: Pick<Jobs, 'add' | 'define'>;
  readonly database: Pick<Database, 'store' | 'transaction'>;
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
 * Cost basis of a user's coins by the average cost method, computed from all ledger entries that add or remove coins.
 * Each entry is counted once and in order, when the owner next requests the costs. Results are stored, so a request
 * does not grow with the history; they can be recomputed from the statement.
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
   * A user's cost basis by coin. Empty while more movements are pending than one request may count:
   * the request then counts none, and a background job counts all.
   */
  async byCoin(owner: UserId): Promise<ReadonlyMap<string, Cost>> {
    const { store } = this.parts.database;
    const isLong = await hasMoreMovements(store, owner, await positionOf(store, owner), MOVEMENTS_MOST);
    if (!isLong) {
      const { costs, isDone } = await this.countNext(owner);
      if (isDone) return onlyBought(costs);
    }
    await this.enqueueRest(owner);
    return new Map();
  }

  /**
   * Adds all pending movements of a user to the cost basis and returns the number of the last
   * counted ledger entry.
   */
  async countAll(owner: UserId): Promise<number> {
    for (;;) {
      const { entry, isDone } = await this.countNext(owner);
      if (isDone) return entry;
    }
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

  /** Adds pending movements to the cost basis, at most the limit per transaction. */
  private async countNext(owner: UserId) {
    const isMerged = !(await this.parts.movements.awaitProjection());
    return this.parts.database.transaction(async (tx) => {
      const counted = await lockPosition(tx, owner);
      let entry = counted;
      const costs = await costsOf(tx, owner);
      const changed = new Map<string, CoinCost>();
      let isDone = false;
      for (let readCount = 0; !isDone && readCount < MOVEMENTS_MOST; readCount += MOVEMENTS_AT_A_TIME) {
        const page = await changesAfter(tx, owner, entry, { limit: MOVEMENTS_AT_A_TIME, isMerged });
        const values = await this.valuesOf(page.entries);
        for (const changes of page.entries)
          for (const [coin, cost] of countEntry(costs, changes, values)) changed.set(coin, cost);
        entry = page.entries.at(-1)?.entry ?? entry;
        isDone = page.isLast;
      }
      if (entry > counted) await storeCosts(tx, owner, changed, entry);
      return { costs, entry, isDone };
    });
  }

  /** USDT values, by reference, of trades and conversions whose entry contains no USDT. */
  private async valuesOf(entries: readonly EntryChanges[]): Promise<ReadonlyMap<string, Decimal>> {
    const unknown = entries.filter(({ changes }) => !changes.has(STABLE_COIN));
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

/** Omits coins of which no bought amount is left and which have neither profit nor loss. */
function onlyBought(costs: ReadonlyMap<string, CoinCost>): ReadonlyMap<string, Cost> {
  return new Map(
    [...costs]
      .filter(([, { amount, realized }]) => !amount.isZero() || !realized.isZero())
      .map(([coin, { amount, cost, realized }]) => [coin, { amount, cost, realized }] as const),
  );
}

/**
 * Applies one ledger entry to `costs` (the cost basis by coin) and returns the changed coins. An
 * exchange of two coins is a sale of one and a purchase of the other at the same value: the entry's
 * USDT amount, or the entry in `values` for its reference. Everything else is an arrival or a
 * departure, including exchanges of unknown value. Moves between a user's own accounts change
 * nothing.
 */
export function countEntry(
  costs: Map<string, CoinCost>,
  { reference, changes }: Pick<EntryChanges, 'reference' | 'changes'>,
  values: ReadonlyMap<string, Decimal>,
): Map<string, CoinCost> {
  const moved = [...changes].filter(([, amount]) => !amount.isZero());
  const hasBothWays =
    moved.some(([, amount]) => amount.isPositive()) && moved.some(([, amount]) => amount.isNegative());
  const usdt = changes.get(STABLE_COIN);
  const knownValue = usdt === undefined || usdt.isZero() ? values.get(reference ?? '') : usdt.absolute();
  const value = hasBothWays && moved.length === 2 ? knownValue : undefined;
  const changed = new Map<string, CoinCost>();
  for (const [coin, amount] of moved) {
    if (coin === STABLE_COIN) continue;
    const updated = afterChange(costs.get(coin) ?? NO_COST, amount, value);
    costs.set(coin, updated);
    changed.set(coin, updated);
  }
  return changed;
}

/**
 * The cost basis of a coin after a change of its amount: a trade if its value in USDT is known,
 * otherwise an arrival or departure.
 */
function afterChange(cost: CoinCost, amount: Decimal, value: Decimal | undefined): CoinCost {
  if (amount.isPositive())
    return value === undefined ? afterArrival(cost, amount) : afterPurchase(cost, amount, value);
  const removed = amount.absolute();
  return value === undefined ? afterDeparture(cost, removed) : afterSale(cost, removed, value);
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
