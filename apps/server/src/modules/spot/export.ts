import { isAscii } from 'node:buffer';
import { exportPeriodProblem } from '@exchange/core/period.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import pLimit from 'p-limit';
import type { FileContent } from '../../platform/http/file-answer.ts';
import { csvRow } from '../../platform/csv.ts';
import { EVENT_TABLE, fillTable, MOVEMENT_TABLE, ORDER_TABLE, type ExportTable } from './present.ts';
import type { Records, RowsBefore, Selection } from './records.ts';
import { EXPORT_HEADINGS, type HeadingWords } from './words/export-headings.ts';

/** Rows per page; bounds the memory of an export and the time for which it occupies a reader connection. */
const PAGE_ROWS = 1_000;
/**
 * Maximum number of concurrent page reads of the exports of all users, so that screens keep most of the pool's
 * connections.
 */
const READS_AT_ONCE = 2;
const BYTE_ORDER_MARK = '\uFEFF';

export type ExportKind = 'orders' | 'fills' | 'events' | 'movements';

/** The export request; the period includes both ends, in milliseconds. */
export interface ExportRequest extends Selection {
  readonly kind: ExportKind;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * CSV exports of a user's orders, fills, account events and coin movements, streamed: the next page is read
 * only when the client has consumed the previous one, and no transaction stays open in between.
 */
export class Exports {
  readonly #records: Records;
  readonly #fillTable: ReturnType<typeof fillTable>;
  readonly #readLimit = pLimit(READS_AT_ONCE);
  readonly #exporting = new Set<UserId>();

  constructor({ records, pairOf }: { records: Records; pairOf: (symbol: string) => Pair }) {
    this.#records = records;
    this.#fillTable = fillTable(pairOf);
  }

  /**
   * Opens a CSV file with headings in the language of `locale`. Refuses a period that is longer than
   * `EXPORT_DAYS_MAX` days or ends before it starts.
   */
  open(owner: UserId, request: ExportRequest, locale: Locale): FileContent {
    const problem = exportPeriodProblem(request);
    if (problem !== undefined) throw new Refused(problem);
    const { kind, startTime, endTime } = request;
    const name = `${kind}-${dayOf(startTime)}-${dayOf(endTime)}.csv`;
    return { name, parts: this.#parts(owner, request, locale) };
  }

  /**
   * Allows one export per user at a time, from its first chunk of CSV text until it ends or fails; refuses a further
   * one.
   */
  async *#parts(owner: UserId, request: ExportRequest, locale: Locale): AsyncGenerator<string, void> {
    if (this.#exporting.has(owner)) throw new Refused(refusal('generic', 'l.export_running'));
    this.#exporting.add(owner);
    try {
      yield* this.#rowsOfKind(owner, request, EXPORT_HEADINGS[locale]);
    } finally {
      this.#exporting.delete(owner);
    }
  }

  #rowsOfKind(owner: UserId, request: ExportRequest, words: HeadingWords): AsyncGenerator<string, void> {
    const records = this.#records;
    const readers = {
      orders: () => this.#rows(ORDER_TABLE, words, (behind) => records.ordersBefore(owner, request, behind)),
      fills: () =>
        this.#rows(this.#fillTable, words, (behind) => records.fillsBefore(owner, request, behind)),
      events: () => this.#rows(EVENT_TABLE, words, (behind) => records.eventsBefore(owner, request, behind)),
      movements: () =>
        this.#rows(MOVEMENT_TABLE, words, (behind) => records.movementsBefore(owner, request, behind)),
    };
    return readers[request.kind]();
  }

  /** Yields chunks of CSV text: the headings with the first page of rows, then one chunk for each further page. */
  async *#rows<Row>(
    table: ExportTable<Row>,
    words: HeadingWords,
    read: (rows: RowsBefore<Row>) => Promise<Row[]>,
  ): AsyncGenerator<string, void> {
    let text = markedHead(csvRow(table.headings.map((heading) => words[heading])));
    let lastRow: Row | undefined;
    for (;;) {
      const rows = await this.#readLimit(() => read({ before: lastRow, limit: PAGE_ROWS }));
      for (const row of rows) text += csvRow(table.cells(row));
      if (text !== '') yield text;
      if (rows.length < PAGE_ROWS) return;
      text = '';
      lastRow = rows.at(-1);
    }
  }
}

/**
 * The heading row. Non-ASCII headings get a byte order mark, without which spreadsheets assume the
 * machine's encoding instead of UTF-8.
 */
function markedHead(head: string): string {
  return isAscii(Buffer.from(head)) ? head : BYTE_ORDER_MARK + head;
}

/** The day of an instant in UTC, e.g. `2026-11-21`. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
