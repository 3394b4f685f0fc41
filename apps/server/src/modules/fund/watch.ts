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
import { dueAt, handledUntil, latestValues, saveCandles, type JudgedPosition } from './records-repository.ts';
import { everyFund } from './repository.ts';
import { pointOfLine, RunningCandles, valuesAt, type ValuesAt } from './values.ts';

/** See bench/fund.ts. */
const LOOKED_UP = 2_000;
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
  /** Tells whoever looks on the values of a second. */
  readonly publish: (values: ValuesAt) => void;
  /** Begins to write what owners are to be told; nobody waits for it. */
  readonly tell: () => void;
}

/** A unit value of one fund at a second. */
interface JudgedValue {
  readonly fund: string;
  readonly t: Instant;
  readonly value: NonNullable<UnitValue['value']>;
}

/**
 * Follows the tape second by second: reckons each fund's unit value, finds by an index what it makes due and proposes
 * it in small steps between which orders of spot pass. It decides nothing; a step decides again from the rows. Where
 * seconds were missed it reads them from the tape, so that a position ends at the first value that demands it.
 */
export class FundWatch {
  /** Positions of each kind and fund that are looked up at a time. */
  lookedUp = LOOKED_UP;
  private readonly deps: WatchDeps;
  private readonly candles = new RunningCandles();
  private funds: readonly Fund[] = [];
  private queue: ValuesAt[] = [];
  private handled: Instant | undefined;
  /** The 00:00 UTC up to which days were charged since the start. */
  private chargedUntil: Instant | undefined;
  private savedAt = 0;
  private running: Promise<void> | undefined;
  private isOpen = false;
  /** The newest second's values, whatever their quality. */
  latest: ValuesAt | undefined;
  private known = new Map<string, Decimal>();

  constructor(deps: WatchDeps) {
    this.deps = deps;
    deps.market.onPoints(() => this.receive());
  }

  /** Up to when days may be charged without a value meeting costs of later days; undefined before the first value. */
  get judgedUntil(): Instant | undefined {
    return this.handled;
  }

  /** Goes on from the last second that was judged. */
  async start(): Promise<void> {
    await this.reload();
    this.handled = await handledUntil(this.deps.database.store);
    this.latest = undefined;
    this.known = new Map(await latestValues(this.deps.database.store));
    this.isOpen = true;
    this.wake();
  }

  /** Ends with what is under way and stores how far it came. */
  async stop(): Promise<void> {
    this.isOpen = false;
    await this.running?.catch(() => undefined);
    await this.save().catch((cause: unknown) => this.deps.log.warn('fund.candles_unsaved', { cause }));
  }

  /** Reads the funds anew: one was published or closed. */
  async reload(): Promise<void> {
    this.funds = await everyFund(this.deps.database.store);
  }

  /** A fund's present value; undefined before the first point. */
  valueOf(fund: string): (UnitValue & { readonly t: Instant }) | undefined {
    const value = this.latest?.values.get(fund);
    return value && { ...value, t: this.latest!.t };
  }

  /**
   * Every fund's latest unit value by its id, also while an index is missing: what positions are shown to be worth. Nothing
   * is dealt at it.
   */
  get knownValues(): ReadonlyMap<string, Decimal> {
    return this.known;
  }

  /** Judges every second that was published, and stores the candles that came of it. */
  async store(): Promise<void> {
    await this.judged();
    await this.save();
  }

  /** Waits until every second that was published has been judged; false where that did not succeed, or none was since the start. */
  async judged(): Promise<boolean> {
    while (this.running !== undefined) await this.running.catch(() => undefined);
    return this.latest !== undefined && this.handled !== undefined && this.handled >= this.latest.t;
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
    for (const [fund, { value }] of values.values) if (value !== null) this.known.set(fund, value);
    this.deps.publish(values);
    this.queue.push(values);
    this.wake();
  }

  private wake(): void {
    if (!this.isOpen) return;
    this.running ??= this.drain()
      // What was not judged is read from the tape with the next second.
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
      const before = this.handled;
      if (before !== undefined && next.t <= before) continue;
      if (before !== undefined && next.t > before + SECOND_MS) await this.catchUp(before, next.t);
      await this.judge(next);
      if (this.deps.clock.monotonicMs() - this.savedAt > SAVE_EVERY_MS) await this.save();
    }
  }

  /** Judges the seconds between two by what the tape has of them. */
  private async catchUp(after: Instant, until: Instant): Promise<void> {
    const symbols = new Set(this.funds.flatMap((fund) => fund.constituents.map(({ symbol }) => symbol)));
    for (let from = later(after, SECOND_MS); from < until; from = later(from, HOUR_MS)) {
      const to = instant(Math.min(from + HOUR_MS - SECOND_MS, until - SECOND_MS));
      const seconds = new Map<number, Map<string, ReturnType<typeof pointOfLine>>>();
      for (const symbol of symbols)
        for (const line of await this.deps.market.tapeReader.lines(symbol, from, to)) {
          const point = pointOfLine(line);
          const found = seconds.get(point.t) ?? new Map<string, typeof point>();
          seconds.set(point.t, found.set(symbol, point));
        }
      for (const [t, points] of [...seconds].toSorted(([one], [other]) => one - other))
        await this.judge(valuesAt(instant(t), this.funds, (symbol) => points.get(symbol)));
    }
  }

  private async judge(at: ValuesAt): Promise<void> {
    const { database, ledger } = this.deps;
    await this.chargeDays(at.t);
    const usable = this.funds.flatMap(({ id, asset }) => {
      const found = at.values.get(id);
      return found === undefined || found.value === null || found.isDegraded || ledger.isHalted(asset)
        ? []
        : [[id, found.value] as const];
    });
    // Positions that fail or pause stay due; the next look-up passes them by.
    const left: string[] = [];
    for (let isMore = usable.length > 0; isMore;) {
      const due = await dueAt(database.store, at.t, usable, { limit: this.lookedUp, except: left });
      const leftBefore = left.length;
      let done = 0;
      for (const [fund, value] of usable) {
        const judged = await this.propose(
          { fund, t: at.t, value },
          due.filter((position) => position.fund === fund),
        );
        done += judged.done;
        left.push(...judged.left);
      }
      isMore = due.length >= this.lookedUp && (done > 0 || left.length > leftBefore);
      if (done > 0) this.deps.tell();
    }
    this.candles.add(at);
    this.handled = at.t;
  }

  /** Charges the days up to a second before any value of it is judged: a position ends by what it owes then. */
  private async chargeDays(t: Instant): Promise<void> {
    const day = startOfDay(t);
    if (this.chargedUntil !== undefined && day <= this.chargedUntil) return;
    await chargeDue(this.deps, day, () => this.save());
    this.chargedUntil = day;
  }

  /** The official values of the days that positions have not paid up to a second, as far as they are known. */
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

  /** Proposes due positions; resolves to how many were done, and the ids of those that failed or pause. */
  private async propose(
    at: JudgedValue,
    due: readonly JudgedPosition[],
  ): Promise<{ readonly done: number; readonly left: readonly string[] }> {
    const { sequencer, commands, bulkheads } = this.deps;
    const left: string[] = [];
    let done = 0;
    for (let from = 0; from < due.length; from += CHUNK) {
      const chunk = due.slice(from, from + CHUNK);
      const days = await this.daysOf(at, chunk);
      const judged = await bulkheads.of('fund watch').together(
        chunk,
        ({ id }) => id,
        (named, actor) => {
          const positions = named.map(({ id, owner }) => ({ id, owner }));
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
    const taken = this.candles.take();
    if (this.handled !== undefined) await saveCandles(this.deps.database, taken, this.handled);
  }
}
