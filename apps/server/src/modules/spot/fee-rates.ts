import type { Decimal } from '@exchange/core/decimal.ts';
import { tierFor, type FeeTier } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { tradedValue } from './repository.ts';

const VOLUME_DAYS = 30;
const FRESH_MS = 600_000;
const REMEMBERED_MAX = 200_000;

interface CachedTier {
  readonly tier: FeeTier;
  readonly volume: Decimal;
  readonly atMs: number;
}

/** The fee tier of each user by the volume of the last 30 days, cached for ten minutes. */
export class FeeRatesByVolume {
  private readonly reader: Reader;
  private readonly clock: Clock;
  private readonly cache = new Map<UserId, CachedTier>();
  /** Lookups in progress, shared by concurrent requests of the same user. */
  private readonly lookups = new Map<UserId, Promise<CachedTier>>();

  constructor(reader: Reader, clock: Clock) {
    this.reader = reader;
    this.clock = clock;
  }

  /** The cached tier and 30-day volume in USDT; undefined when not cached or stale. */
  cachedTierOf(user: UserId): { tier: FeeTier; volume: Decimal } | undefined {
    const cached = this.cache.get(user);
    return cached !== undefined && this.clock.monotonicMs() - cached.atMs < FRESH_MS ? cached : undefined;
  }

  /** The tier and 30-day volume in USDT, read from the database when not cached. */
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
    const volume = await tradedValue(this.reader, user, this.clock.now() - VOLUME_DAYS * DAY_MS);
    const cached = { tier: tierFor(volume), volume, atMs: this.clock.monotonicMs() };
    if (this.cache.size >= REMEMBERED_MAX) this.cache.clear();
    this.cache.set(user, cached);
    return cached;
  }
}
