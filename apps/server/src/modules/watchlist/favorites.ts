import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import { deleteFavorite, favoritesOf, insertFavorite, lockFavorites } from './repository.ts';

export const FAVORITE_LIMIT = 100;

/** The pairs a user has marked with a star. Every change answers with all of them. */
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

  /** Adds a pair at the end; one that is there keeps its place. Refuses an unknown pair and a hundred and first. */
  add(user: UserId, symbol: string): Promise<string[]> {
    if (this.assets.findPair(symbol) === undefined) {
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
    }
    return this.database.transaction(async (tx) => {
      const present = await lockFavorites(tx, user);
      if (present.includes(symbol)) return present;
      if (present.length >= FAVORITE_LIMIT) {
        throw new Refused(refusal('aboveMaximum', 'l.favorites_max', { limit: String(FAVORITE_LIMIT) }));
      }
      await insertFavorite(tx, user, symbol);
      return [...present, symbol];
    });
  }

  /** Takes a pair out, also one that is no longer traded. */
  remove(user: UserId, symbol: string): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      const present = await lockFavorites(tx, user);
      await deleteFavorite(tx, user, symbol);
      return present.filter((other) => other !== symbol);
    });
  }
}
