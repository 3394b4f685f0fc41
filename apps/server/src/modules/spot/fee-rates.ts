import type { Decimal } from '@exchange/core/decimal.ts';
import { tierFor, type FeeTier } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountStatuses } from './command-inputs.ts';
import { tradedValue } from './repository.ts';

const VOLUME_DAYS = 30;
const FRESH_MS = 600_000;
const REMEMBERED_MAX = 200_000;

interface CachedTier {
  readonly tier: FeeTier;
  readonly volume: Decimal;
  readonly atMs: number;
}

interface Parts {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly accountStatuses: Pick<AccountStatuses, 'accountsOfPerson'>;
}

/**
 * The fee tier of each user by the value in USDT that all accounts of the person (master and sub-accounts) have traded
 * together, as maker and as taker, in the last 30 times 24 hours. Cached for ten minutes.
 */
export class FeeRatesByVolume {
  private readonly parts: Parts;
  private readonly cache = new Map<UserId, CachedTier>();
  /** Lookups of fee tiers in progress, by user; concurrent requests of the same user share one lookup. */
  private readonly lookups = new Map<UserId, Promise<CachedTier>>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * A user's cached tier and 30-day volume in USDT; undefined if none is cached or the cached one is ten minutes old.
   */
  cachedTierOf(user: UserId): { tier: FeeTier; volume: Decimal } | undefined {
    const cached = this.cache.get(user);
    return cached !== undefined && this.parts.clock.monotonicMs() - cached.atMs < FRESH_MS
      ? cached
      : undefined;
  }

  /**
   * A user's tier and 30-day volume in USDT: those in the cache if they are less than ten minutes old, otherwise read
   * from the database.
   */
  async tierOf(user: UserId): Promise<{ tier: FeeTier; volume: Decimal }> {
    const known = this.cachedTierOf(user);
    if (known !== undefined) return known;
    let lookup = this.lookups.get(user);
    if (lookup === undefined) {
      lookup = this.lookUp(user).finally(() => this.lookups.delete(user));
      this.lookups.set(user, lookup);
    }
    return lookup;
  }

  private async lookUp(user: UserId): Promise<CachedTier> {
    const { reader, clock, accountStatuses } = this.parts;
    const owners = await accountStatuses.accountsOfPerson(user);
    const volume = await tradedValue(reader, owners, clock.now() - VOLUME_DAYS * DAY_MS);
    const cached = { tier: tierFor(volume), volume, atMs: clock.monotonicMs() };
    if (this.cache.size >= REMEMBERED_MAX) this.cache.clear();
    this.cache.set(user, cached);
    return cached;
  }
}
