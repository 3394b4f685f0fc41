import { Decimal, sum } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { PairStatus } from '@exchange/core/pair.ts';
import { invalidChoice, Refused, refusal } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/desk.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { rateText } from '../../platform/console/warnings.ts';
import type { Market, PublicLevel } from '../market/index.ts';
import { noticeOf, previewOfNotice, type TradingPauses } from '../trading-pauses/index.ts';
import type { ListedForTrading } from './domain/order.ts';
import type { PairStatuses } from './pair-statuses.ts';

const STATUSES: ReadonlySet<string> = new Set<PairStatus>(['open', 'cancelOnly', 'closed']);

/** Distance from the middle price, as a fraction of it, within which orders count as depth. */
const DEPTH_SHARE = Decimal.parse('0.01');
/** Maximum number of price levels of each side that are read for the depth. */
const DEPTH_LEVELS = 500;
const DEPTH_PLACES = 4;
const RATE_PLACES = 6;
const HALF = Decimal.parse('0.5');

interface Parts {
  readonly statuses: PairStatuses;
  readonly pauses: TradingPauses;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice' | 'publicReads'>;
  readonly listed: () => readonly ListedForTrading[];
}

/**
 * The operations on pairs: list them, and set the status of one (open, cancelOnly or closed) with a reason.
 * Any status but open is published with a notice to users; opening a pair needs the approval of a second
 * person.
 */
export function pairOperations({ statuses, pauses, market, listed }: Parts): Operation[] {
  return [
    serveList(described.pairs, async () => {
      const stored = new Map((await statuses.list()).map((row) => [row.symbol, row]));
      const { maker, taker } = FEE_TIERS[0]!;
      const list = listed().map(({ pair, filters, source, pause }) => {
        const { symbol } = pair;
        const { status = 'open', since, by, reason } = stored.get(symbol) ?? {};
        const notice = pauses.find('pair', symbol);
        return {
          symbol,
          status,
          haltedCoin: pause?.coin,
          ...marketOf(market, symbol),
          quote: pair.quote,
          makerFee: maker,
          takerFee: taker,
          priceBand: filters.priceBand,
          marketGuard: filters.marketGuard,
          tickSize: Decimal.ofScaled(1n, pair.priceDigits),
          stepSize: Decimal.ofScaled(1n, pair.amountDigits),
          minAmount: filters.minAmount,
          maxAmount: filters.maxAmount,
          minTotal: filters.minTotal,
          openOrders: filters.maxOpenOrders,
          stopOrders: filters.maxStopOrders,
          source,
          since,
          by,
          reason,
          publicCause: notice?.cause,
          newsAt: notice?.newsAt,
          note: notice?.note,
        };
      });
      return { list };
    }),
    serveAction(described.setPairStatus, {
      check: (call) => {
        if (statusOf(call) !== 'open') pauses.requirePublishable(noticeOf(call));
      },
      preview: (call) => {
        const isOpened = statusOf(call) === 'open';
        return Promise.resolve(isOpened ? { kind: 'pause', views: [] } : previewOfNotice(noticeOf(call)));
      },
      neighbours: ({ parameters: { symbol = '' } }) =>
        Promise.resolve([{ field: 'status', market: marketText(marketOf(market, symbol)) }]),
      secondPerson: {
        isNeeded: ({ fields: { status } }) => status === 'open',
        evidence: async ({ parameters: { symbol = '' }, fields: { status = '' } }) => {
          const current = (await statuses.list()).find((pair) => pair.symbol === symbol);
          if (current === undefined) throw invalidChoice('symbol', symbol);
          return {
            facts: {
              symbol,
              statusNow: current.status,
              statusNext: status,
              setBy: current.by,
              setBecause: current.reason,
            },
          };
        },
      },
      run: async (call) => {
        const status = statusOf(call);
        const symbol = call.parameters['symbol'] ?? '';
        const notice = status === 'open' ? undefined : noticeOf(call);
        if (notice !== undefined) pauses.requirePublishable(notice);
        return pauses.decide('pair', symbol, async () => {
          if (notice === undefined) await pauses.end('pair', symbol, whyOf(call));
          await statuses.set(symbol, status, whyOf(call));
          if (notice !== undefined) await pauses.publish('pair', symbol, notice, whyOf(call));
          return { symbol, status };
        });
      },
    }),
  ];
}

/**
 * Current prices of a pair, its spread, and for each side (`bids`, `asks`) the value in the quote coin of the orders
 * within `DEPTH_SHARE` of the middle price, on at most `DEPTH_LEVELS` price levels. If one side is empty, all orders on
 * these levels of the other side count. `distance` (of the last price from the index price) and `spread` are fractions.
 */
function marketOf(market: Parts['market'], symbol: string) {
  const { bids, asks } = market.publicReads.depth(symbol, DEPTH_LEVELS);
  const price = market.lastPrice(symbol);
  const index = market.indexPrice(symbol)?.price;
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const middle = bid && ask && bid.plus(ask).times(HALF, 'halfEven');
  const width = middle?.times(DEPTH_SHARE, 'up');
  const worthOf = (levels: readonly PublicLevel[]) =>
    sum(
      levels
        .filter((level) => middle === undefined || !level.price.minus(middle).absolute().isMore(width!))
        .map((level) => level.price.times(level.amount, 'down')),
    ).rounded(DEPTH_PLACES, 'down');
  return {
    price,
    index,
    distance: price && index && price.minus(index).over(index, 'halfEven', RATE_PLACES),
    spread: middle && ask.minus(bid).over(middle, 'halfEven', RATE_PLACES),
    bids: worthOf(bids),
    asks: worthOf(asks),
  };
}

function marketText({ price, index, spread, bids, asks }: ReturnType<typeof marketOf>): string {
  return [
    `last price ${price?.toString() ?? 'none'}`,
    `index ${index?.toString() ?? 'none'}`,
    `spread ${spread === undefined ? 'none' : rateText(spread)}`,
    `within 1 % bid ${bids}, offered ${asks}`,
  ].join('; ');
}

function statusOf({ fields }: OperatorCall): PairStatus {
  const status = fields['status'] ?? '';
  if (!isStatus(status)) throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
  return status;
}

function isStatus(text: string): text is PairStatus {
  return STATUSES.has(text);
}
