import { Decimal, sum } from '@exchange/core/decimal.ts';
import { FEE_TIERS, type FeeTier } from '@exchange/core/fee.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { percentOfTrail } from '@exchange/core/spot.ts';
import { chaseEndsAt } from '@exchange/core/spot-chase.ts';
import { gridResults } from '@exchange/core/spot-grid.ts';
import { twapEndsAt } from '@exchange/core/spot-twap.ts';
import { flagOf, tradeTypeOf } from '@exchange/wire/codecs.ts';
import type { Fill as FillShown, Order as OrderShown } from '@exchange/wire/feed.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { chaseDetail } from '@exchange/wire/chase.ts';
import type { gridDetail } from '@exchange/wire/grid.ts';
import type { icebergDetail } from '@exchange/wire/iceberg.ts';
import type { ladders } from '@exchange/wire/ladder.ts';
import type { algoOrders, twapDetail } from '@exchange/wire/twap.ts';
import { OFFERED_ORDER_TYPES, ORDER_STATUS, SELF_TRADE_MODES, TIMES_IN_FORCE } from '@exchange/wire/spot.ts';
import type { AlgoOrder } from './algo-repository.ts';
import type { ChaseProgress, ChaseWait } from './domain/chase.ts';
import { openCount, type Grid } from './domain/grid.ts';
import { hiddenAmount, type Iceberg } from './domain/iceberg.ts';
import type { LadderProgress } from './domain/ladder.ts';
import {
  type Amended,
  type ListedForTrading,
  type SpotOrder,
  averagePrice,
  feeAsset,
  isPending,
  type mutableState,
} from './domain/order.ts';
import type { BookSpan } from './domain/past-orders.ts';
import { nextChildAt, slippageOf, type Twap } from './domain/twap.ts';
import type { OrderFill } from './events.ts';
import type { FillExplanation } from './explanations.ts';
import type { UserFill } from './history-repository.ts';
import type { AccountEventRow, Statement } from './records.ts';
import type { Heading } from './words/export-headings.ts';

type TwapShown = DataOf<typeof twapDetail>['twap'];
type ChaseShown = DataOf<typeof chaseDetail>['chase'];
type GridShown = DataOf<typeof gridDetail>['grid'];
type IcebergShown = DataOf<typeof icebergDetail>['iceberg'];
type AlgoShown = DataOf<typeof algoOrders>['list'][number];
type LadderShown = DataOf<typeof ladders>['list'][number];

/** A spot order in the wire format of the API. */
export function presentOrder(order: SpotOrder): OrderShown {
  const { pair } = order;
  const stop = stopFields(order);
  return {
    id: order.id,
    clientId: order.clientId,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(order.side),
    orderType: order.type,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly ? 1 : 0,
    price: order.price?.toPlaces(pair.priceDigits) ?? '',
    // Fields are listed one by one, because the answer to every placement contains them, and spreading
    // `stop` would cost as much time as all other fields together.
    stopPrice: stop.stopPrice,
    direction: stop.direction,
    trailPct: stop.trailPct,
    activationPrice: stop.activationPrice,
    activatedTime: stop.activatedTime,
    stopStatus: stop.stopStatus,
    expireTime: order.expireAt ?? 0,
    groupId: order.groupId,
    takeProfitPrice: priceText(order.exits?.takeProfit, pair),
    stopLossPrice: priceText(order.exits?.stopLoss, pair),
    stopLossLimitPrice: priceText(order.exits?.stopLossLimit, pair),
    exitStatus: order.exits?.status ?? '',
    entryId: order.entryId,
    listId: order.oto?.id ?? '',
    listRole: listRoleOf(order),
    parentId: order.state === 'open' ? order.parentId : '',
    stp: order.selfTrade,
    amount: order.amount?.toString() ?? '',
    total: order.total?.toString() ?? '',
    filledAmount: order.filledAmount.toString(),
    filledTotal: order.filledTotal.toString(),
    cancelledAmount: order.cancelledAmount.toString(),
    avgPrice: averagePrice(order)?.toPlaces(pair.priceDigits) ?? '',
    fee: order.fee.toString(),
    feeCoin: feeAsset(order),
    status: statusOf(order),
    reason: order.reason,
    createTime: order.createdAt,
    updateTime: order.updatedAt,
  };
}

/**
 * A ladder (several orders spread over a price range) in the wire format of the API, with the numbers of its open and
 * filled orders and the totals of its fills.
 */
export function presentLadder(ladder: LadderProgress, pair: Pair): LadderShown {
  const { priceDigits } = pair;
  const { filledAmount, filledTotal } = ladder;
  return {
    id: ladder.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(ladder.side),
    fromPrice: ladder.fromPrice.toPlaces(priceDigits),
    toPrice: ladder.toPrice.toPlaces(priceDigits),
    count: ladder.count,
    amount: ladder.amount.toString(),
    sizes: ladder.sizes,
    openCount: ladder.open,
    filledCount: ladder.filled,
    filledAmount: filledAmount.toString(),
    filledTotal: filledTotal.toString(),
    avgPrice: priceText(averagePrice({ filledAmount, filledTotal, pair }), pair),
    fee: ladder.fee.toString(),
    feeCoin: feeAsset({ pair, side: ladder.side }),
    createTime: ladder.createdAt,
    updateTime: ladder.updatedAt,
  };
}

/**
 * A chase order with its progress in the wire format of the API. `wait` is the reason why its price cannot follow the
 * market now, if any.
 */
export function presentChase(chase: ChaseProgress, pair: Pair, wait: ChaseWait | undefined): ChaseShown {
  const { priceDigits } = pair;
  const { filledAmount, filledTotal, ending } = chase;
  const runningStatus = wait === undefined ? 'running' : 'waiting';
  return {
    id: chase.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(chase.side),
    amount: chase.amount.toString(),
    distance: percentOfTrail(chase.distance).toString(),
    limitPrice: priceText(chase.limitPrice, pair),
    minutes: chase.minutes,
    startPrice: chase.startPrice.toPlaces(priceDigits),
    worstPrice: chase.worstPrice.toPlaces(priceDigits),
    price: chase.price.toPlaces(priceDigits),
    moveCount: chase.moves,
    status: ending === undefined ? runningStatus : 'ended',
    reason: ending ?? wait ?? '',
    filledAmount: filledAmount.toString(),
    filledTotal: filledTotal.toString(),
    avgPrice: priceText(averagePrice({ filledAmount, filledTotal, pair }), pair),
    fee: chase.fee.toString(),
    feeCoin: feeAsset({ pair, side: chase.side }),
    createTime: chase.createdAt,
    endTime: chaseEndsAt(chase, chase.createdAt),
    updateTime: chase.updatedAt,
  };
}

/** An iceberg with its progress in the wire format of the API. */
export function presentIceberg(iceberg: Iceberg, pair: Pair): IcebergShown {
  const { filledAmount, filledTotal, ending } = iceberg;
  return {
    id: iceberg.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(iceberg.side),
    price: iceberg.price.toPlaces(pair.priceDigits),
    amount: iceberg.amount.toString(),
    visible: iceberg.visible.toString(),
    postOnly: iceberg.postOnly ? 1 : 0,
    placedCount: iceberg.placed,
    hiddenAmount: ending === undefined ? hiddenAmount(iceberg).toString() : '0',
    status: ending === undefined ? 'running' : 'ended',
    reason: ending ?? '',
    filledAmount: filledAmount.toString(),
    filledTotal: filledTotal.toString(),
    avgPrice: priceText(averagePrice({ filledAmount, filledTotal, pair }), pair),
    fee: iceberg.fee.toString(),
    feeCoin: feeAsset({ pair, side: iceberg.side }),
    createTime: iceberg.createdAt,
    updateTime: iceberg.updatedAt,
  };
}

/** A grid with its results at a price in the wire format of the API. */
export function presentGrid(grid: Grid, pair: Pair, price: Decimal): GridShown {
  const results = gridResults(grid, price);
  return {
    id: grid.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    lowerPrice: grid.lowerPrice.toPlaces(pair.priceDigits),
    upperPrice: grid.upperPrice.toPlaces(pair.priceDigits),
    levels: grid.levels,
    spacing: grid.spacing,
    investment: grid.investment.toString(),
    slippage: percentOfTrail(grid.slippage).toString(),
    stopLossPrice: grid.stopLoss?.toPlaces(pair.priceDigits) ?? '',
    takeProfitPrice: grid.takeProfit?.toPlaces(pair.priceDigits) ?? '',
    sellAtEnd: flagOf(grid.sellsAtEnd === true),
    amount: grid.amount.toString(),
    startPrice: grid.startPrice.toString(),
    invested: grid.invested.toString(),
    startCost: grid.startCost.toString(),
    startBase: grid.startBase.toString(),
    startQuote: grid.startQuote.toString(),
    allInBase: grid.allInBase.toString(),
    base: grid.base.toString(),
    quote: grid.quote.toString(),
    baseFee: grid.baseFee.toString(),
    quoteFee: grid.quoteFee.toString(),
    rounds: grid.rounds,
    gridProfit: grid.roundProfit.toString(),
    price: price.toString(),
    value: results.grid.value.toString(),
    profit: results.grid.profit.toString(),
    holdingValue: results.holding.value.toString(),
    holdingProfit: results.holding.profit.toString(),
    allInValue: results.allIn.value.toString(),
    allInProfit: results.allIn.profit.toString(),
    openCount: openCount(grid),
    placedCount: grid.placed,
    soldBase: grid.soldBase.toString(),
    soldQuote: grid.soldQuote.toString(),
    status: grid.ending === undefined ? 'running' : 'ended',
    reason: grid.ending ?? '',
    createTime: grid.createdAt,
    updateTime: grid.updatedAt,
  };
}

/** The data that the presentation of algo orders needs besides their rows. */
interface AlgoReads {
  readonly pairOf: (symbol: string) => Pair;
  /**
   * Returns why the price of a chase order cannot follow the market now; undefined if nothing prevents it.
   */
  readonly waitOf: (chase: ChaseProgress) => ChaseWait | undefined;
  /**
   * Returns the price with which the value and profit of a grid are computed: the pair's last price, or the
   * end price of an ended grid.
   */
  readonly priceOf: (grid: Grid) => Decimal;
}

/** An algo order of any kind in the wire format of the API. */
export function presentAlgo(algo: AlgoOrder, { pairOf, waitOf, priceOf }: AlgoReads): AlgoShown {
  const { id } = algo;
  if (algo.kind === 'twap') return { id, twap: presentTwap(algo.twap, pairOf(algo.twap.symbol)) };
  if (algo.kind === 'chase') {
    const { chase } = algo;
    return { id, chase: presentChase(chase, pairOf(chase.symbol), waitOf(chase)) };
  }
  if (algo.kind === 'grid')
    return { id, grid: presentGrid(algo.grid, pairOf(algo.grid.symbol), priceOf(algo.grid)) };
  if (algo.kind === 'iceberg')
    return { id, iceberg: presentIceberg(algo.iceberg, pairOf(algo.iceberg.symbol)) };
  return { id, ladder: presentLadder(algo.ladder, pairOf(algo.ladder.symbol)) };
}

/** A TWAP order with its progress in the wire format of the API. */
export function presentTwap(twap: Twap, pair: Pair): TwapShown {
  const { filledAmount, filledTotal, pause, ending } = twap;
  const isRunning = ending === undefined;
  const runningStatus = pause === undefined ? 'running' : 'paused';
  const average = averagePrice({ filledAmount, filledTotal, pair });
  return {
    id: twap.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(twap.side),
    amount: twap.amount.toString(),
    minutes: twap.minutes,
    count: twap.count,
    placedCount: twap.placed,
    slippage: percentOfTrail(twap.bound).toString(),
    limitPrice: priceText(twap.limitPrice, pair),
    startPrice: twap.startPrice.toPlaces(pair.priceDigits),
    status: isRunning ? runningStatus : 'ended',
    reason: ending ?? pause ?? '',
    filledAmount: filledAmount.toString(),
    filledTotal: filledTotal.toString(),
    avgPrice: priceText(average, pair),
    slippageBps: slippageOf(twap)?.toString() ?? '',
    fee: twap.fee.toString(),
    feeCoin: feeAsset({ pair, side: twap.side }),
    createTime: twap.createdAt,
    nextTime: isRunning ? nextChildAt(twap) : 0,
    endTime: twapEndsAt(twap, twap.createdAt),
    updateTime: twap.updatedAt,
  };
}

function listRoleOf(order: SpotOrder): OrderShown['listRole'] {
  if (order.oto === undefined || order.oto.role === 'working') return order.oto?.role ?? '';
  return isPending(order) ? 'pending' : 'released';
}

function priceText(price: Decimal | undefined, { priceDigits }: Pair): string {
  return price?.toPlaces(priceDigits) ?? '';
}

const NO_STOP = {
  ...({ stopPrice: '', direction: '', trailPct: '', stopStatus: '' } as const),
  activationPrice: '',
  activatedTime: 0,
};

function stopFields({ stop, pair }: SpotOrder) {
  if (stop === undefined) return NO_STOP;
  return {
    stopPrice: stop.price.toPlaces(pair.priceDigits),
    direction: stop.direction,
    trailPct: stop.trail === undefined ? '' : percentOfTrail(stop.trail).toString(),
    activationPrice: priceText(stop.activation, pair),
    activatedTime: stop.activatedAt ?? 0,
    stopStatus: stop.status === 'waiting' ? ('waiting' as const) : ('triggered' as const),
  };
}

/** An order with the additional fields of the detail view, except the fills. */
export function presentDetail(order: SpotOrder, amendments: readonly Amended[]) {
  const { pair } = order;
  return {
    ...presentOrder(order),
    makerRate: order.makerRate.toString(),
    takerRate: order.takerRate.toString(),
    triggerTime: order.stop?.triggeredAt ?? 0,
    amendments: amendments.map((change) => ({
      time: change.at,
      price: priceText(change.price, pair),
      amount: change.amount?.toString() ?? '',
      stopPrice: priceText(change.stopPrice, pair),
      takeProfitPrice: priceText(change.exits?.takeProfit, pair),
      stopLossPrice: priceText(change.exits?.stopLoss, pair),
      stopLossLimitPrice: priceText(change.exits?.stopLossLimit, pair),
      priceBefore: priceText(change.priceBefore, pair),
      amountBefore: change.amountBefore?.toString() ?? '',
      stopPriceBefore: priceText(change.stopPriceBefore, pair),
      takeProfitPriceBefore: priceText(change.exitsBefore?.takeProfit, pair),
      stopLossPriceBefore: priceText(change.exitsBefore?.stopLoss, pair),
      stopLossLimitPriceBefore: priceText(change.exitsBefore?.stopLossLimit, pair),
    })),
  };
}

/** An order with the mutable fields of an event; later commands may have changed the order since. */
export function presentOrderAt(order: SpotOrder, state: ReturnType<typeof mutableState>): OrderShown {
  return presentOrder({ ...order, ...state });
}

export function presentFill(order: SpotOrder, fill: OrderFill): FillShown {
  return {
    tradeId: fill.tradeId,
    orderId: order.id,
    symbol: order.pair.symbol,
    baseCoin: order.pair.base,
    quoteCoin: order.pair.quote,
    tradeType: tradeTypeOf(order.side),
    price: fill.price.toPlaces(order.pair.priceDigits),
    amount: fill.amount.toString(),
    total: fill.total.toString(),
    fee: fill.fee.toString(),
    feeCoin: feeAsset(order),
    role: fill.role,
    ts: fill.at,
  };
}

export function presentOwnFill(fill: UserFill, pair: Pair): FillShown {
  const isTaker = fill.role === 'taker';
  const side = (fill.takerSide === 'buy') === isTaker ? 'buy' : 'sell';
  return {
    tradeId: fill.id,
    orderId: isTaker ? fill.takerOrder : fill.makerOrder,
    symbol: fill.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(side),
    price: fill.price.toPlaces(pair.priceDigits),
    amount: fill.amount.toString(),
    total: fill.total.toString(),
    fee: (isTaker ? fill.takerFee : fill.makerFee).toString(),
    feeCoin: feeAsset({ pair, side }),
    role: fill.role,
    ts: fill.at,
  };
}

/** The explanation of a fill's price in the wire format of the API. */
export function presentExplanation({ fill, order, limitPrice, recorded, queue }: FillExplanation) {
  const { pair } = order;
  return {
    tradeId: fill.id,
    orderId: order.id,
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: tradeTypeOf(order.side),
    orderType: order.type,
    role: fill.role,
    price: fill.price.toPlaces(pair.priceDigits),
    amount: fill.amount.toString(),
    limitPrice: limitPrice?.toPlaces(pair.priceDigits),
    receivedTime: order.receivedAt,
    placedTime: order.createdAt,
    matchedTime: fill.at,
    committedTime: recorded?.committedAt,
    recorded: recorded && {
      step: recorded.step,
      seq: recorded.seq,
      hash: recorded.hash,
      bestBid: recorded.bestBid?.toPlaces(pair.priceDigits),
      bestAsk: recorded.bestAsk?.toPlaces(pair.priceDigits),
      levels: recorded.levels.map(({ price, before, after, traded }) => ({
        price: price.toPlaces(pair.priceDigits),
        before: before?.toString(),
        after: after?.toString(),
        traded: traded.toString(),
      })),
    },
    queue: queue && {
      joinedTime: queue.joinedAt,
      ahead: queue.ahead?.toString(),
      tradedBefore: queue.tradedBefore?.toString(),
    },
  };
}

/** A period in which an order was on the book, in the wire format of the API. */
export function presentSpan({ id, side, price, amount, from, until }: BookSpan, { priceDigits }: Pair) {
  return {
    id,
    tradeType: tradeTypeOf(side),
    price: price.toPlaces(priceDigits),
    amount: amount.toString(),
    from,
    until,
  };
}

function statusOf(order: SpotOrder): number {
  const hasFills = order.filledAmount.isPositive();
  if (order.state === 'filled') return ORDER_STATUS.filled;
  if (order.state === 'open') return hasFills ? ORDER_STATUS.partlyFilled : ORDER_STATUS.open;
  return hasFills ? ORDER_STATUS.partlyCancelled : ORDER_STATUS.cancelled;
}

/**
 * A listed pair with its limits on orders, its trading status and pause, and the rates of the lowest fee
 * tier.
 */
export function presentPair({ pair, filters, source, status, pause, logo }: ListedForTrading) {
  const rates = FEE_TIERS[0]!;
  return {
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    logo,
    pricePrecision: pair.priceDigits,
    amountPrecision: pair.amountDigits,
    tickSize: Decimal.ofScaled(1n, pair.priceDigits).toString(),
    stepSize: Decimal.ofScaled(1n, pair.amountDigits).toString(),
    minAmount: filters.minAmount.toString(),
    maxAmount: filters.maxAmount.toString(),
    minTotal: filters.minTotal.toString(),
    priceBand: filters.priceBand.toString(),
    marketGuard: filters.marketGuard.toString(),
    maxOpenOrders: filters.maxOpenOrders,
    maxStopOrders: filters.maxStopOrders,
    minTrail: filters.minTrail.toString(),
    maxTrail: filters.maxTrail.toString(),
    maxLifetimeMs: filters.maxLifetimeMs,
    selfTradeModes: [...SELF_TRADE_MODES],
    makerFee: rates.maker.toString(),
    takerFee: rates.taker.toString(),
    orderTypes: [...OFFERED_ORDER_TYPES],
    timesInForce: [...TIMES_IN_FORCE],
    status,
    source,
    pause,
  };
}

/**
 * A user's fee tier with its rates and the user's 30-day volume in USDT, and, unless the tier is the highest,
 * the rates of the next tier with the volume that it requires.
 */
export function presentFees({ tier, volume }: { tier: FeeTier; volume: Decimal }) {
  const next = FEE_TIERS[tier.tier + 1];
  const rates = {
    tier: tier.tier,
    maker: tier.maker.toString(),
    taker: tier.taker.toString(),
    volume30d: volume.toString(),
  };
  if (next === undefined) return rates;
  return {
    ...rates,
    next: { volume: next.volume.toString(), maker: next.maker.toString(), taker: next.taker.toString() },
  };
}

/** A fee tier in the form of the public fee schedule. */
export function presentFeeTier({ tier, volume, maker, taker }: FeeTier) {
  return {
    tier,
    volume: volume.toString(),
    maker: maker.toString(),
    taker: taker.toString(),
  };
}

/** The columns of an export file. Headings are translated; cells are not, so that programs can read them. */
export interface ExportTable<Row> {
  readonly headings: readonly Heading[];
  cells(row: Row): readonly string[];
}

type Columns<Shown> = Partial<Record<Heading, (shown: Shown) => string>>;

const STATUS_NAMES = new Map<number, string>(
  Object.entries(ORDER_STATUS).map(([name, code]) => [code, name]),
);

const sideText = ({ tradeType }: { tradeType: 1 | 2 }) => (tradeType === 1 ? 'buy' : 'sell');
const pairText = (shown: { baseCoin: string; quoteCoin: string }) => `${shown.baseCoin}/${shown.quoteCoin}`;
/** An instant in milliseconds as ISO 8601 in UTC. */
const isoTime = (ms: number) => new Date(ms).toISOString();

const ORDER_COLUMNS: Columns<ReturnType<typeof presentOrder>> = {
  time: ({ createTime }) => isoTime(createTime),
  orderId: ({ id }) => id,
  clientId: ({ clientId }) => clientId,
  pair: pairText,
  side: sideText,
  orderType: ({ orderType }) => orderType,
  timeInForce: ({ timeInForce }) => timeInForce,
  price: ({ price }) => price,
  stopPrice: ({ stopPrice }) => stopPrice,
  amount: ({ amount }) => amount,
  total: ({ total }) => total,
  filledAmount: ({ filledAmount }) => filledAmount,
  filledTotal: ({ filledTotal }) => filledTotal,
  averagePrice: ({ avgPrice }) => avgPrice,
  fee: ({ fee }) => fee,
  feeCoin: ({ feeCoin }) => feeCoin,
  status: ({ status }) => STATUS_NAMES.get(status) ?? '',
  reason: ({ reason }) => reason,
  updated: ({ updateTime }) => isoTime(updateTime),
};

const FILL_COLUMNS: Columns<ReturnType<typeof presentOwnFill>> = {
  time: ({ ts }) => isoTime(ts),
  tradeId: ({ tradeId }) => tradeId,
  orderId: ({ orderId }) => orderId,
  pair: pairText,
  side: sideText,
  role: ({ role }) => role,
  price: ({ price }) => price,
  amount: ({ amount }) => amount,
  total: ({ total }) => total,
  fee: ({ fee }) => fee,
  feeCoin: ({ feeCoin }) => feeCoin,
};

const MOVEMENT_COLUMNS: Columns<Statement> = {
  time: ({ createTime }) => isoTime(createTime),
  movementId: ({ id }) => id,
  coin: ({ currency }) => currency,
  movement: ({ type }) => type,
  bucket: ({ refType }) => refType,
  amount: ({ amount }) => amount,
  balance: ({ balance }) => balance,
  reference: ({ refId }) => refId,
};

interface MovedPart {
  readonly account: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * An account event (ledger entry such as a trade or a withdrawal) as one row of a file: the amounts paid and received
 * per coin over all accounts or, when coins only moved between accounts, the amounts that left one account and reached
 * another.
 */
function presentEvent({ entry, at, kind, reference, changes, fees }: AccountEventRow) {
  const parts = changes.map(({ product, asset, amount }) => ({ account: product, currency: asset, amount }));
  const byCoin = [...groupBy(parts, ({ currency }) => currency)].map(([currency, coinParts]) => ({
    currency,
    amount: sum(coinParts.map(({ amount }) => amount)),
    account: [...new Set(coinParts.map(({ account }) => account))].join(' + '),
  }));
  const changed = byCoin.filter(({ amount }) => !amount.isZero());
  const rows: readonly MovedPart[] = changed.length > 0 ? changed : parts;
  return {
    id: String(entry),
    createTime: at,
    event: kind,
    paid: rows.filter(({ amount }) => amount.isNegative()),
    received: rows.filter(({ amount }) => amount.isPositive()),
    fees,
    refId: reference ?? '',
  };
}

const joinTexts = (texts: readonly string[]): string => texts.join(' + ');
const EVENT_COLUMNS: Columns<ReturnType<typeof presentEvent>> = {
  time: ({ createTime }) => isoTime(createTime),
  eventId: ({ id }) => id,
  movement: ({ event }) => event,
  paidAmount: ({ paid }) => joinTexts(paid.map(({ amount }) => amount.negated().toString())),
  paidCoin: ({ paid }) => joinTexts(paid.map(({ currency }) => currency)),
  paidAccount: ({ paid }) => joinTexts(paid.map(({ account }) => account)),
  receivedAmount: ({ received }) => joinTexts(received.map(({ amount }) => amount.toString())),
  receivedCoin: ({ received }) => joinTexts(received.map(({ currency }) => currency)),
  receivedAccount: ({ received }) => joinTexts(received.map(({ account }) => account)),
  fee: ({ fees }) => joinTexts(fees.map(({ amount }) => amount.toString())),
  feeCoin: ({ fees }) => joinTexts(fees.map(({ asset }) => asset)),
  reference: ({ refId }) => refId,
};

export const EVENT_TABLE: ExportTable<AccountEventRow> = tableOf(EVENT_COLUMNS, presentEvent);
export const ORDER_TABLE: ExportTable<SpotOrder> = tableOf(ORDER_COLUMNS, presentOrder);
export const MOVEMENT_TABLE: ExportTable<Statement> = tableOf(MOVEMENT_COLUMNS, (statement) => statement);

export function fillTable(pairOf: (symbol: string) => Pair): ExportTable<UserFill> {
  return tableOf(FILL_COLUMNS, (fill: UserFill) => presentOwnFill(fill, pairOf(fill.symbol)));
}

function tableOf<Row, Shown>(columns: Columns<Shown>, present: (row: Row) => Shown): ExportTable<Row> {
  const cellReaders = Object.values(columns);
  return {
    headings: Object.keys(columns) as Heading[],
    cells: (row) => {
      const shown = present(row);
      return cellReaders.map((read) => read(shown));
    },
  };
}
