import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { treasuryMessages } from './words/messages.ts';

/** A queued inbox message to a user about a correction or a debt. */
export interface Notice {
  readonly id: string;
  readonly kind: keyof typeof treasuryMessages.kinds;
  readonly owner: UserId;
  /**
   * Values for the placeholders of the message; `at` is the time of the command that queued it, in milliseconds since
   * 1970.
   */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Queues an inbox message to a user. A job sends the message after the command is committed. The command's
 * time is added to the parameters as `at`.
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

/** Queue of inbox messages to users about corrections and debts. */
export const treasuryNotices = queueInTable<Notice, Notice>(
  'treasury_notice',
  ['kind', 'owner', 'parameters'],
  (_tx, rows) => Promise.resolve(rows),
);
