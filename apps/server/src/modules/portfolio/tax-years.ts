import { type Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { isTimeZone } from '@exchange/core/recurring.ts';
import {
  ENTERED_COSTS_MAX,
  periodOfYear,
  TAX_CURRENCY,
  yearOf,
  type TaxMethod,
  type TaxPeriod,
} from '@exchange/core/tax.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Costs } from './costs.ts';
import { isIncomeSection, NO_TOTALS, type YearTotals } from './domain/tax-totals.ts';
import { lockPosition } from './repository.ts';
import {
  latestYears,
  sectionsOfYears,
  zoneOf,
  type EnteredCost,
  type SectionYear,
} from './tax-books-repository.ts';
import {
  arrivalsPage,
  countEntered,
  deleteEntered,
  disposalsPage,
  findArrival,
  lotsPage,
  saveEntered,
  saveZone,
  yearsOf,
  type EventKey,
} from './tax-repository.ts';

export type { ArrivalRow, DisposalRow, EventKey, UseRow } from './tax-repository.ts';

interface TaxYearsParts {
  readonly clock: Clock;
  readonly costs: Pick<Costs, 'catchUp' | 'recount'>;
  readonly database: Pick<Database, 'reader' | 'transaction'>;
  readonly subAccountNames: SubAccountNames;
}

/** Names of sub-accounts by id. */
export type AccountNames = ReadonlyMap<UserId, string>;

/** Returns the names of all sub-accounts of a main account by their id, archived ones included. */
export type SubAccountNames = (master: UserId) => Promise<AccountNames>;

/** The name of a sub-account; empty for the main account. */
export function accountName(account: UserId | undefined, names: AccountNames): string {
  return account === undefined ? '' : (names.get(account) ?? '');
}

/**
 * A coin's totals in a year; `open` is the amount held at the start of the year, the known cost of a part of it, and
 * the amount without a known cost.
 */
export interface CoinTotals {
  readonly asset: string;
  readonly open: Pick<YearTotals, 'quantity' | 'cost' | 'uncosted'>;
  readonly totals: YearTotals;
}

/**
 * A user's year for a tax return; values in USDT. `isReady` is false while movements are being counted; the lists of
 * coins and of sections (kinds of income, and products) are then empty.
 */
export interface TaxYear {
  readonly isReady: boolean;
  /** Number of the user's sub-accounts, archived ones included, which the year includes. */
  readonly subAccounts: number;
  /** Time zone in which the year begins and ends, an IANA name. */
  readonly zone: string;
  readonly year: number;
  readonly years: readonly number[];
  readonly coins: readonly CoinTotals[];
  readonly sections: readonly SectionYear[];
}

/**
 * Tax years: realized gains, income and results of products by year and coin, of a user's main account and all
 * sub-accounts together. Their books are counted together with the cost basis of coins, so both always agree.
 */
export class TaxYears {
  private readonly parts: TaxYearsParts;

  constructor(parts: TaxYearsParts) {
    this.parts = parts;
  }

  /**
   * A user's tax year, by default the current one in the user's time zone. While movements are being counted, `isReady`
   * is false and there are no coins and sections. Coins that were neither held at the start nor changed in the year are
   * omitted. Refuses a year that has not begun.
   */
  async year(owner: UserId, method: TaxMethod, chosen: number | undefined): Promise<TaxYear> {
    const { clock, database } = this.parts;
    const zone = await zoneOf(database.reader, owner);
    const current = yearOf(clock.now(), zone);
    const year = chosen ?? current;
    if (year > current)
      throw new Refused(
        refusal('invalidField', 'l.field_max', {
          field: 'year',
          limit: String(current),
          value: String(year),
        }),
      );
    const isReady = await this.parts.costs.catchUp(owner);
    const subAccounts = (await this.parts.subAccountNames(owner)).size;
    if (!isReady)
      return {
        isReady,
        subAccounts,
        zone,
        year,
        years: [...new Set([current, year])].toSorted((a, b) => b - a),
        coins: [],
        sections: [],
      };
    const [known, before, latest, sections] = await Promise.all([
      yearsOf(database.reader, owner),
      latestYears(database.reader, owner, year - 1, method),
      latestYears(database.reader, owner, year, method),
      sectionsOfYears(database.reader, owner, [year]),
    ]);
    const openByCoin = new Map(before.map(({ asset, totals }) => [asset, totals]));
    const coins = latest.map((row) => {
      const open = openByCoin.get(row.asset) ?? NO_TOTALS;
      return {
        asset: row.asset,
        open,
        totals: row.year === year ? row.totals : { ...NO_TOTALS, ...heldOf(row.totals) },
      };
    });
    return {
      isReady,
      subAccounts,
      zone,
      year,
      years: [...new Set([current, ...known])].toSorted((a, b) => b - a),
      coins: coins.filter(({ open, totals }) => !open.quantity.isZero() || hasChanged(totals)),
      sections,
    };
  }

  /** The names of all of a user's sub-accounts, archived ones included, by id. */
  accountNames(owner: UserId): Promise<AccountNames> {
    return this.parts.subAccountNames(owner);
  }

  /** Start and end of a year in the time zone of a user's tax years; the end is exclusive. */
  async period(owner: UserId, year: number): Promise<TaxPeriod> {
    return periodOfYear(year, await zoneOf(this.parts.database.reader, owner));
  }

  /**
   * Sets the time zone in which a user's tax years begin and end, and discards the user's books, which are then counted
   * again. The zone that is already set changes nothing. Refuses a name that is not in the IANA time zone database.
   */
  async setZone(owner: UserId, zone: string): Promise<void> {
    const { clock, costs, database } = this.parts;
    if (!isTimeZone(zone))
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'timeZone', value: zone }));
    await database.transaction(async (tx) => {
      await lockPosition(tx, owner);
      if ((await zoneOf(tx, owner)) === zone) return;
      await saveZone(tx, owner, zone, clock.now());
      await costs.recount(tx, owner);
    });
  }

  /**
   * A page of a user's disposals of a year, in all coins or in one, newest first; those that are not
   * completely counted yet are missing.
   */
  async disposals(
    owner: UserId,
    { year, asset }: { readonly year: number; readonly asset: string | undefined },
    page: AskedPage,
  ) {
    const period = await this.period(owner, year);
    return disposalsPage(this.parts.database.reader, owner, { period, asset }, rowsOfPage(page));
  }

  /** A page of the lots that a user's disposal used up, in whole or in part, newest first. */
  lots(owner: UserId, disposal: EventKey, page: AskedPage) {
    return lotsPage(this.parts.database.reader, owner, disposal, rowsOfPage(page));
  }

  /**
   * A page of the coins that arrived at a user from outside the person's accounts, newest first. While
   * movements are being counted, the latest arrivals are missing.
   */
  async arrivals(owner: UserId, page: AskedPage) {
    await this.parts.costs.catchUp(owner);
    return arrivalsPage(this.parts.database.reader, owner, rowsOfPage(page));
  }

  /**
   * Sets the cost and time of acquisition of coins that arrived from outside the person's accounts, and
   * discards the user's books, which are then counted again. The same values as before change nothing.
   * Refuses an unknown arrival, an acquisition later than the arrival, and a new entry beyond
   * `ENTERED_COSTS_MAX`.
   */
  async setCost(owner: UserId, arrival: EventKey, entered: EnteredCost): Promise<void> {
    const { clock, costs, database } = this.parts;
    await database.transaction(async (tx) => {
      await lockPosition(tx, owner);
      const row = await findArrival(tx, owner, arrival);
      if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
      if (entered.acquiredAt > row.at)
        throw new Refused(refusal('invalidField', 'l.tax_acquired_late', { field: 'acquireTime' }));
      const { entered: before } = row;
      if (before?.cost.equals(entered.cost) === true && before.acquiredAt === entered.acquiredAt) return;
      if (before === undefined && (await countEntered(tx, owner)) >= ENTERED_COSTS_MAX)
        throw new Refused(refusal('aboveMaximum', 'l.tax_costs_max', { limit: String(ENTERED_COSTS_MAX) }));
      await saveEntered(tx, owner, arrival, entered, clock.now());
      await costs.recount(tx, owner);
    });
  }

  /**
   * Removes the cost that the user entered for an arrival, and discards the user's books, which are then counted again.
   * Without an entered cost nothing changes. Refuses an unknown arrival.
   */
  async removeCost(owner: UserId, arrival: EventKey): Promise<void> {
    const { costs, database } = this.parts;
    await database.transaction(async (tx) => {
      await lockPosition(tx, owner);
      const row = await findArrival(tx, owner, arrival);
      if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
      if (row.entered === undefined) return;
      await deleteEntered(tx, owner, arrival);
      await costs.recount(tx, owner);
    });
  }
}

function heldOf({ quantity, cost, uncosted }: YearTotals) {
  return { quantity, cost, uncosted };
}

function hasChanged({ quantity, acquired, income, arrived, departed, disposed }: YearTotals): boolean {
  return [quantity, acquired, income, arrived, departed, disposed].some((amount) => !amount.isZero());
}

/**
 * Sums of a year over all coins and sections, in USDT, and the number of changes of coins, other than
 * transfers, without a known value. Proceeds, costs and gains leave out USDT itself.
 */
export function totalsOfYear({ coins, sections }: Pick<TaxYear, 'coins' | 'sections'>) {
  const ofCoins = (figure: (totals: YearTotals) => Decimal) => sum(coins.map(({ totals }) => figure(totals)));
  const income = sections.filter(({ section }) => isIncomeSection(section));
  const products = sections.filter(({ section }) => !isIncomeSection(section));
  const valued = coins.filter(({ asset }) => asset !== TAX_CURRENCY);
  const ofGains = (figure: (totals: YearTotals) => Decimal) =>
    sum(valued.map(({ totals }) => figure(totals)));
  return {
    proceeds: ofGains(({ proceeds }) => proceeds),
    disposedCost: ofGains(({ disposedCost }) => disposedCost),
    gain: ofGains(({ gain }) => gain),
    unknownProceeds: ofGains(({ unknownProceeds }) => unknownProceeds),
    income: sum(income.map(({ totals }) => totals.gainedValue)),
    productGains: sum(products.map(({ totals }) => totals.gainedValue)),
    productLosses: sum(products.map(({ totals }) => totals.lostValue)),
    fees: ofCoins(({ fees }) => fees),
    unvalued: coins.reduce((count, { totals }) => count + totals.unvalued, 0),
  };
}
