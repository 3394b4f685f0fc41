import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { pairSymbol } from '@exchange/core/pair.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import { trailOfPercent } from '@exchange/core/spot.ts';
import { instant } from '@exchange/core/time.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { cancelChase, chaseDetail, createChase } from '@exchange/wire/chase.ts';
import { fillExplanation, pastOrders } from '@exchange/wire/fill-explanation.ts';
import { cancelGrid, createGrid, gridDetail, gridOrders } from '@exchange/wire/grid.ts';
import { cancelIceberg, createIceberg, icebergDetail } from '@exchange/wire/iceberg.ts';
import { cancelLadder, createLadder, ladderDetail, ladders } from '@exchange/wire/ladder.ts';
import * as wire from '@exchange/wire/spot.ts';
import { algoOrders, cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  submissionRoute,
} from '../../platform/http/route.ts';
import type { Explanations } from './explanations.ts';
import type { Exports } from './export.ts';
import type { PlaceOco, PlaceOrder } from './command-inputs.ts';
import {
  presentAlgo,
  presentChase,
  presentDetail,
  presentExplanation,
  presentFees,
  presentFeeTier,
  presentFill,
  presentGrid,
  presentIceberg,
  presentLadder,
  presentOrder,
  presentOwnFill,
  presentPair,
  presentSpan,
  presentTwap,
} from './present.ts';
import type { ChaseProgress } from './domain/chase.ts';
import type { Grid } from './domain/grid.ts';
import type { Records } from './records.ts';
import type { Spot } from './service.ts';

/** The endpoints of spot trading. */
export function spotRoutes({
  spot,
  records,
  explanations,
}: {
  spot: Spot;
  records: Records;
  explanations: Explanations;
}): Route[] {
  return [
    route(wire.spotBasics, (coins) => spot.listed(coins).map(presentPair)),
    submissionRoute(wire.createOrder, {
      operation: 'spot.place',
      serve: (fields, { session, submission }) => spot.place(session.userId, orderOf(fields), submission),
      restore: (stored, { session }) => spot.restoreOrder(session.userId, stored),
    }),
    submissionRoute(wire.createOco, {
      operation: 'spot.oco',
      serve: (fields, { session, submission }) => spot.placeOco(session.userId, ocoOf(fields), submission),
    }),
    submissionRoute(wire.amendOrder, {
      operation: 'spot.amend',
      serve: ({ id, price, amount, stopPrice, ...prices }, { session, submission }) => {
        const change = { price, amount, stopPrice, exits: exitsOf(prices) };
        return spot.amend(session.userId, id as OrderId, change, submission);
      },
      restore: (stored, { session }) => spot.restoreOrder(session.userId, stored),
    }),
    route(wire.cancelOrder, async ({ id, clientId }, { session, key }) => {
      const clientKey = clientId ?? key;
      if (id !== undefined) return spot.cancel(session.userId, id as OrderId);
      if (clientKey !== undefined) return spot.cancelByClientId(session.userId, clientKey);
      throw new Refused(refusal('invalidField', 'l.field_required', { field: 'id' }));
    }),
    submissionRoute(wire.cancelAllOrders, {
      operation: 'spot.cancelAll',
      serve: ({ baseCoin, quoteCoin, tradeType }, { session, submission }) =>
        spot.cancelAll(session.userId, { baseCoin, quoteCoin, side: tradeType, endsTwaps: true }, submission),
    }),
    submissionRoute(createLadder, {
      operation: 'spot.ladder',
      serve: ({ baseCoin, quoteCoin, tradeType, fromPrice, toPrice, count, amount, sizes }, caller) => {
        const ladder = {
          symbol: pairSymbol(baseCoin, quoteCoin),
          side: tradeType,
          fromPrice,
          toPrice,
          count,
          amount,
          sizes,
        };
        return spot.ladders.place(caller.session.userId, ladder, caller.submission);
      },
    }),
    route(cancelLadder, ({ id }, { session }) => spot.ladders.cancel(session.userId, id)),
    route(ladders, async ({ ended, ...page }, { session }) => {
      const listed = await spot.ladders.list(session.userId, ended, page);
      return pageAnswer(
        mapPage(listed, (ladder) => presentLadder(ladder, spot.pairOf(ladder.symbol))),
        page,
      );
    }),
    route(ladderDetail, async ({ id }, { session }) => {
      const { ladder, orders } = await spot.ladders.find(session.userId, id);
      return {
        ladder: presentLadder(ladder, spot.pairOf(ladder.symbol)),
        orders: orders.map(presentOrder),
      };
    }),
    submissionRoute(createIceberg, {
      operation: 'spot.iceberg',
      serve: ({ baseCoin, quoteCoin, tradeType, ...terms }, { session, submission }) => {
        const iceberg = {
          symbol: pairSymbol(baseCoin, quoteCoin),
          side: tradeType,
          price: terms.price,
          amount: terms.amount,
          visible: terms.visible,
          postOnly: terms.postOnly,
        };
        return spot.icebergs.place(session.userId, iceberg, submission);
      },
    }),
    route(cancelIceberg, ({ id }, { session }) => spot.icebergs.cancel(session.userId, id)),
    route(icebergDetail, async ({ id }, { session }) => {
      const { iceberg, orders } = await spot.icebergs.find(session.userId, id);
      return {
        iceberg: presentIceberg(iceberg, spot.pairOf(iceberg.symbol)),
        orders: orders.map(presentOrder),
      };
    }),
    submissionRoute(createChase, {
      operation: 'spot.chase',
      serve: ({ baseCoin, quoteCoin, tradeType, distance, ...terms }, { session, submission }) => {
        const chase = {
          symbol: pairSymbol(baseCoin, quoteCoin),
          side: tradeType,
          amount: terms.amount,
          distance: trailOfPercent(distance),
          limitPrice: terms.limitPrice,
          minutes: terms.minutes,
        };
        return spot.chases.start(session.userId, chase, submission);
      },
    }),
    route(cancelChase, ({ id }, { session }) => spot.chases.cancel(session.userId, id)),
    route(chaseDetail, async ({ id }, { session }) => {
      const { chase, orders } = await spot.chases.find(session.userId, id);
      return {
        chase: presentChase(chase, spot.pairOf(chase.symbol), spot.chases.waitOf(chase)),
        orders: orders.map(presentOrder),
      };
    }),
    submissionRoute(createGrid, {
      operation: 'spot.grid',
      serve: ({ baseCoin, quoteCoin, slippage, ...terms }, { session, submission }) => {
        const grid = {
          symbol: pairSymbol(baseCoin, quoteCoin),
          lowerPrice: terms.lowerPrice,
          upperPrice: terms.upperPrice,
          levels: terms.levels,
          spacing: terms.spacing,
          investment: terms.investment,
          slippage: trailOfPercent(slippage),
          stopLoss: terms.stopLossPrice,
          takeProfit: terms.takeProfitPrice,
          sellsAtEnd: terms.sellAtEnd,
        };
        return spot.grids.start(session.userId, grid, submission);
      },
    }),
    route(cancelGrid, async ({ id, sell = false }, { session }) => {
      const answer = await spot.grids.cancel(session.userId, id, sell);
      return {
        count: answer.count,
        haltedOrders: answer.haltedOrders,
        soldBase: answer.soldBase.toString(),
        soldQuote: answer.soldQuote.toString(),
      };
    }),
    route(gridDetail, async ({ id }, { session }) => {
      const { grid, orders } = await spot.grids.find(session.userId, id);
      return {
        grid: presentGrid(grid, spot.pairOf(grid.symbol), spot.grids.priceOf(grid)),
        orders: orders.map(presentOrder),
      };
    }),
    route(gridOrders, async ({ id, ...page }, { session }) => {
      const listed = await spot.grids.orders(session.userId, id, page);
      return pageAnswer(mapPage(listed, presentOrder), page);
    }),
    submissionRoute(createTwap, {
      operation: 'spot.twap',
      serve: ({ baseCoin, quoteCoin, tradeType, slippage, ...terms }, { session, submission }) => {
        const twap = {
          symbol: pairSymbol(baseCoin, quoteCoin),
          side: tradeType,
          amount: terms.amount,
          minutes: terms.minutes,
          count: terms.count,
          bound: trailOfPercent(slippage),
          limitPrice: terms.limitPrice,
        };
        return spot.twaps.start(session.userId, twap, submission);
      },
    }),
    route(cancelTwap, ({ id }, { session }) => spot.twaps.cancel(session.userId, id)),
    route(twapDetail, async ({ id }, { session }) => {
      const { twap, orders } = await spot.twaps.find(session.userId, id);
      return {
        twap: presentTwap(twap, spot.pairOf(twap.symbol)),
        orders: orders.map(presentOrder),
      };
    }),
    route(algoOrders, async ({ ended, ...page }, { session }) => {
      const listed = await spot.algoOrders.list(session.userId, ended, page);
      const reads = {
        pairOf: (symbol: string) => spot.pairOf(symbol),
        waitOf: (chase: ChaseProgress) => spot.chases.waitOf(chase),
        priceOf: (grid: Grid) => spot.grids.priceOf(grid),
      };
      return pageAnswer(
        mapPage(listed, (algo) => presentAlgo(algo, reads)),
        page,
      );
    }),
    route(wire.orderRecords, async (fields, { session }) => {
      const page = await records.orders(session.userId, fields);
      return pageAnswer(mapPage(page, presentOrder), fields);
    }),
    route(wire.orderDetail, async ({ id }, { session }) => {
      const { order, fills, amendments } = await records.order(session.userId, id);
      return {
        ...presentDetail(order, amendments.list),
        amendmentCount: amendments.total,
        fills: fills.list.map((fill) => presentFill(order, fill)),
        fillCount: fills.total,
      };
    }),
    route(wire.fillRecords, async (fields, { session }) => {
      const page = await records.fills(session.userId, fields);
      return pageAnswer(
        mapPage(page, (fill) => presentOwnFill(fill, spot.pairOf(fill.symbol))),
        fields,
      );
    }),
    route(fillExplanation, async ({ id }, { session }) =>
      presentExplanation(await explanations.fill(session.userId, id)),
    ),
    route(pastOrders, async ({ baseCoin, quoteCoin, startTime, endTime }, { session }) => {
      const pair = spot.pairOf(pairSymbol(baseCoin, quoteCoin));
      const { spans, hasMore } = await explanations.pastOrders(session.userId, pair, { startTime, endTime });
      return { list: spans.map((span) => presentSpan(span, pair)), hasMore };
    }),
    route(wire.spotAssets, async (fields, { session }) => {
      const { list, total } = await records.balances(session.userId, fields.currency);
      const page = pageOfItems(list, fields, ({ currencyName }) => currencyName);
      const answer = pageAnswer(page, fields);
      return { ...answer, total };
    }),
    route(wire.spotMovements, async (fields, { session }) => {
      const page = await records.movements(session.userId, fields);
      return pageAnswer(page, fields);
    }),
    route(wire.feeTiers, () => Promise.resolve({ list: FEE_TIERS.map(presentFeeTier) })),
    route(wire.feeRates, async ({ symbol }, { session }) => {
      // Fee rates are the same on all pairs; `pairOf` only refuses an unknown symbol.
      if (symbol !== undefined) spot.pairOf(symbol);
      return presentFees(await spot.fees.tierOf(session.userId));
    }),
  ];
}

function orderOf(fields: FieldsOf<typeof wire.createOrder>): PlaceOrder {
  const { expireTime } = fields;
  // Fields are listed one by one, because objects that are built by spreading have different hidden classes and
  // make the code for orders slower.
  return {
    symbol: pairSymbol(fields.baseCoin, fields.quoteCoin),
    side: fields.tradeType,
    type: fields.orderType,
    price: fields.price,
    amount: fields.amount,
    total: fields.total,
    timeInForce: fields.timeInForce,
    postOnly: fields.postOnly,
    stopPrice: fields.stopPrice,
    direction: fields.direction,
    trail: fields.trailPct === undefined ? undefined : trailOfPercent(fields.trailPct),
    activation: fields.activationPrice,
    exits: exitsOf(fields),
    // The answer shows an order without expiry with the expiry time 0, so a client may send 0 too.
    expireAt: expireTime === undefined || expireTime === 0 ? undefined : instant(expireTime),
    selfTrade: fields.stp,
  };
}

type ExitFields = Pick<
  FieldsOf<typeof wire.createOrder>,
  'takeProfitPrice' | 'stopLossPrice' | 'stopLossLimitPrice'
>;

function exitsOf(fields: ExitFields): PlaceOrder['exits'] {
  const { takeProfitPrice: takeProfit, stopLossPrice: stopLoss, stopLossLimitPrice: stopLossLimit } = fields;
  if (takeProfit === undefined && stopLoss === undefined && stopLossLimit === undefined) return undefined;
  return { takeProfit, stopLoss, stopLossLimit };
}

function ocoOf(fields: FieldsOf<typeof wire.createOco>): PlaceOco {
  const { baseCoin, quoteCoin, tradeType, stp, amount, limitPrice, stopPrice, stopLimitPrice } = fields;
  return {
    symbol: pairSymbol(baseCoin, quoteCoin),
    side: tradeType,
    amount,
    limitPrice,
    stopPrice,
    stopLimitPrice,
    selfTrade: stp,
  };
}

/**
 * The endpoint that answers with a CSV file of the user's orders, fills, account events or coin movements.
 */
export function exportRoutes(exports: Exports): Route[] {
  return [
    route(exportRecords, (fields, { session, locale }) => exports.open(session.userId, fields, locale)),
  ];
}
