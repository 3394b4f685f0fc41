import { DAY_MS, HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import { dateMessages, wasSeen, writtenTo, type WrittenMessage } from './demo-repository.ts';

/** Messages of the demo's trader that are left unread: the newest, each of another kind. */
const UNREAD = 3;
/** What is told when an order begins; when it ends; and once for each of its days. */
const AT_START = new Set(['financeBought', 'miningStarted']);
const AT_END = new Set(['financeMatured', 'miningEnded']);
const EACH_DAY = new Set(['financeIncome', 'miningIncome']);

interface Told {
  readonly id: string;
  readonly kind: string;
  readonly at: Instant;
}

/**
 * Gives the messages of the demo's trader a past, once: orders that were entered with an earlier start have been told
 * all at once, and are shown on the days that they tell of; all but a handful are read.
 */
export async function seedMessages(
  database: Pick<Database, 'transaction' | 'store'>,
  { trader, now }: Pick<Demo, 'trader' | 'now'>,
): Promise<void> {
  if (await wasSeen(database.store, trader)) return;
  const told = dated(await writtenTo(database.store, trader), now);
  const unread = unreadOf(told);
  await dateMessages(
    database,
    told.map(({ id, at }) => ({ id, at, readAt: unread.has(id) ? undefined : later(at, HOUR_MS) })),
  );
}

/** The messages on the days that they tell of; the others when they were written. */
function dated(messages: readonly WrittenMessage[], now: Instant): Told[] {
  const days = new Map<string, number>();
  return messages.map(({ id, kind, parameters: { order = '', start, end }, writtenAt }) => {
    let at: Instant | undefined;
    if (AT_START.has(kind)) at = momentOf(start);
    if (AT_END.has(kind)) at = momentOf(end);
    if (EACH_DAY.has(kind)) {
      const day = (days.get(order) ?? 0) + 1;
      days.set(order, day);
      at = momentOf(start, day);
    }
    return { id, kind, at: at === undefined || at > now ? writtenAt : at };
  });
}

/** The newest of each kind, as many as are left unread. */
function unreadOf(told: readonly Told[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const { id, kind } of told.toSorted((one, other) => other.at - one.at))
    if (newest.size < UNREAD && !newest.has(kind)) newest.set(kind, id);
  return new Set(newest.values());
}

/** The moment that a message's parameter names, such as `2026-01-02 03:04 UTC`, and so many days after it. */
function momentOf(text: string | undefined, daysLater = 0): Instant | undefined {
  const at = Date.parse((text ?? '').replace(' UTC', 'Z').replace(' ', 'T'));
  return Number.isNaN(at) ? undefined : instant(at + daysLater * DAY_MS);
}
