import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { timeText } from '../../platform/time-text.ts';
import type { AddressedMessage } from '../messages/index.ts';
import { treasuryMessages } from './words/messages.ts';

type NoticeKind = keyof typeof treasuryMessages.kinds;

interface NoticeRow {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Queues a message to a user, which is written if the step is committed. `time` is added to the parameters. */
export async function enqueueNotice(
  step: SqlStep,
  kind: NoticeKind,
  owner: UserId,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const shown = JSON.stringify({ ...parameters, time: timeText(step.now) });
  await sql`
    insert into treasury_notice (kind, owner, parameters) values (${kind}, ${owner}, ${shown}::jsonb)
  `.execute(step.sql);
}

/** Queued messages about corrections and debts. */
export const treasuryNotices = queueInTable<NoticeRow, AddressedMessage>(
  'treasury_notice',
  ['kind', 'owner', 'parameters'],
  (_tx, rows) =>
    Promise.resolve(
      rows.map(({ id, kind, owner, parameters }) => ({
        userId: owner as UserId,
        about: id,
        message: { type: 'asset', kind: treasuryMessages.kinds[kind as NoticeKind], parameters },
      })),
    ),
);
