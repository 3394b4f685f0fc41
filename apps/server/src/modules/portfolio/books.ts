import { NO_COST, type CoinCost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { TAX_CURRENCY, TAX_METHODS, yearOf, type TaxMethod } from '@exchange/core/tax.ts';
import type { Tx } from '../../platform/database/database.ts';
import { takeFrom, type Lot, type LotUse } from './domain/lots.ts';
import type { TaxEvent } from './domain/tax-events.ts';
import {
  arrivalCost,
  averageAfter,
  averageLeavingCost,
  carriedOver,
  NO_SECTION,
  NO_TOTALS,
  sectionAfter,
  totalsAfterArrival,
  totalsAfterLeaving,
  type LeavingCost,
  type YearTotals,
} from './domain/tax-totals.ts';
import { costsOf, storeCosts } from './repository.ts';
import {
  costKey,
  enteredCosts,
  insertUses,
  latestYears,
  openLots,
  saveDisposals,
  saveLots,
  saveSections,
  saveYears,
  sectionsOfYears,
  startedDisposals,
  zoneOf,
  type CoinYear,
  type Disposal,
  type EnteredCost,
  type SectionYear,
} from './tax-books-repository.ts';

const LOTS_AT_A_TIME = 500;
/**
 * Maximum number of lots that one transaction uses, over all coins of a user; a larger disposal continues in the next
 * transaction.
 */
const USES_MOST = 2_000;
const LAST_YEAR = 9_999;

/** Open lots of a coin: the stored ones, read in pages, followed by the ones that this transaction adds. */
interface LotQueue {
  readonly stored: Lot[];
  /** Ledger entry of the last stored lot that was read; undefined when no stored lots are left to read. */
  lastRead: number | undefined;
  readonly added: Lot[];
}

type Matched = Pick<Disposal, 'matched' | 'fifoCosted' | 'fifoCost'>;

const UNMATCHED: Matched = {
  matched: Decimal.zero,
  fifoCosted: Decimal.zero,
  fifoCost: Decimal.zero,
};

/**
 * A user's books of realized gains, loaded and saved in one transaction. `addEntry` updates both methods together: lots
 * for first in, first out, and the cost basis for the average cost.
 */
export class Books {
  /**
   * The cost basis of each of the user's coins except USDT, by coin, by the average cost method. Costs are in USDT,
   * so USDT has no cost basis itself.
   */
  readonly costs: Map<string, CoinCost>;
  private readonly tx: Tx;
  private readonly owner: UserId;
  /** IANA name of the time zone in which the user's tax years begin and end. */
  private readonly zone: string;
  private readonly years: Map<string, CoinYear>;
  private readonly sections: Map<string, SectionYear>;
  private readonly entered: ReadonlyMap<string, EnteredCost>;
  private readonly queues = new Map<string, LotQueue>();
  private readonly changedCosts = new Map<string, CoinCost>();
  private readonly changedYears = new Map<string, CoinYear>();
  private readonly changedSections = new Map<string, SectionYear>();
  private readonly changedLots = new Map<string, Lot & { readonly asset: string }>();
  private readonly disposals = new Map<string, Disposal>();
  private readonly uses: (LotUse & { readonly entry: number; readonly asset: string })[] = [];

  private constructor(
    tx: Tx,
    owner: UserId,
    stored: Pick<Books, 'costs'> & {
      readonly zone: string;
      readonly years: readonly CoinYear[];
      readonly sections: readonly SectionYear[];
      readonly entered: ReadonlyMap<string, EnteredCost>;
    },
  ) {
    this.tx = tx;
    this.owner = owner;
    this.costs = stored.costs;
    this.zone = stored.zone;
    this.entered = stored.entered;
    this.years = new Map(stored.years.map((row) => [`${row.method} ${row.asset}`, row]));
    this.sections = new Map(stored.sections.map((row) => [sectionKey(row), row]));
  }

  /**
   * Loads a user's books as far as the events can change them: all cost bases and latest totals, the totals by section
   * (a kind of income, or a product) of the events' years, and the costs that the user entered for transfers among
   * them.
   */
  static async load(tx: Tx, owner: UserId, events: readonly TaxEvent[]): Promise<Books> {
    const transfers = events.filter(({ category, amount }) => category === 'transfer' && amount.isPositive());
    const costs = await costsOf(tx, owner);
    const years = await latestYears(tx, owner, LAST_YEAR);
    const zone = await zoneOf(tx, owner);
    const sections = await sectionsOfYears(tx, owner, [...new Set(events.map(({ at }) => yearOf(at, zone)))]);
    const entered = await enteredCosts(
      tx,
      owner,
      transfers.map(({ entry }) => entry),
    );
    return new Books(tx, owner, {
      costs,
      zone,
      years,
      sections,
      entered,
    });
  }

  /**
   * Adds all events of one ledger entry; coins that leave, except USDT, are first matched with lots. Returns false if
   * the transaction has used `USES_MOST` lots. The next transaction must then add the entry again, and continues its
   * disposals.
   */
  async addEntry(events: readonly TaxEvent[], isFirst: boolean): Promise<boolean> {
    const started = isFirst ? await startedDisposals(this.tx, this.owner, events[0]!.entry) : [];
    const startedByAsset = new Map(started.map((disposal) => [disposal.asset, disposal]));
    for (const event of events) {
      if (event.amount.isPositive() || event.asset === TAX_CURRENCY) continue;
      if (!(await this.match(event, startedByAsset.get(event.asset) ?? UNMATCHED))) return false;
    }
    for (const event of events) {
      if (event.amount.isPositive()) this.addArrival(event);
      else this.addLeaving(event);
      this.addToSection(event);
    }
    return true;
  }

  /** Stores in the transaction everything that the added events have changed in the user's books. */
  async save(): Promise<void> {
    const { tx, owner } = this;
    await storeCosts(tx, owner, this.changedCosts);
    await saveLots(tx, owner, [...this.changedLots.values()]);
    await saveDisposals(tx, owner, [...this.disposals.values()]);
    await insertUses(tx, owner, this.uses);
    await saveYears(tx, owner, [...this.changedYears.values()]);
    await saveSections(tx, owner, [...this.changedSections.values()]);
  }

  /**
   * Uses up lots for a disposal, oldest first. Returns false if the transaction has used `USES_MOST` lots before they
   * cover the whole amount; the matched part is kept, and the next transaction continues with it.
   */
  private async match(event: TaxEvent, before: Matched): Promise<boolean> {
    const { asset, entry } = event;
    const amount = event.amount.absolute();
    let { matched, fifoCosted, fifoCost } = before;
    while (matched.isLess(amount) && this.uses.length < USES_MOST) {
      const lot = await this.nextLot(asset);
      // Every coin arrived by an event, so lots are missing only if the ledger statement is damaged; the amount then
      // counts as matched.
      if (lot === undefined) {
        matched = amount;
        break;
      }
      const { use, lot: rest } = takeFrom(lot, amount.minus(matched));
      this.replaceFirstLot(asset, rest);
      this.uses.push({
        entry,
        asset,
        lot: use.lot,
        amount: use.amount,
        cost: use.cost,
      });
      matched = matched.plus(use.amount);
      if (use.cost === undefined) continue;
      fifoCosted = fifoCosted.plus(use.amount);
      fifoCost = fifoCost.plus(use.cost);
    }
    this.disposals.set(costKey(event), {
      entry,
      asset,
      at: event.at,
      category: event.category,
      section: event.section,
      amount,
      matched,
      proceeds: event.category === 'transfer' ? undefined : event.value?.value,
      fifoCosted,
      fifoCost,
      averageCosted: Decimal.zero,
      averageCost: Decimal.zero,
    });
    return matched.equals(amount);
  }

  /** The oldest open lot of a coin, read from the database or added by this transaction; undefined if there is none. */
  private async nextLot(asset: string): Promise<Lot | undefined> {
    const queue = this.queueOf(asset);
    if (queue.stored.length === 0 && queue.lastRead !== undefined) {
      const page = await openLots(this.tx, this.owner, asset, queue.lastRead, LOTS_AT_A_TIME);
      queue.stored.push(...page);
      queue.lastRead = page.length < LOTS_AT_A_TIME ? undefined : page.at(-1)!.entry;
    }
    return queue.stored[0] ?? queue.added[0];
  }

  private replaceFirstLot(asset: string, lot: Lot): void {
    const queue = this.queueOf(asset);
    const lots = queue.stored.length > 0 ? queue.stored : queue.added;
    if (lot.remaining.isZero()) lots.shift();
    else lots[0] = lot;
    this.saveLot(asset, lot);
  }

  private saveLot(asset: string, lot: Lot): void {
    this.changedLots.set(`${asset} ${lot.entry}`, {
      asset,
      entry: lot.entry,
      acquiredAt: lot.acquiredAt,
      amount: lot.amount,
      remaining: lot.remaining,
      cost: lot.cost,
    });
  }

  private queueOf(asset: string): LotQueue {
    const known = this.queues.get(asset);
    if (known !== undefined) return known;
    const queue: LotQueue = { stored: [], lastRead: 0, added: [] };
    this.queues.set(asset, queue);
    return queue;
  }

  private addArrival(event: TaxEvent): void {
    const { asset, entry, amount, at } = event;
    const entered = this.entered.get(costKey(event));
    const cost = arrivalCost(event, entered?.cost);
    if (asset !== TAX_CURRENCY) {
      const lot: Lot = {
        entry,
        acquiredAt: entered?.acquiredAt ?? at,
        amount,
        remaining: amount,
        cost,
      };
      this.queueOf(asset).added.push(lot);
      this.saveLot(asset, lot);
      this.setCost(asset, averageAfter(this.costOf(asset), event, entered?.cost));
    }
    for (const method of TAX_METHODS)
      this.setTotals(method, event, totalsAfterArrival(this.totalsOf(method, event), event, cost));
  }

  private addLeaving(event: TaxEvent): void {
    const { asset } = event;
    const amount = event.amount.absolute();
    if (asset === TAX_CURRENCY) {
      for (const method of TAX_METHODS)
        this.addLeavingTotals(method, event, { costed: amount, cost: amount });
      return;
    }
    const before = this.costOf(asset);
    const after = averageAfter(before, event, undefined);
    const average = averageLeavingCost(before, after);
    this.setCost(asset, after);
    const disposal = this.disposals.get(costKey(event))!;
    this.disposals.set(costKey(event), {
      ...disposal,
      averageCosted: average.costed,
      averageCost: average.cost,
    });
    this.addLeavingTotals('average', event, average);
    this.addLeavingTotals('fifo', event, { costed: disposal.fifoCosted, cost: disposal.fifoCost });
  }

  private addLeavingTotals(method: TaxMethod, event: TaxEvent, leaving: LeavingCost): void {
    this.setTotals(method, event, totalsAfterLeaving(this.totalsOf(method, event), event, leaving));
  }

  private addToSection(event: TaxEvent): void {
    const { section, asset } = event;
    if (section === undefined) return;
    const row = { year: yearOf(event.at, this.zone), section, asset };
    const key = sectionKey(row);
    const totals = sectionAfter(this.sections.get(key)?.totals ?? NO_SECTION, event);
    const changed: SectionYear = {
      year: row.year,
      section,
      asset,
      totals,
    };
    this.sections.set(key, changed);
    this.changedSections.set(key, changed);
  }

  private costOf(asset: string): CoinCost {
    return this.costs.get(asset) ?? NO_COST;
  }

  private setCost(asset: string, cost: CoinCost): void {
    this.costs.set(asset, cost);
    this.changedCosts.set(asset, cost);
  }

  private totalsOf(method: TaxMethod, { asset, at }: TaxEvent): YearTotals {
    const latest = this.years.get(`${method} ${asset}`);
    if (latest === undefined) return NO_TOTALS;
    return latest.year < yearOf(at, this.zone) ? carriedOver(latest.totals) : latest.totals;
  }

  private setTotals(method: TaxMethod, { asset, at }: TaxEvent, totals: YearTotals): void {
    const key = `${method} ${asset}`;
    const year = Math.max(yearOf(at, this.zone), this.years.get(key)?.year ?? 0);
    const row: CoinYear = {
      year,
      method,
      asset,
      totals,
    };
    this.years.set(key, row);
    this.changedYears.set(`${year} ${key}`, row);
  }
}

function sectionKey({ year, section, asset }: Pick<SectionYear, 'year' | 'section' | 'asset'>): string {
  return `${year} ${section} ${asset}`;
}
