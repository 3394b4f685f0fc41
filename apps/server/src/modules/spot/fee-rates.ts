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

interface Remembered {
  readonly tier: FeeTier;
  readonly volume: Decimal;
  readonly atMs: number;
}

/** Each user's fee tier by what was traded in the last 30 days; looked up at most every ten minutes. */
export class FeeRatesByVolume {
  private readonly reader: Reader;
  private readonly clock: Clock;
  private readonly found = new Map<UserId, Remembered>();
  /** Lookups under way: many orders of one user at once ask once. */
  private readonly asked = new Map<UserId, Promise<Remembered>>();

  constructor(reader: Reader, clock: Clock) {
    this.reader = reader;
    this.clock = clock;
  }

  /** The tier and the 30-day volume in USDT where they were looked up lately. */
  known(user: UserId): { tier: FeeTier; volume: Decimal } | undefined {
    const found = this.found.get(user);
    return found !== undefined && this.clock.monotonicMs() - found.atMs < FRESH_MS ? found : undefined;
  }

  /** The tier and the 30-day volume in USDT. */
  async of(user: UserId): Promise<{ tier: FeeTier; volume: Decimal }> {
    const known = this.known(user);
    if (known !== undefined) return known;
    let asked = this.asked.get(user);
    if (asked === undefined) {
      asked = this.lookUp(user).finally(() => this.asked.delete(user));
      this.asked.set(user, asked);
    }
    return asked;
  }

  private async lookUp(user: UserId): Promise<Remembered> {
    const volume = await tradedValue(this.reader, user, this.clock.now() - VOLUME_DAYS * DAY_MS);
    const remembered = { tier: tierFor(volume), volume, atMs: this.clock.monotonicMs() };
    if (this.found.size >= REMEMBERED_MAX) this.found.clear();
    this.found.set(user, remembered);
    return remembered;
  }
}
