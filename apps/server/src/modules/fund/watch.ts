import { DAY_MS, HOUR_MS, instant, later, SECOND_MS, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UnitValue } from '@exchange/core/fund.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { FundCommands } from './commands.ts';
import type { Fund } from './domain.ts';
import { CHUNK, chargeDue, officialValue } from './charging.ts';
import { dueAt, judgedUntil, latestValues, saveCandles, type JudgedPosition } from './records-repository.ts';
import { everyFund } from './repository.ts';
import { pointOfLine, RunningCandles, valuesAt, type ValuesAt } from './values.ts';

/**
 * Greatest number of fund positions that one query reads for each kind of action and fund; measured in bench/fund.ts.
 */
const PAGE_SIZE = 2_000;
const SAVE_EVERY_MS = 5_000;

export interface WatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly ledger: Pick<Ledger, 'isHalted'>;
  readonly market: Pick<Market, 'latestPoint' | 'onPoints' | 'tapeReader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: Pick<FundCommands, 'charge' | 'judge'>;
  /** Publishes the funds' unit values of a second to the subscribers of the public feed topic `funds`. */
  readonly publish: (values: ValuesAt) => void;
  /** Starts sending the stored notices to owners; the caller does not wait for the end. */
  readonly notify: () => void;
}

/** The unit value of a fund at a second of the index tape. */
interface JudgedValue {
  readonly fund: string;
  readonly t: Instant;
  readonly value: NonNullable<UnitValue['value']>;
}

/**
 * Reads the index tape (the stored index points of every coin) second by second and computes the unit value of each
 * fund. It finds, through a database index, the positions for which that unit value requires an action, and applies the
 * unit value to them in small steps, so that other steps of the sequencer can run in between. The steps decide on the
 * basis of the stored rows. Missed seconds are read from the tape, so a position ends at the first unit value that
 * requires it.
 */
export class FundWatch {
  /** Greatest number of fund positions that one query reads, for each kind of action and fund. */
  pageSize = PAGE_SIZE;
  private readonly deps: WatchDeps;
  private readonly candles = new RunningCandles();
  private funds: readonly Fund[] = [];
  private queue: ValuesAt[] = [];
  private judgedSecond: Instant | undefined;
  /**
   * The latest 00:00 UTC up to which this process has charged daily costs; undefined until it first charges costs after
   * its start.
   */
  private chargedUntil: Instant | undefined;
  private savedAt = 0;
  private running: Promise<void> | undefined;
  private isOpen = false;
  /**
   * The unit values of the latest second, including those that are degraded because an index is not reliable;
   * undefined before the first second since the start.
   */
  latest: ValuesAt | undefined;
  private lastKnownValues = new Map<string, Decimal>();

  constructor(deps: WatchDeps) {
    this.deps = deps;
    deps.market.onPoints(() => this.receive());
  }

  /**
   * The second up to which unit values were applied to positions, also before the last restart; the costs of days up to
   * it may be charged. Undefined if no unit value was ever applied.
   */
  get judgedUntil(): Instant | undefined {
    return this.judgedSecond;
  }

  /** Loads the funds, and continues after the last second whose unit values were applied. */
  async start(): Promise<void> {
    await this.reload();
    this.judgedSecond = await judgedUntil(this.deps.database.store);
    this.latest = undefined;
    this.lastKnownValues = new Map(await latestValues(this.deps.database.store));
    this.isOpen = true;
    this.wake();
  }

  /**
   * Stops the watch: waits until the unit values in progress are applied, then stores the changed candles and the
   * second up to which unit values were applied. A failure to store them is only logged.
   */
  async stop(): Promise<void> {
    this.isOpen = false;
    await this.running?.catch(() => undefined);
    await this.save().catch((cause: unknown) => this.deps.log.warn('fund.candles_unsaved', { cause }));
  }

  /** Reads the funds from the database again, after a fund was published or closed. */
  async reload(): Promise<void> {
    this.funds = await everyFund(this.deps.database.store);
  }

  /**
   * The unit value of a fund at the latest second (its `value` is null if it cannot be computed); undefined before the
   * first second since the start.
   */
  valueOf(fund: string): (UnitValue & { readonly t: Instant }) | undefined {
    const value = this.latest?.values.get(fund);
    return value && { ...value, t: this.latest!.t };
  }

  /**
   * The latest known unit value by id of the fund; it stays while the index of a coin is missing. It is only for
   * display and for valuing positions; nothing executes at it.
   */
  get knownValues(): ReadonlyMap<string, Decimal> {
    return this.lastKnownValues;
  }

  /** Waits until every published unit value is applied to the positions, then stores the candles of the unit values. */
  async store(): Promise<void> {
    await this.waitUntilJudged();
    await this.save();
  }

  /**
   * Waits until every published unit value is applied to the positions, and returns true. Returns false if that failed,
   * or if no second was published since the start.
   */
  async waitUntilJudged(): Promise<boolean> {
    while (this.running !== undefined) await this.running.catch(() => undefined);
    return this.latest !== undefined && this.judgedSecond !== undefined && this.judgedSecond >= this.latest.t;
  }

  private receive(): void {
    if (!this.isOpen) return;
    const { market } = this.deps;
    const symbols = this.funds.flatMap(({ constituents }) => constituents.map(({ symbol }) => symbol));
    const newest = Math.max(0, ...symbols.map((symbol) => market.latestPoint(symbol)?.t ?? 0));
    if (newest === 0) return;
    const t = instant(newest);
    const values = valuesAt(t, this.funds, (symbol) => {
      const point = market.latestPoint(symbol);
      if (point?.t !== t) return undefined;
      return { price: point.price, isDegraded: point.flags.includes('degraded') };
    });
    this.latest = values;
    for (const [fund, { value }] of values.values) if (value !== null) this.lastKnownValues.set(fund, value);
    this.deps.publish(values);
    this.queue.push(values);
    this.wake();
  }

  private wake(): void {
    if (!this.isOpen) return;
    this.running ??= this.drain()
      // The unit values that were not applied are read from the tape when the next second is published.
      .catch((cause: unknown) => {
        this.queue = [];
        this.deps.log.error('fund.not_judged', { cause });
      })
      .finally(() => {
        this.running = undefined;
        if (this.queue.length > 0) this.wake();
      });
  }

  private async drain(): Promise<void> {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      const lastJudged = this.judgedSecond;
      if (lastJudged !== undefined && next.t <= lastJudged) continue;
      if (lastJudged !== undefined && next.t > lastJudged + SECOND_MS) await this.catchUp(lastJudged, next.t);
      await this.judge(next);
      if (this.deps.clock.monotonicMs() - this.savedAt > SAVE_EVERY_MS) await this.save();
    }
  }

  /** Applies the unit values on the tape after the time `after` and before the time `until`. */
  private async catchUp(after: Instant, until: Instant): Promise<void> {
    const symbols = new Set(this.funds.flatMap((fund) => fund.constituents.map(({ symbol }) => symbol)));
    for (let start = later(after, SECOND_MS); start < until; start = later(start, HOUR_MS)) {
      const end = instant(Math.min(start + HOUR_MS - SECOND_MS, until - SECOND_MS));
      const seconds = new Map<number, Map<string, ReturnType<typeof pointOfLine>>>();
      for (const symbol of symbols)
        for (const line of await this.deps.market.tapeReader.lines(symbol, start, end)) {
          const point = pointOfLine(line);
          const pointsOfSecond = seconds.get(point.t) ?? new Map<string, typeof point>();
          seconds.set(point.t, pointsOfSecond.set(symbol, point));
        }
      for (const [t, points] of [...seconds].toSorted(([left], [right]) => left - right))
        await this.judge(valuesAt(instant(t), this.funds, (symbol) => points.get(symbol)));
    }
  }

  private async judge(secondValues: ValuesAt): Promise<void> {
    const { database, ledger } = this.deps;
    await this.chargeDays(secondValues.t);
    const usable = this.funds.flatMap(({ id, asset }) => {
      const unit = secondValues.values.get(id);
      return unit === undefined || unit.value === null || unit.isDegraded || ledger.isHalted(asset)
        ? []
        : [[id, unit.value] as const];
    });
    // Positions whose processing failed, or which wait for a retry after a failure, stay due. They are excluded from
    // the further queries of this second, so that these return other positions.
    const skipped: string[] = [];
    for (let isMore = usable.length > 0; isMore;) {
      const due = await dueAt(database.store, secondValues.t, usable, {
        limit: this.pageSize,
        except: skipped,
      });
      const skippedBefore = skipped.length;
      let done = 0;
      for (const [fund, value] of usable) {
        const judged = await this.judgeDue(
          { fund, t: secondValues.t, value },
          due.filter((position) => position.fund === fund),
        );
        done += judged.done;
        skipped.push(...judged.left);
      }
      isMore = due.length >= this.pageSize && (done > 0 || skipped.length > skippedBefore);
      if (done > 0) this.deps.notify();
    }
    this.candles.add(secondValues);
    this.judgedSecond = secondValues.t;
  }

  /**
   * Charges the daily costs up to a second before the unit value of that second is applied, because a unit value is
   * applied to a position after its costs until then.
   */
  private async chargeDays(t: Instant): Promise<void> {
    const day = startOfDay(t);
    if (this.chargedUntil !== undefined && day <= this.chargedUntil) return;
    await chargeDue(this.deps, day, () => this.save());
    this.chargedUntil = day;
  }

  /**
   * The unit values of the fund at each 00:00 UTC from the first that is not charged to one of the `due`
   * positions yet, up to the second of the unit value that is being applied. Days whose unit value is unknown
   * are left out.
   */
  private async daysOf(
    { fund: fundId, t, value }: JudgedValue,
    due: readonly JudgedPosition[],
  ): Promise<{ day: Instant; value: JudgedValue['value'] }[]> {
    const fund = this.funds.find(({ id }) => id === fundId);
    const first = Math.min(...due.flatMap(({ costAt }) => costAt ?? []));
    const days: { day: Instant; value: JudgedValue['value'] }[] = [];
    if (fund === undefined) return days;
    for (let day = first; day <= t; day += DAY_MS) {
      const official =
        day === t ? value : await officialValue(this.deps, fund, instant(day), () => this.save());
      if (official !== undefined) days.push({ day: instant(day), value: official });
    }
    return days;
  }

  /**
   * Applies a unit value to the positions for which it requires an action. Resolves to the number of positions that
   * were processed, and to the ids of those whose processing failed or that wait for a retry after a failure.
   */
  private async judgeDue(
    at: JudgedValue,
    due: readonly JudgedPosition[],
  ): Promise<{ readonly done: number; readonly left: readonly string[] }> {
    const { sequencer, commands, bulkheads } = this.deps;
    const left: string[] = [];
    let done = 0;
    for (let from = 0; from < due.length; from += CHUNK) {
      const chunk = due.slice(from, from + CHUNK);
      const days = await this.daysOf(at, chunk);
      const judged = await bulkheads.bulkheadOf('fund watch').together(
        chunk,
        ({ id }) => id,
        (batch, actor) => {
          const positions = batch.map(({ id, owner }) => ({ id, owner }));
          return sequencer.execute(commands.judge, { ...at, positions, days }, { actor });
        },
      );
      done += judged.done;
      left.push(...judged.left.map(({ id }) => id));
    }
    return { done, left };
  }

  private async save(): Promise<void> {
    this.savedAt = this.deps.clock.monotonicMs();
    if (this.judgedSecond === undefined) return;
    const changed = this.candles.dequeueChanged();
    try {
      await saveCandles(this.deps.database, changed, this.judgedSecond);
    } catch (cause) {
      this.candles.putBack(changed);
      throw cause;
    }
  }
}
