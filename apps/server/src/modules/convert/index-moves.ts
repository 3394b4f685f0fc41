import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import { QUOTE_MS } from '@exchange/core/convert.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/**
 * The time windows over which moves are averaged: the long one reflects volatility that lasts, the short one
 * reacts to its first half minute.
 */
const WINDOWS_MS = [5 * MINUTE_MS, 30 * SECOND_MS] as const;
const LONGEST_MS = Math.max(...WINDOWS_MS);
/** A time window that contains fewer moves than this is ignored. */
const MOVES_MIN = 5;
const PLACES = 18;

interface Move {
  readonly at: Instant;
  /** The fraction by which the index moved within a quote's lifetime. */
  readonly fraction: Decimal;
}

interface Track {
  readonly points: { readonly at: Instant; readonly price: Decimal }[];
  readonly moves: Move[];
}

/**
 * The average move of each coin's index within a quote's lifetime: the mean absolute move over ten seconds,
 * in the last five minutes or the last half minute, whichever is larger. Stores about 300 moves per coin in
 * memory, from the start of the process on.
 */
export class IndexMoves {
  private readonly tracks = new Map<AssetCode, Track>();
  private readonly means = new Map<AssetCode, Decimal>();

  /**
   * Adds the newest point of a coin; ignores a point without a price and a point that is not newer than the last one.
   */
  record(asset: AssetCode, { t, price }: Pick<IndexPoint, 't' | 'price'>): void {
    if (price === null || !price.isPositive()) return;
    const track = this.tracks.get(asset) ?? { points: [], moves: [] };
    this.tracks.set(asset, track);
    if ((track.points.at(-1)?.at ?? -1) >= t) return;
    while (track.points[0] !== undefined && track.points[0].at < t - QUOTE_MS) track.points.shift();
    const previous = track.points[0];
    track.points.push({ at: t, price });
    if (previous?.at === t - QUOTE_MS)
      track.moves.push({
        at: t,
        fraction: price.minus(previous.price).absolute().over(previous.price, 'up', PLACES),
      });
    while (track.moves[0] !== undefined && track.moves[0].at <= t - LONGEST_MS) track.moves.shift();
    const means = WINDOWS_MS.map((window) => meanOf(track.moves.filter(({ at }) => at > t - window)));
    this.means.set(asset, means.reduce(greatest));
  }

  /** The mean move of a coin as a fraction; zero while too few moves are known. */
  meanMove(asset: AssetCode): Decimal {
    return this.means.get(asset) ?? Decimal.zero;
  }
}

function meanOf(moves: readonly Move[]): Decimal {
  if (moves.length < MOVES_MIN) return Decimal.zero;
  const sum = moves.reduce((total, { fraction: part }) => total.plus(part), Decimal.zero);
  return sum.over(Decimal.ofWhole(moves.length), 'up', PLACES);
}
