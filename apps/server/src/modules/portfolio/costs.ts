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
import { changesAfter, type AuditProblem, type EntryChanges, type Movements } from '../ledger/index.ts';
import type { Records } from '../spot/index.ts';
import { costDifferences, costsOf, hasCosts, keepCosts, lockPosition } from './repository.ts';

const STABLE_COIN = 'USDT';
const MOVEMENTS_AT_A_TIME = 1_000;
/** A request counts at most so many; who has more to catch up with sees their costs a few requests later. */
const MOVEMENTS_MOST = 10_000;

interface CostsParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly movements: Pick<Movements, 'awaitProjection'>;
  readonly records: Pick<Records, 'tradeValues'>;
  readonly conversions: {
    /** What exchanges were worth in USDT, by the id of their quote. */
    values(quotes: readonly string[]): Promise<ReadonlyMap<string, Decimal>>;
  };
}

/**
 * What a user's coins cost, by the average cost method, from every entry of the ledger that brought coins or took them
 * away. Each entry is counted once and in its order, when its owner next asks; the costs so far are stored, so that a
 * request does not grow with the history. They can be made again from the statement at any time.
 */
export class Costs {
  private readonly parts: CostsParts;

  constructor(parts: CostsParts) {
    this.parts = parts;
  }

  /** The costs by coin; empty while there are more movements to count than one request may. */
  async of(owner: UserId): Promise<ReadonlyMap<string, Cost>> {
    const { costs, isDone } = await this.countNext(owner);
    return isDone ? onlyBought(costs) : new Map();
  }

  /** Counts all of an owner's movements; resolves to the last entry that is counted. */
  async countAll(owner: UserId): Promise<number> {
    for (;;) {
      const { entry, isDone } = await this.countNext(owner);
      if (isDone) return entry;
    }
  }

  /** Counts as many movements as one request may. */
  private async countNext(owner: UserId) {
    const isMerged = !(await this.parts.movements.awaitProjection());
    return this.parts.database.transaction(async (tx) => {
      const counted = await lockPosition(tx, owner);
      let entry = counted;
      const costs = await costsOf(tx, owner);
      const changed = new Map<string, CoinCost>();
      let isDone = false;
      for (let read = 0; !isDone && read < MOVEMENTS_MOST; read += MOVEMENTS_AT_A_TIME) {
        const page = await changesAfter(tx, owner, entry, { limit: MOVEMENTS_AT_A_TIME, isMerged });
        const values = await this.valuesOf(page.entries);
        for (const changes of page.entries)
          for (const [coin, cost] of countEntry(costs, changes, values)) changed.set(coin, cost);
        entry = page.entries.at(-1)?.entry ?? entry;
        isDone = page.isLast;
      }
      if (entry > counted) await keepCosts(tx, owner, changed, entry);
      return { costs, entry, isDone };
    });
  }

  /** Worths of the trades and exchanges whose entry has no USDT to tell them by, by reference. */
  private async valuesOf(entries: readonly EntryChanges[]): Promise<ReadonlyMap<string, Decimal>> {
    const unknown = entries.filter(({ changes }) => !changes.has(STABLE_COIN));
    const referencesOf = (wanted: string) =>
      unknown.flatMap(({ kind, reference }) => (kind === wanted && reference !== null ? [reference] : []));
    const [trades, exchanges] = await Promise.all([
      this.parts.records.tradeValues(referencesOf('spot.traded')),
      this.parts.conversions.values(referencesOf('convert.exchanged')),
    ]);
    return new Map([...trades, ...exchanges]);
  }
}

/** Without coins of which none was ever bought. */
function onlyBought(costs: ReadonlyMap<string, CoinCost>): ReadonlyMap<string, Cost> {
  return new Map(
    [...costs]
      .filter(([, { amount, realized }]) => !amount.isZero() || !realized.isZero())
      .map(([coin, { amount, cost, realized }]) => [coin, { amount, cost, realized }] as const),
  );
}

/**
 * Counts one entry in `costs`; returns the coins it changed. A coin for another is a sale of the one and a purchase of the
 * other at one worth: the USDT of the entry, or what is in `values` under its reference. Everything else is an arrival
 * or a departure, also an exchange whose worth nobody knows. Coins that only changed their account change nothing.
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
  const known = usdt === undefined || usdt.isZero() ? values.get(reference ?? '') : usdt.absolute();
  const value = hasBothWays && moved.length === 2 ? known : undefined;
  const changed = new Map<string, CoinCost>();
  for (const [coin, amount] of moved) {
    if (coin === STABLE_COIN) continue;
    const after = afterChange(costs.get(coin) ?? NO_COST, amount, value);
    costs.set(coin, after);
    changed.set(coin, after);
  }
  return changed;
}

/** After a change of one coin: a trade where its worth in USDT is known, else an arrival or a departure. */
function afterChange(before: CoinCost, amount: Decimal, value: Decimal | undefined): CoinCost {
  if (amount.isPositive())
    return value === undefined ? afterArrival(before, amount) : afterPurchase(before, amount, value);
  const left = amount.absolute();
  return value === undefined ? afterDeparture(before, left) : afterSale(before, left, value);
}

/** Owners whose costs one query compares. */
const COMPARED = 1_000;
/** Differences of one coin that are named at most. */
const NAMED_PER_COIN = 20;
const NO_OWNER = '00000000-0000-0000-0000-000000000000';

/**
 * M22: bought coins and those without a cost are together what their owner had of the coin after the last entry that is
 * counted, by the statement. Page by page of owners; of one coin twenty differences are named. None in a database of a
 * version that counted no costs yet.
 */
export async function costProblems(reader: Reader): Promise<AuditProblem[]> {
  if (!(await hasCosts(reader))) return [];
  const named = new Map<string, number>();
  const problems: AuditProblem[] = [];
  for (let behind: string | undefined = NO_OWNER; behind !== undefined;) {
    const { different, last } = await costDifferences(reader, behind, COMPARED);
    for (const { owner, asset, held, counted } of different) {
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
