import type { UserId } from '@exchange/core/ids.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { lockUser } from './lock-repository.ts';
import type { WatchlistTables } from './tables.ts';

/** A user's favourite pairs in the order in which they were added. */
export async function favoritesOf(reader: Reader, user: UserId): Promise<string[]> {
  const rows = await reader
    .withTables<WatchlistTables>()
    .selectFrom('favorite_pair')
    .select('symbol')
    .where('user_id', '=', user)
    .orderBy('number')
    .execute();
  return rows.map(({ symbol }) => symbol);
}

/** As `favoritesOf`, and nobody else changes them until the transaction ends. */
export async function lockFavorites(tx: Tx, user: UserId): Promise<string[]> {
  await lockUser(tx, user);
  return favoritesOf(tx, user);
}

export async function insertFavorite(tx: Tx, user: UserId, symbol: string): Promise<void> {
  await tx
    .withTables<WatchlistTables>()
    .insertInto('favorite_pair')
    .values({ user_id: user, symbol })
    .execute();
}

export async function deleteFavorite(tx: Tx, user: UserId, symbol: string): Promise<void> {
  await tx
    .withTables<WatchlistTables>()
    .deleteFrom('favorite_pair')
    .where('user_id', '=', user)
    .where('symbol', '=', symbol)
    .execute();
}
