import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import { QUOTE_MS } from '@exchange/core/convert.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** Moves of these times count: the long one tells a wild hour, the short one its first half minute. */
const WINDOWS_MS = [5 * MINUTE_MS, 30 * SECOND_MS] as const;
const LONGEST_MS = Math.max(...WINDOWS_MS);
/** Fewer moves than these say nothing of a time. */
const MOVES_MIN = 5;
const PLACES = 18;

interface Move {
  readonly at: Instant;
  /** By what part the index moved within the time that a quote is firm. */
  readonly part: Decimal;
}

interface Track {
  readonly points: { readonly at: Instant; readonly price: Decimal }[];
  readonly moves: Move[];
}

/**
 * How far the index of each coin moves, on average, in the time that a quote is firm: the mean absolute move over ten seconds,
 * in the last five minutes or the last half minute, whichever is larger. Holds some 300 points of a coin and nothing of the
 * time before its process started.
 */
export class IndexMoves {
  private readonly tracks = new Map<AssetCode, Track>();
  private readonly means = new Map<AssetCode, Decimal>();

  /** Takes in the newest point of a coin; one without a price, or known already, changes nothing. */
  record(asset: AssetCode, { t, price }: Pick<IndexPoint, 't' | 'price'>): void {
    if (price === null || !price.isPositive()) return;
    const track = this.tracks.get(asset) ?? { points: [], moves: [] };
    this.tracks.set(asset, track);
    if ((track.points.at(-1)?.at ?? -1) >= t) return;
    while (track.points[0] !== undefined && track.points[0].at < t - QUOTE_MS) track.points.shift();
    const before = track.points[0];
    track.points.push({ at: t, price });
    if (before?.at === t - QUOTE_MS)
      track.moves.push({
        at: t,
        part: price.minus(before.price).absolute().over(before.price, 'up', PLACES),
      });
    while (track.moves[0] !== undefined && track.moves[0].at <= t - LONGEST_MS) track.moves.shift();
    const means = WINDOWS_MS.map((window) => meanOf(track.moves.filter(({ at }) => at > t - window)));
    this.means.set(asset, means.reduce(greatest));
  }

  /** The mean move of a coin, as a fraction; 0 for one that has no points. */
  meanMove(asset: AssetCode): Decimal {
    return this.means.get(asset) ?? Decimal.zero;
  }
}

function meanOf(moves: readonly Move[]): Decimal {
  if (moves.length < MOVES_MIN) return Decimal.zero;
  const sum = moves.reduce((total, { part }) => total.plus(part), Decimal.zero);
  return sum.over(Decimal.ofWhole(moves.length), 'up', PLACES);
}
