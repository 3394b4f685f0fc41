import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { pairSymbol } from '@exchange/core/pair.ts';
import * as wire from '@exchange/wire/spot.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Assets } from '../assets/index.ts';
import { presentFill, presentOrder, presentOwnFill } from './present.ts';
import type { Records } from './records.ts';
import type { Spot } from './service.ts';

/** The spot calls. */
export function spotRoutes({
  spot,
  records,
  assets,
}: {
  spot: Spot;
  records: Records;
  assets: Assets;
}): Route[] {
  return [
    route(wire.spotBasics, ({ baseCoin, quoteCoin }) => presentPairs(spot, assets, baseCoin, quoteCoin)),
    route(wire.createOrder, async (fields, { session, key }) => {
      const { baseCoin, quoteCoin, tradeType, orderType, stp, postOnly, timeInForce, price, amount, total } =
        fields;
      const order = {
        symbol: pairSymbol(baseCoin, quoteCoin),
        side: tradeType,
        type: orderType,
        ...(price === undefined ? {} : { price }),
        ...(amount === undefined ? {} : { amount }),
        ...(total === undefined ? {} : { total }),
        ...(timeInForce === undefined ? {} : { timeInForce }),
        ...(postOnly === undefined ? {} : { postOnly }),
        ...(stp === undefined ? {} : { selfTrade: stp }),
      };
      return spot.place(session.userId, order, key);
    }),
    route(wire.cancelOrder, async ({ id, clientId }, { session, key }) => {
      const clientKey = clientId ?? key;
      if (id !== undefined) return spot.cancel(session.userId, id as OrderId);
      if (clientKey !== undefined) return spot.cancelByClientId(session.userId, clientKey);
      throw new Refused(refusal('invalidField', 'l.field_required', { field: 'id' }));
    }),
    route(wire.cancelAllOrders, ({ baseCoin, quoteCoin, tradeType }, { session, key }) =>
      spot.cancelAll(
        session.userId,
        {
          ...(baseCoin === undefined ? {} : { base: baseCoin }),
          ...(quoteCoin === undefined ? {} : { quote: quoteCoin }),
          ...(tradeType === undefined ? {} : { side: tradeType }),
        },
        key,
      ),
    ),
    route(wire.orderRecords, async (fields, { session }) => {
      const { list, total } = await records.orders(session.userId, fields);
      return page(list.map(presentOrder), total, fields);
    }),
    route(wire.orderDetail, async ({ id }, { session }) => {
      const { order, fills } = await records.order(session.userId, id);
      return { ...presentOrder(order), fills: fills.map((fill) => presentFill(order, fill)) };
    }),
    route(wire.fillRecords, async (fields, { session }) => {
      const { list, total } = await records.fills(session.userId, fields);
      return page(
        list.map((fill) => presentOwnFill(fill, assets.findPair(fill.symbol)!.pair)),
        total,
        fields,
      );
    }),
    route(wire.spotAssets, (fields, { session }) => records.balances(session.userId, fields.currency)),
    route(wire.spotMovements, async (fields, { session }) => {
      const { list, total } = await records.movements(session.userId, fields);
      return page(list, total, fields);
    }),
    route(wire.feeRates, async (_, { session }) => {
      const { tier, volume } = await spot.fees.of(session.userId);
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
    }),
  ];
}

function presentPairs(
  spot: Spot,
  assets: Assets,
  baseCoin: string | undefined,
  quoteCoin: string | undefined,
) {
  const base = FEE_TIERS[0]!;
  return assets.pairs
    .filter(
      ({ pair }) =>
        (baseCoin === undefined || pair.base === baseCoin) &&
        (quoteCoin === undefined || pair.quote === quoteCoin),
    )
    .map(({ pair, filters, source }) => ({
      symbol: pair.symbol,
      baseCoin: pair.base,
      quoteCoin: pair.quote,
      logo: assets.logo(pair.base),
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
      makerFee: base.maker.toString(),
      takerFee: base.taker.toString(),
      orderTypes: [...wire.ORDER_TYPES],
      timesInForce: [...wire.TIMES_IN_FORCE],
      status: spot.status(pair.symbol),
      source,
    }));
}

function page<Item>(list: Item[], total: number, { pageNo, pageSize }: { pageNo: number; pageSize: number }) {
  return { list, totalRow: total, sum: total, pageNo, pageSize };
}
