import type { UserId } from '@exchange/core/ids.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { permits } from '../../platform/console/gate.ts';
import type { Operator } from '../../platform/console/operation.ts';
import { RECORD_READERS, type RecordRow, type RecordSource } from '../../platform/console/records.ts';

/** A record of an account, together with its kind. */
export interface TimelineRow extends RecordRow {
  readonly kind: string;
}

/** Which records of an account to read; they are returned newest first. */
export interface TimelineQuery {
  /** Kind of the records to read; undefined for all kinds. */
  readonly kind: string | undefined;
  /** First and last time of the records in milliseconds UTC, both included; undefined for no limit. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The value `next` of the previous page; undefined for the first page. */
  readonly before: string | undefined;
  readonly limit: number;
}

interface TimelinePage {
  readonly rows: readonly TimelineRow[];
  /** Value of `before` that requests the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * The content of `next`, the text with which the next page is requested: the latest time that a record on the
 * timeline may have, fixed at the first page, and for each kind of record the cursor of its last returned
 * row.
 */
interface Position {
  readonly to: number;
  readonly cursors: ReadonlyMap<string, string>;
}

/** The sources of those records that appear on timelines and that the operator's roles permit to open. */
export function timelineSources(
  sources: readonly RecordSource[],
  operator: Pick<Operator, 'roles'>,
): readonly RecordSource[] {
  return sources.filter(
    ({ page, roles = RECORD_READERS }) => page !== undefined && permits({ roles }, operator),
  );
}

/**
 * A page of the records of an account, of all kinds merged by time, newest first. `now` is the time of the call;
 * records with a later time than that of the call for the first page are on no page. Refuses an unknown kind and an
 * invalid `before`.
 */
export async function timelinePage(
  sources: readonly RecordSource[],
  owner: UserId,
  query: TimelineQuery,
  now: number,
): Promise<TimelinePage> {
  const { kind, from, limit } = query;
  const selected = kind === undefined ? sources : sources.filter((source) => source.kind === kind);
  if (selected.length === 0) throw invalidChoice('kind', kind ?? '');
  const position = positionOf(query, now);
  const rowsOfKinds = await Promise.all(
    selected.map(async ({ kind: name, page }) => {
      const range = { before: position.cursors.get(name), from, to: position.to, limit: limit + 1 };
      return (await page!(owner, range)).map((row): TimelineRow => ({ ...row, kind: name }));
    }),
  );
  const merged = mergeNewestFirst(rowsOfKinds, limit + 1);
  const rows = merged.slice(0, limit);
  if (merged.length <= limit) return { rows, next: undefined };
  const cursors = new Map(position.cursors);
  for (const row of rows) cursors.set(row.kind, row.cursor);
  const next = JSON.stringify({ to: position.to, cursors: [...cursors] });
  return { rows, next: Buffer.from(next).toString('base64url') };
}

/**
 * Merges lists that are each ordered from newest to oldest, and returns the first `limit` rows. The order within each
 * list stays, even where its times are out of order.
 */
function mergeNewestFirst(lists: readonly (readonly TimelineRow[])[], limit: number): TimelineRow[] {
  const starts = lists.map(() => 0);
  const merged: TimelineRow[] = [];
  while (merged.length < limit) {
    let newest = -1;
    for (const [index, list] of lists.entries()) {
      const row = list[starts[index]!];
      const best = newest < 0 ? undefined : lists[newest]![starts[newest]!];
      if (row !== undefined && (best === undefined || row.at > best.at)) newest = index;
    }
    if (newest < 0) return merged;
    merged.push(lists[newest]![starts[newest]!]!);
    starts[newest]! += 1;
  }
  return merged;
}

function positionOf({ before, to }: TimelineQuery, now: number): Position {
  if (before === undefined || before === '') return { to: Math.min(to ?? now, now), cursors: new Map() };
  try {
    const position = JSON.parse(Buffer.from(before, 'base64url').toString()) as {
      readonly to?: unknown;
      readonly cursors?: readonly (readonly [string, unknown])[];
    };
    const cursors = new Map<string, string>();
    for (const [kind, cursor] of position.cursors ?? []) {
      if (typeof cursor !== 'string') throw new TypeError('no position');
      cursors.set(kind, cursor);
    }
    if (!Number.isSafeInteger(position.to)) throw new TypeError('no position');
    return { to: position.to as number, cursors };
  } catch {
    // The server issues only values of `before` that it can parse, so any other value is refused.
    throw new Refused(
      refusal('invalidField', 'l.field_invalid', { field: 'before', value: before.slice(0, 40) }),
    );
  }
}
