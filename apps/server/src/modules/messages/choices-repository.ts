import type { UserId } from '@exchange/core/ids.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { MessageTables } from './tables.ts';
import type { Channels, NoticeTopic } from './topics.ts';

/** What users have chosen, by user and topic: `user topic`. At most a few rows of each. */
export async function choicesOf(
  reader: Reader,
  users: readonly UserId[],
): Promise<ReadonlyMap<string, Channels>> {
  const rows = await reader
    .withTables<MessageTables>()
    .selectFrom('message_choice')
    .selectAll()
    .where('user_id', 'in', users)
    .execute();
  return new Map(rows.map(({ user_id, topic, inbox, mail }) => [choiceKey(user_id, topic), { inbox, mail }]));
}

/** Under which a choice is found. */
export function choiceKey(user: string, topic: string): string {
  return `${user} ${topic}`;
}

export async function saveChoice(
  tx: Tx,
  user: UserId,
  topic: NoticeTopic,
  { inbox, mail }: Channels,
): Promise<void> {
  await tx
    .withTables<MessageTables>()
    .insertInto('message_choice')
    .values({ user_id: user, topic, inbox, mail })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ inbox, mail }))
    .execute();
}
