import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { FIGURE_NAMES, type FigureName } from '@exchange/core/figures.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireText } from '../../platform/console/field-values.ts';
import { csvRow } from '../../platform/csv.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import { monthNamed, monthOfDay, type ClosedPeriod, type Month, type PeriodSums } from './domain.ts';
import type { Flows } from './flows.ts';
import { flowProgress } from './flows-repository.ts';
import {
  closedPeriod,
  closedPeriods,
  firstEntryBehind,
  insertPeriod,
  isMonthTouched,
  lockFlows,
  periodContent,
} from './periods-repository.ts';
import type { HouseFigures } from './service.ts';

export interface PeriodParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'transaction'>;
  readonly signingKey: Pick<SigningKey, 'sign'>;
  readonly flows: Pick<Flows, 'catchUp'>;
  readonly figures: Pick<HouseFigures, 'days' | 'dayNow' | 'file' | 'firstDay'>;
}

/**
 * An accounting month with its figures. `running`: the month has not ended. `open`: it has ended, and no operator has
 * closed it. `closed`: its figures are final.
 */
export interface PeriodView {
  readonly month: string;
  readonly state: 'running' | 'open' | 'closed';
  /** Figures of the month; undefined for an open month that follows another open month. */
  readonly sums: PeriodSums | undefined;
  readonly closed: ClosedPeriod | undefined;
}

/** Greatest number of months in the operators' list of accounting months (ten years). */
const MONTHS_SHOWN = 120;
const BY_MAX = 100;
const REASON_MAX = 500;
/** Greatest number of attempts to close a month; a further attempt follows when `freeze` returns false. */
const ATTEMPTS_MAX = 5;

/**
 * Closes accounting months. A closed month has a file with its figures; the hash of the file is signed with the key of
 * the exchange's proofs. The file never changes: an entry of the month that is added afterwards counts on the first day
 * after the last closed month.
 */
export class Periods {
  private readonly parts: PeriodParts;

  constructor(parts: PeriodParts) {
    this.parts = parts;
  }

  /**
   * The months from the present one back to the first month with figures, newest first, at most `MONTHS_SHOWN`. Of the
   * months that are not closed, only the present one and the next one to be closed have totals.
   */
  async list(): Promise<readonly PeriodView[]> {
    const { database, figures } = this.parts;
    const closed = await closedPeriods(database.reader, MONTHS_SHOWN);
    const byMonth = new Map(closed.list.map((period) => [period.month, period]));
    const first = monthOfDay(await figures.firstDay());
    const next = await this.nextOpen();
    const views: PeriodView[] = [];
    let month = monthOfDay(figures.dayNow());
    const running = month.month;
    while (views.length < MONTHS_SHOWN && month.month >= first.month) {
      const period = byMonth.get(month.month);
      const isRead = month.month === running || month.month === next.month;
      views.push({
        month: month.month,
        state: stateOf(month.month, running, period),
        sums: period?.sums ?? (isRead ? await this.sumsOf(month) : undefined),
        closed: period,
      });
      month = monthOfDay(month.firstDay - 1);
    }
    return views;
  }

  /**
   * Adds the waiting ledger entries to the flows, and returns the totals of a month that can be closed now. Refuses a
   * text that names no month, a month that is not over, a month that is closed already, and a month that follows an
   * open one.
   */
  async requireClosable(name: string): Promise<{ month: Month; sums: PeriodSums }> {
    const month = monthNamed(name);
    if (month === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const next = await this.nextOpen();
    if (next.month !== month.month || month.lastDay >= this.parts.figures.dayNow())
      throw new Refused(refusal('closed', 'l.period_not_closable', { value: name, limit: next.month }));
    await this.parts.flows.catchUp();
    return { month, sums: await this.sumsOf(month) };
  }

  /**
   * Closes a month: writes the file with its figures, signs its hash, and stores both. If the month is closed
   * already, it is returned unchanged. Refuses an empty or too long operator or reason, a month that cannot
   * be closed now, and one whose figures still changed at the last of `ATTEMPTS_MAX` attempts.
   */
  async close(
    name: string,
    { by, reason }: { readonly by: string; readonly reason: string },
  ): Promise<ClosedPeriod> {
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    const { database } = this.parts;
    const existing = await closedPeriod(database.reader, name);
    if (existing !== undefined) return existing;
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const { month } = await this.requireClosable(name);
      if (await this.freeze(month, { by, reason })) break;
    }
    const closed = await closedPeriod(database.reader, name);
    if (closed === undefined)
      throw new Refused(refusal('closed', 'l.period_not_closable', { value: name, limit: name }));
    return closed;
  }

  /**
   * The file of a closed month: its figures as CSV, and a last line with hash, key and signature. Refuses a month that
   * is not closed.
   */
  async file(name: string): Promise<AsyncGenerator<string, void>> {
    const { reader } = this.parts.database;
    const [period, content] = await Promise.all([closedPeriod(reader, name), periodContent(reader, name)]);
    if (period === undefined || content === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { month, sha256, key, signature } = period;
    return partsOf(content, csvRow(['signature', month, sha256, key, signature, '', '']));
  }

  /**
   * Writes and stores the file of a month. Returns true when it is stored, also if another operator closed the month.
   * Returns false if flows of the month were added or all flows were recomputed during the call, or if entries of the
   * month are not added to the flows yet.
   */
  private async freeze(
    month: Month,
    author: { readonly by: string; readonly reason: string },
  ): Promise<boolean> {
    const { clock, database, figures, signingKey } = this.parts;
    const { added, recounts } = await flowProgress(database.reader);
    const sums = await this.sumsOf(month);
    let content = '';
    for await (const part of figures.file(month.firstDay, month.lastDay)) content += part;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { key, signature } = signingKey.sign(`figures|${month.month}|${sha256}`);
    return database.transaction(async (tx) => {
      const locked = await lockFlows(tx);
      const lastEntry = locked.added;
      // If another operator closed the month while this call waited for the lock on the cursor, nothing is
      // stored again.
      if ((await closedPeriod(tx, month.month)) !== undefined) return true;
      if (locked.recounts !== recounts) return false;
      if (await isMonthTouched(tx, month, { from: added, to: lastEntry })) return false;
      const behind = await firstEntryBehind(tx, lastEntry);
      if (behind !== undefined && behind < (month.lastDay + 1) * DAY_MS) return false;
      await insertPeriod(tx, month, {
        lastEntry,
        content,
        sha256,
        key,
        signature,
        sums,
        by: author.by,
        reason: author.reason,
        at: clock.now(),
      });
      return true;
    });
  }

  /** The month after the last closed one; if no month is closed, the first month with figures. */
  private async nextOpen(): Promise<Month> {
    const { database, figures } = this.parts;
    const [newest] = (await closedPeriods(database.reader, 1)).list;
    return monthOfDay(newest === undefined ? await figures.firstDay() : newest.lastDay + 1);
  }

  private async sumsOf({ firstDay, lastDay }: Month): Promise<PeriodSums> {
    const { figures } = this.parts;
    const days = await figures.days(firstDay, Math.min(lastDay, figures.dayNow()));
    const sumOf = (name: FigureName) =>
      days.reduce((total, { values }) => total.plus(values[name]), Decimal.zero).toString();
    const sums = Object.fromEntries(FIGURE_NAMES.map((name) => [name, sumOf(name)]));
    return {
      values: sums as Record<FigureName, string>,
      newUsers: days.reduce((total, { newUsers }) => total + newUsers, 0),
    };
  }
}

function stateOf(month: string, running: string, closed: ClosedPeriod | undefined): PeriodView['state'] {
  if (closed !== undefined) return 'closed';
  return month === running ? 'running' : 'open';
}

async function* partsOf(...texts: readonly string[]): AsyncGenerator<string, void> {
  yield* texts;
}
