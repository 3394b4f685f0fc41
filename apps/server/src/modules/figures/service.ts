import { Decimal } from '@exchange/core/decimal.ts';
import {
  figuresOf,
  FIGURES,
  measureNamed,
  MEASURES,
  valueOf,
  type DayFigure,
  type MeasureName,
  type DueLiability,
  type Exposure,
  type OpenStake,
} from '@exchange/core/figures.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireText } from '../../platform/console/field-values.ts';
import { csvRow } from '../../platform/csv.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { inLane } from '../../platform/database/lanes.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { coveredDays, type Reserve } from '../../platform/health/reserves.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { SharedAnswer } from '../../platform/shared-answer.ts';
import type { Identity } from '../identity/index.ts';
import { houseAddress, type HouseAccount, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import {
  alarmText,
  dayExposures,
  dayText,
  dayValues,
  measured,
  productValues,
  type DayValues,
  type Limit,
  type LimitKey,
  type Measured,
  type PriceOf,
  type ProductValues,
} from './domain.ts';
import type { Flows } from './flows.ts';
import {
  fillPrices,
  firstEntryDay,
  firstFlowDay,
  lastRegistrationDay,
  pricesOfDays,
  registrationsOfDays,
  savePrices,
  saveRegistrations,
  storedFlows,
} from './flows-repository.ts';
import { limitVersions, presentLimit, presentLimits, saveLimit } from './limits-repository.ts';

/**
 * What the figures need from the products: risk measures, due payments, the balances of the accounts that pay
 * earnings or profits (`reserves`), and open stakes.
 */
export interface FigureSources {
  readonly exposures: () => Promise<readonly Exposure[]>;
  readonly dueLiabilities: (untilDay: number) => Promise<readonly DueLiability[]>;
  readonly reserves: () => Promise<readonly Reserve[]>;
  readonly openStakes: (limit: number) => Promise<BoundedRows<OpenStake>>;
}

export interface FigureParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'own' | 'reader' | 'store' | 'transaction'>;
  readonly log: Log;
  readonly coins: readonly { readonly code: string }[];
  readonly identity: Pick<Identity, 'registrationsIn'>;
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly market: Pick<Market, 'usdtPrice' | 'pastCandles'>;
  readonly flows: Flows;
  readonly sources: FigureSources;
}

/**
 * An amount in a coin that is due to users on a UTC day, and `payable`, the present balance of the accounts
 * that pay in this coin. Amounts that are due on earlier days are not subtracted from it.
 */
export interface DueRow extends DueLiability {
  readonly total: Decimal;
  readonly payable: Decimal;
}

const REFRESH_MS = 30_000;
/**
 * Milliseconds between two reads of the totals over all running orders; longer than for other risk measures, because
 * these reads are expensive.
 */
const DUE_REFRESH_MS = 5 * 60_000;
const DUE_DAYS = 30;
const SOON_DAYS = 7;
const STAKES_SHOWN = 500;
const TODAY_SHARED_MS = 10_000;
/** Greatest number of past days for which registrations and closing prices are stored at the first start. */
const PAST_DAYS = 366;
/**
 * Number of days, including the last counted day, whose registrations each refresh counts again, because an account
 * that was created before midnight may be stored after midnight.
 */
const RECOUNTED_DAYS = 2;
/** Number of days that one query reads for an exported file of figures. */
const FILE_DAYS = 7;
const BY_MAX = 100;
const REASON_MAX = 500;
/**
 * If more than this number of ledger entries are not added to the daily flows yet, the health of the figures is
 * reported as down.
 */
const BEHIND_MAX = 100_000;
/** Accounts of the exchange that pay due principal and earnings, in addition to the customers' own locked balances. */
const PAYERS: readonly HouseAccount[] = ['interest', 'accrued', 'mining'];

/**
 * The exchange's figures: daily totals of the ledger, and current risk measures compared with their limits. Screens
 * read stored totals and the results of the last refresh, so no screen waits for a query whose cost grows with the
 * history.
 */
export class HouseFigures {
  private readonly parts: FigureParts;
  private readonly refreshes = new SerialRuns(() => this.measure());
  private readonly due: SharedAnswer<readonly DueLiability[]>;
  private readonly today: SharedAnswer<{ values: DayValues; products: readonly ProductValues[] }>;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = true;
  private measures: readonly Measured[] | undefined;
  private failure: string | undefined;
  private beyond: ReadonlySet<string> = new Set();

  constructor(parts: FigureParts) {
    this.parts = parts;
    const { clock } = parts;
    this.due = new SharedAnswer(() => parts.sources.dueLiabilities(this.dayNow() + DUE_DAYS - 1), {
      clock,
      maxAgeMs: DUE_REFRESH_MS,
    });
    this.today = new SharedAnswer(() => this.readToday(), { clock, maxAgeMs: TODAY_SHARED_MS });
  }

  start(): void {
    this.isStopped = false;
    this.parts.flows.start();
    this.schedule(0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.refreshes.whenIdle();
    await this.parts.flows.stop();
  }

  /**
   * Stores the prices of this UTC day and the registrations, and compares all risk measures with their
   * limits.
   */
  refresh(): Promise<void> {
    return this.refreshes.run();
  }

  /**
   * The values, in USDT, of the exchange's figures on the days from `from` to `to`, both included, newest
   * first.
   */
  async days(from: number, to: number): Promise<DayValues[]> {
    const { figures, priceOf, newUsers } = await this.read(from, to);
    const byDay = groupBy(figures, ({ day }) => day);
    const days = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => to - index);
    return days.map((day) =>
      dayValues(day, byDay.get(day) ?? [], { priceOf, newUsers: newUsers.get(day) ?? 0 }),
    );
  }

  /**
   * Result, fees and turnover in USDT by day and product for the days from `from` to `to`, both included,
   * newest first.
   */
  async products(from: number, to: number): Promise<ProductValues[]> {
    const { figures, priceOf } = await this.read(from, to);
    return productValues(figures, priceOf);
  }

  /**
   * All risk measures with their limits as of the last refresh; those outside their limits come first, then those whose
   * value is unknown.
   */
  async now(): Promise<readonly Measured[]> {
    if (this.measures === undefined) await this.refresh();
    return this.measures ?? [];
  }

  /**
   * The amounts that become due to users within 30 days, including today, by UTC day and coin. Each row also
   * states the whole present balance of the paying accounts in the coin, from which amounts due on earlier
   * days are not subtracted.
   */
  async dueRows(): Promise<DueRow[]> {
    const due = await this.due.get();
    const rows = new Map<string, DueRow>();
    for (const { day, asset, principal, earnings } of due) {
      const key = `${String(day).padStart(9, '0')} ${asset}`;
      const before = rows.get(key);
      const sums = {
        principal: before?.principal.plus(principal) ?? principal,
        earnings: before?.earnings.plus(earnings) ?? earnings,
      };
      rows.set(key, {
        day,
        asset,
        principal: sums.principal,
        earnings: sums.earnings,
        total: sums.principal.plus(sums.earnings),
        payable: this.payableOf(asset),
      });
    }
    return [...rows].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
  }

  openStakes(): Promise<BoundedRows<OpenStake>> {
    return this.parts.sources.openStakes(STAKES_SHOWN);
  }

  /** The title, formula and source of all figures and risk measures. */
  definitions() {
    const rows = Object.entries({ ...FIGURES, ...MEASURES });
    return rows.map(([name, { title, formula, source }]) => ({
      name,
      title,
      formula,
      source,
    }));
  }

  /**
   * Yields the figures of the days from `from` to `to` as CSV, oldest day first. The first part is the line with the
   * column names; each other part contains lines of one day.
   */
  async *file(from: number, to: number): AsyncGenerator<string, void> {
    yield csvRow(['day', 'figure', 'part', 'coin', 'amount', 'price in USDT', 'value in USDT']);
    for (let day = from; day <= to; day += FILE_DAYS) {
      const last = Math.min(to, day + FILE_DAYS - 1);
      const { figures, priceOf, newUsers } = await inLane('operators', () => this.read(day, last));
      for (let each = day; each <= last; each += 1) {
        yield figures
          .filter((figure) => figure.day === each)
          .map((figure) => {
            const price = priceOf(each, figure.asset);
            const value = valueOf(figure, price);
            return csvRow([
              dayText(each),
              figure.figure,
              figure.part,
              figure.asset,
              figure.amount.toString(),
              price?.toString() ?? '',
              value?.toString() ?? '',
            ]);
          })
          .join('');
        yield csvRow([dayText(each), 'newUsers', '', '', String(newUsers.get(each) ?? 0), '', '']);
      }
    }
  }

  /** First UTC day with stored flows, in days since 1970; today if there are none. */
  async firstDay(): Promise<number> {
    return (await firstFlowDay(this.parts.database.reader)) ?? this.dayNow();
  }

  /** The current UTC day, in days since 1970. */
  dayNow(): number {
    return Math.floor(this.parts.clock.now() / DAY_MS);
  }

  /**
   * Deletes the daily flows; afterwards, they are recomputed in the background from the ledger's first entry.
   */
  recount(): Promise<void> {
    return this.parts.flows.recount();
  }

  /**
   * Returns a risk measure for a subject, with its value and limits as of the last refresh. Refuses an
   * unknown measure, and a subject that is neither measured nor has stored limits.
   */
  async requireMeasured({ measure, subject }: LimitKey): Promise<Measured> {
    const found = (await this.now()).find((each) => each.measure === measure && each.subject === subject);
    if (found === undefined || measureNamed(measure) === undefined)
      throw new Refused(refusal('generic', 'l.not_found'));
    return found;
  }

  limitOf(key: LimitKey): Promise<Limit> {
    return presentLimit(this.parts.database.reader, key);
  }

  limitVersions(key: LimitKey, range: VersionsBelow) {
    return limitVersions(this.parts.database.reader, key, range);
  }

  /**
   * Sets the limits of a risk measure for a subject; the operator and the reason are stored with them. Reads
   * the measures again, and returns the number of the version. Refuses an empty or too long operator or
   * reason, and what `requireMeasured` refuses.
   */
  async setLimit(
    limit: Omit<Limit, 'version'>,
    { by, reason }: { readonly by: string; readonly reason: string },
  ): Promise<{ version: number }> {
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    await this.requireMeasured(limit);
    const { clock, database } = this.parts;
    const author = { by, reason, at: clock.now() };
    const version = await database.transaction((tx) => saveLimit(tx, limit, author));
    await this.refresh();
    return { version };
  }

  /**
   * Number of risk measures that were outside their limits at the last refresh; measures without a known value are not
   * counted.
   */
  get beyondLimits(): number {
    return this.beyond.size;
  }

  /**
   * Health of the figures: down while a risk measure is outside its limits, while the measures cannot be read, or while
   * more than `BEHIND_MAX` ledger entries are not added to the daily flows.
   */
  async health(): Promise<ComponentHealth> {
    const behind = await this.parts.flows.behind();
    const alarms = (this.measures ?? []).filter(isBeyond).map(alarmText);
    const reasons = [
      ...alarms,
      ...(this.failure === undefined ? [] : [`the measures cannot be read: ${this.failure}`]),
      ...(behind > BEHIND_MAX ? [`${behind} ledger entries are not added up`] : []),
    ];
    const facts = { measures: this.measures?.length ?? 0, entriesBehind: behind };
    return reasons.length === 0
      ? { isUp: true, isUnmeasured: this.measures === undefined, facts }
      : { isUp: false, reason: reasons.join('; '), facts };
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      void this.refresh()
        .catch((cause: unknown) => this.fail(cause))
        .then(() => {
          if (!this.isStopped) this.schedule(REFRESH_MS);
        });
    }, afterMs);
    this.timer.unref();
  }

  private fail(cause: unknown): void {
    const text = errorMessage(cause);
    if (this.failure === undefined) this.parts.log.warn('figures.not_measured', { cause });
    this.failure = text;
  }

  private async measure(): Promise<void> {
    const { database, log } = this.parts;
    await this.saveDay();
    const [exposures, reserves, due, limits, today] = await Promise.all([
      this.parts.sources.exposures(),
      this.parts.sources.reserves(),
      this.due.get(),
      presentLimits(database.own),
      this.today.get(),
    ]);
    const rows = measured(
      [
        ...dayExposures(today.values, today.products),
        ...exposures,
        ...this.dueSoon(due),
        ...coverOf(reserves),
      ],
      limits,
    );
    const alarms = new Map(rows.filter(isBeyond).map((row) => [`${row.measure} ${row.subject}`, row]));
    for (const [key, row] of alarms)
      if (!this.beyond.has(key))
        log.error('figures.beyond_limit', {
          measure: row.measure,
          subject: row.subject,
          text: alarmText(row),
        });
    this.beyond = new Set(alarms.keys());
    this.measures = rows;
    this.failure = undefined;
  }

  /**
   * Stores the current prices, and the registrations of each day from the last `RECOUNTED_DAYS` counted days
   * until today. If no registrations are stored yet, it first stores the registrations and closing prices of
   * past days.
   */
  private async saveDay(): Promise<void> {
    const { clock, coins, database, identity, market } = this.parts;
    const today = Math.floor(clock.now() / DAY_MS);
    const prices = coins.flatMap(({ code }) => {
      const price = market.usdtPrice(code);
      return price?.isPositive() === true ? [[code, price] as const] : [];
    });
    const counted = await lastRegistrationDay(database.own);
    if (counted === undefined) await this.fillPast(today);
    await savePrices(database.store, today, new Map(prices));
    const first = Math.max(counted === undefined ? today : counted - RECOUNTED_DAYS + 1, today - PAST_DAYS);
    for (let day = first; day <= today; day += 1) {
      const from = instant(day * DAY_MS);
      const users = await identity.registrationsIn(from, instant(from + DAY_MS - 1));
      await saveRegistrations(database.store, day, users);
    }
  }

  /**
   * Stores, at the first start, the registrations and the closing prices of past days; the prices are read from the
   * exchange's own candles.
   */
  private async fillPast(today: number): Promise<void> {
    const { coins, database, identity, market } = this.parts;
    const first = Math.max((await firstEntryDay(database.own)) ?? today, today - PAST_DAYS);
    for (let day = first; day < today; day += 1) {
      const from = instant(day * DAY_MS);
      const users = await identity.registrationsIn(from, instant(from + DAY_MS - 1));
      await saveRegistrations(database.store, day, users);
    }
    const prices = coins.flatMap(({ code }) =>
      market
        .pastCandles(`${code}usdt`.toLowerCase(), '1day', PAST_DAYS)
        .map(({ opened, close }) => ({
          day: Math.floor((opened * 1_000) / DAY_MS),
          asset: code,
          price: close,
        }))
        .filter(({ day, price }) => day < today && price.isPositive()),
    );
    await fillPrices(database.store, prices);
  }

  private async readToday() {
    const today = this.dayNow();
    const { figures, priceOf, newUsers } = await this.read(today, today);
    return {
      values: dayValues(today, figures, { priceOf, newUsers: newUsers.get(today) ?? 0 }),
      products: productValues(figures, priceOf),
    };
  }

  private async read(
    from: number,
    to: number,
  ): Promise<{ figures: DayFigure[]; priceOf: PriceOf; newUsers: ReadonlyMap<number, number> }> {
    const { reader } = this.parts.database;
    const [flows, prices, newUsers] = await Promise.all([
      storedFlows(reader, from, to),
      pricesOfDays(reader, from, to),
      registrationsOfDays(reader, from, to),
    ]);
    return {
      figures: figuresOf(flows),
      priceOf: (day, asset) => prices.get(`${day} ${asset}`),
      newUsers,
    };
  }

  private payableOf(asset: string): Decimal {
    const [first, ...others] = PAYERS.map((account) =>
      this.parts.ledger.balance(houseAddress(account), asset),
    );
    return others.reduce((total, balance) => total.plus(balance), first!);
  }

  private dueSoon(due: readonly DueLiability[]): Exposure[] {
    const until = this.dayNow() + SOON_DAYS - 1;
    const soon = due.filter(({ day }) => day <= until);
    return [...groupBy(soon, ({ asset }) => asset)].map(([asset, rows]) => ({
      measure: 'dueSoon',
      subject: asset,
      value: rows
        .map(({ principal, earnings }) => principal.plus(earnings))
        .reduce((total, amount) => total.plus(amount)),
      unit: asset,
    }));
  }
}

function isBeyond({ state }: Measured): boolean {
  return state === 'too low' || state === 'too high';
}

/**
 * For each paying account and coin with daily payments: the number of whole days for which the balance can pay the
 * present daily earnings of all orders that still earn or are owed earnings.
 */
function coverOf(reserves: readonly Reserve[]): Exposure[] {
  const measure: MeasureName = 'interestCover';
  return Object.entries(coveredDays(reserves)).map(([subject, days]) => ({
    measure,
    subject,
    value: Decimal.ofWhole(days),
    unit: 'days',
  }));
}
