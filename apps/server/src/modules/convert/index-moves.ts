import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import { QUOTE_MS } from '@exchange/core/convert.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Lengths of the two time windows over which changes of the index are averaged, in milliseconds. The spread follows the
 * larger average: the long window keeps it wide while the market stays volatile, the short one widens it within half a
 * minute after volatility starts.
 */
const WINDOWS_MS = [5 * MINUTE_MS, 30 * SECOND_MS] as const;
const LONGEST_MS = Math.max(...WINDOWS_MS);
/**
 * Least number of index changes (`Move`) that a time window must contain; the average index change of a
 * window with fewer changes counts as zero.
 */
const MOVES_MIN = 5;
const PLACES = 18;

interface Move {
  readonly at: Instant;
  /** The absolute fraction by which the index changed within the lifetime of a quote (`QUOTE_MS`). */
  readonly fraction: Decimal;
}

interface Track {
  readonly points: { readonly at: Instant; readonly price: Decimal }[];
  readonly moves: Move[];
}

/**
 * Average change of each coin's index within the lifetime of a quote: the mean absolute change over ten seconds, in the
 * last five minutes or in the last half minute, whichever is larger. About 300 changes per coin are in memory; none are
 * known at the start of the process.
 */
export class IndexMoves {
  private readonly tracks = new Map<AssetCode, Track>();
  private readonly means = new Map<AssetCode, Decimal>();

  /**
   * Adds the newest index point of a coin; a point without a positive price, or one that is not newer than the last
   * point, is ignored.
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

  /**
   * The larger of the coin's mean index changes over the two time windows at its last recorded point, as a fraction; a
   * window with fewer than `MOVES_MIN` changes counts as zero.
   */
  meanMove(asset: AssetCode): Decimal {
    return this.means.get(asset) ?? Decimal.zero;
  }
}

function meanOf(moves: readonly Move[]): Decimal {
  if (moves.length < MOVES_MIN) return Decimal.zero;
  const sum = moves.reduce((total, { fraction: part }) => total.plus(part), Decimal.zero);
  return sum.over(Decimal.ofWhole(moves.length), 'up', PLACES);
}
