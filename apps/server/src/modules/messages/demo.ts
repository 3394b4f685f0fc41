import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import { redateMessages, hasReadMessages, messagesOf, type WrittenMessage } from './demo-repository.ts';

/** Number of the demo trader's latest messages that stay unread, each of a different kind. */
const UNREAD = 3;
/** The kinds of messages about the start of an order of a fixed-term or mining product, and the kinds about its end. */
const AT_START = new Set(['financeBought', 'miningStarted']);
const AT_END = new Set(['financeMatured', 'miningEnded']);

interface DatedMessage {
  readonly id: string;
  readonly kind: string;
  readonly at: Instant;
}

/**
 * Backdates the demo trader's messages, once. The demo creates orders with earlier start dates, but their
 * messages have today's date, so a message about the start or the end of an order gets the date of that
 * event, unless it is in the future. The newest message of each of three kinds stays unread, all others are
 * marked as read.
 */
export async function seedMessages(
  database: Pick<Database, 'transaction' | 'store'>,
  { trader, now }: Pick<Demo, 'trader' | 'now'>,
): Promise<void> {
  if (await hasReadMessages(database.store, trader)) return;
  const datedMessages = withDates(await messagesOf(database.store, trader), now);
  const unreadIds = unreadIdsOf(datedMessages);
  await redateMessages(
    database,
    datedMessages.map(({ id, at }) => ({
      id,
      at,
      readAt: unreadIds.has(id) ? undefined : later(at, HOUR_MS),
    })),
  );
}

/**
 * Dates each message about the start or end of an order by that event, unless the event is in the future; other
 * messages keep their creation time.
 */
function withDates(messages: readonly WrittenMessage[], now: Instant): DatedMessage[] {
  return messages.map(({ id, kind, parameters: { start, end }, writtenAt }) => {
    let at: Instant | undefined;
    if (AT_START.has(kind)) at = instantOf(start);
    if (AT_END.has(kind)) at = instantOf(end);
    return { id, kind, at: at === undefined || at > now ? writtenAt : at };
  });
}

/** Ids of the messages that stay unread: the newest message of a kind, for at most `UNREAD` kinds, newest first. */
function unreadIdsOf(datedMessages: readonly DatedMessage[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const { id, kind } of datedMessages.toSorted((left, right) => right.at - left.at))
    if (newest.size < UNREAD && !newest.has(kind)) newest.set(kind, id);
  return new Set(newest.values());
}

/** Parses a time parameter such as `2026-01-02 03:04 UTC`; undefined if it is absent or not a date. */
function instantOf(text: string | undefined): Instant | undefined {
  const at = Date.parse((text ?? '').replace(' UTC', 'Z').replace(' ', 'T'));
  return Number.isNaN(at) ? undefined : instant(at);
}
