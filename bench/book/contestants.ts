/* oxlint-disable typescript/no-non-null-assertion -- parallel arrays of one length; a check per read would be timed */
import { OrderBook as HftBook } from 'hft-limit-order-book';
import { OrderBook as NodejsBook } from 'nodejs-order-book';
import { PriceTimeBook } from '../../apps/server/src/modules/matching/index.ts';
import { CANCEL, type Stream } from './streams.ts';

/** Result of replaying a stream of orders. It must be equal for all order books with the same matching rules. */
export interface Totals {
  readonly trades: number;
  readonly tradedLots: number;
  readonly resting: number;
}

export interface Contestant {
  /** Runs the order operations with index `from` (inclusive) to `to` (exclusive). */
  run(from: number, to: number): void;
  totals(): Totals;
}

export const CONTESTANTS = ['ours', 'nodejs-order-book', 'hft-limit-order-book'] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

/**
 * Creates an empty order book with counters of its trades and traded lots. For the exchange's own book it also converts
 * the prices of the stream to bigint. The benchmark does not measure the time of this preparation.
 */
export function contestant(name: ContestantName, stream: Stream): Contestant {
  return name === 'ours' ? ours(stream) : npmPeer(name, stream);
}

function ours(stream: Stream): Contestant {
  const book = new PriceTimeBook();
  const prices = Array.from(stream.prices, BigInt);
  let trades = 0;
  let traded = 0n;
  return {
    run(from, to) {
      for (let at = from; at < to; at += 1) {
        if (stream.kinds[at] === CANCEL) {
          book.cancel(stream.ids[at]!);
          continue;
        }
        const { fills, filledAmount } = book.place({
          id: stream.ids[at]!,
          owner: stream.owners[at]!,
          side: stream.isBuy[at] === 1 ? 'buy' : 'sell',
          price: prices[at]!,
          // The measurement includes the conversion of the amount to the bigint that the exchange's order book stores,
          // because every caller of this book must do the conversion.
          amount: BigInt(stream.lots[at]!),
          timeInForce: 'GTC',
          postOnly: false,
          selfTrade: 'cancelTaker',
        });
        trades += fills.length;
        if (fills.length > 0) traded += filledAmount;
      }
    },
    totals: () => ({ trades, tradedLots: Number(traded), resting: book.size }),
  };
}

interface PeerAnswer {
  readonly done: readonly { readonly id: string; readonly size: number }[];
  readonly partial: { readonly id: string } | null;
  readonly partialQuantityProcessed: number;
}

interface PeerBook {
  limit(order: { id: string; side: string; size: number; price: number }): PeerAnswer;
  cancel(id: string): unknown;
  snapshot(): PeerSnapshot;
}

interface PeerSnapshot {
  readonly bids: readonly { readonly orders: readonly unknown[] }[];
  readonly asks: readonly { readonly orders: readonly unknown[] }[];
}

function npmPeer(name: ContestantName, stream: Stream): Contestant {
  const Book = name === 'nodejs-order-book' ? NodejsBook : HftBook;
  const book = new Book() as unknown as PeerBook;
  let trades = 0;
  let tradedLots = 0;
  return {
    run(from, to) {
      for (let at = from; at < to; at += 1) {
        const id = stream.ids[at]!;
        if (stream.kinds[at] === CANCEL) {
          book.cancel(id);
          continue;
        }
        const size = stream.lots[at]!;
        const side = stream.isBuy[at] === 1 ? 'buy' : 'sell';
        const answer = book.limit({ id, side, size, price: stream.prices[at]! });
        if (answer.done.length > 0 || answer.partial !== null) {
          const traded = count(id, size, answer);
          trades += traded.trades;
          tradedLots += traded.lots;
        }
      }
    },
    totals: () => ({ trades, tradedLots, resting: countResting(book.snapshot()) }),
  };
}

/**
 * Returns the number of trades and of traded lots of an order, from the result that an npm order book returns for it.
 * The result contains the completely filled orders, possibly including the order itself, and at most one partly filled
 * order.
 */
function count(takerId: string, size: number, answer: PeerAnswer): { trades: number; lots: number } {
  const makersDone = answer.done.filter((order) => order.id !== takerId);
  const makerPartly = answer.partial !== null && answer.partial.id !== takerId;
  const takerPartly = answer.partial !== null && answer.partial.id === takerId;
  const takerDone = makersDone.length < answer.done.length;
  const lots = takerDone ? size : takerPartly ? answer.partialQuantityProcessed : 0;
  return { trades: makersDone.length + (makerPartly ? 1 : 0), lots };
}

function countResting({ bids, asks }: PeerSnapshot): number {
  return [...bids, ...asks].reduce((sum, level) => sum + level.orders.length, 0);
}
