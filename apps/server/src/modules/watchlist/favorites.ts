import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import { deleteFavorite, favoritesOf, insertFavorite, lockFavorites } from './repository.ts';

export const FAVORITE_LIMIT = 100;

/** The pairs that a user has marked as favorites. Every change returns the complete new list. */
export class Favorites {
  private readonly database: Database;
  private readonly assets: Assets;

  constructor({ database, assets }: { database: Database; assets: Assets }) {
    this.database = database;
    this.assets = assets;
  }

  list(user: UserId): Promise<string[]> {
    return favoritesOf(this.database.reader, user);
  }

  /**
   * Adds a pair at the end of a user's favorites; a pair that is in the list already keeps its position.
   * Returns the complete new list. Refuses an unknown pair and more than 100 pairs.
   */
  add(user: UserId, symbol: string): Promise<string[]> {
    if (this.assets.findPair(symbol) === undefined) {
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
    }
    return this.database.transaction(async (tx) => {
      const favorites = await lockFavorites(tx, user);
      if (favorites.includes(symbol)) return favorites;
      if (favorites.length >= FAVORITE_LIMIT) {
        throw new Refused(refusal('aboveMaximum', 'l.favorites_max', { limit: String(FAVORITE_LIMIT) }));
      }
      await insertFavorite(tx, user, symbol);
      return [...favorites, symbol];
    });
  }

  /**
   * Removes a pair, which need not be listed any more, from a user's favorites. Returns the symbols of the
   * remaining favorites.
   */
  remove(user: UserId, symbol: string): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      const favorites = await lockFavorites(tx, user);
      await deleteFavorite(tx, user, symbol);
      return favorites.filter((favorite) => favorite !== symbol);
    });
  }
}
