import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { treasuryMessages } from './words/messages.ts';

/** A queued message about a correction or a debt. */
export interface Notice {
  readonly id: string;
  readonly kind: keyof typeof treasuryMessages.kinds;
  readonly owner: UserId;
  /** Values for the texts of the message; `at` is the time of the step in milliseconds. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Queues a message to a user, which is sent if the step is committed. The time of the step is added
 * as `at`.
 */
export async function enqueueNotice(
  step: SqlStep,
  kind: Notice['kind'],
  owner: UserId,
  parameters: Notice['parameters'],
): Promise<void> {
  const shown = JSON.stringify({ ...parameters, at: String(step.now) });
  await sql`
    insert into treasury_notice (kind, owner, parameters) values (${kind}, ${owner}, ${shown}::jsonb)
  `.execute(step.sql);
}

/** Messages about corrections and debts that wait to be written. */
export const treasuryNotices = queueInTable<Notice, Notice>(
  'treasury_notice',
  ['kind', 'owner', 'parameters'],
  (_tx, rows) => Promise.resolve(rows),
);
