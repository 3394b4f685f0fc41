import { Decimal, greatest } from '@exchange/core/decimal.ts';
import { gainOf, marginRatio, thresholdOf } from '@exchange/core/fund.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  FUND_STATUS,
  HOLDING_STATUS,
  type fundDetail,
  type fundList,
  type fundNav,
  type fundProof,
  type fundRecords,
} from '@exchange/wire/fund.ts';
import { saleStatus } from './commands.ts';
import type { Fund, Position, PositionStatus } from './domain.ts';
import { freeUnits } from './judging.ts';
import type { Example, HeldTotals, OfferedFund, PositionView } from './service.ts';
import type { ValueCandle } from './values.ts';

type FundRow = DataOf<typeof fundList>['list'][number];
type RecordRow = DataOf<typeof fundRecords>['list'][number];
type RecordStatus = RecordRow['status'];

const SHARE_PLACES = 4;

export function presentFund(offered: OfferedFund, locale: Locale): FundRow {
  const { fund, value, before, spark, coverable, digits } = offered;
  const nav = value?.value ?? undefined;
  const change =
    nav !== undefined && before?.isPositive() === true
      ? nav.minus(before).over(before, 'halfEven', SHARE_PLACES)
      : undefined;
  return {
    id: fund.id,
    code: fund.code,
    name: textIn(fund.name, locale),
    currency: fund.asset,
    digits,
    ...(nav === undefined || value === undefined ? {} : { nav: nav.toString(), navTime: value.t }),
    degraded: value?.isDegraded === true ? 1 : 0,
    ...(change === undefined ? {} : { change24h: change.toString() }),
    spark: spark.map((close) => close.toString()),
    leverages: [...fund.leverages],
    minAmount: fund.minAmount.toString(),
    step: fund.step.toString(),
    mmr: fund.mmr.toString(),
    manageRate: fund.manageRate.toString(),
    financeRate: fund.financeRate.toString(),
    liqFee: fund.liqFee.toString(),
    status: FUND_STATUS[saleStatus(fund)],
    coverable: (coverable.isPositive() ? coverable : Decimal.zero).toString(),
    composition: offered.shares.map(({ symbol, coin, weight, share }) => ({
      symbol,
      coin,
      weight: weight.toString(),
      ...(share === undefined ? {} : { share: share.toString() }),
    })),
    divisor: fund.divisor.toString(),
    version: fund.version,
  };
}

/** Presents terms that are not published yet as the list of funds would show them, with an example of a purchase. */
export function presentProposed(
  { offered, example }: { offered: OfferedFund; example: Example | undefined },
  locale: Locale,
) {
  const documents = documentsIn(offered.fund, locale);
  if (example === undefined) return { ...presentFund(offered, locale), documents };
  const { margin, leverage, quantity, notional, liqPrice, dailyCost } = example;
  return {
    ...presentFund(offered, locale),
    documents,
    example: {
      margin: margin.toString(),
      leverage,
      quantity: quantity.toString(),
      notional: notional.toString(),
      dailyCost: dailyCost.toString(),
      ...(liqPrice === undefined ? {} : { liqPrice: liqPrice.toString() }),
    },
  };
}

function documentsIn({ documents }: Fund, locale: Locale) {
  return documents.map(({ title, text }) => ({ title: textIn(title, locale), text: textIn(text, locale) }));
}

export function presentDetail(
  offered: OfferedFund,
  insurance: Decimal,
  locale: Locale,
): DataOf<typeof fundDetail> {
  const documents = documentsIn(offered.fund, locale);
  return { ...presentFund(offered, locale), insurance: insurance.toString(), documents };
}

export function presentCandle({
  opened,
  open,
  high,
  low,
  close,
}: ValueCandle): DataOf<typeof fundNav>[number] {
  return {
    id: opened,
    open: open.toString(),
    high: high.toString(),
    low: low.toString(),
    close: close.toString(),
  };
}

export function presentPosition(
  { position, fund, value, sells, digits }: PositionView,
  locale: Locale,
): RecordRow {
  const { status, mmr, openedAt, closedAt, endedAt, payout } = position;
  const isOver = payout !== undefined;
  const price = isOver ? position.salePrice : value;
  const isHeld = status === 'holding';
  const ratio = isHeld && price !== undefined ? marginRatio(position, price, mmr) : undefined;
  const threshold = openedAt === undefined ? undefined : thresholdOf(position, mmr);
  return {
    id: position.id,
    fundId: fund.id,
    name: textIn(fund.name, locale),
    currency: position.asset,
    digits,
    ...(openedAt === undefined ? {} : { buyPrice: position.buyPrice.toString(), openSecond: openedAt }),
    quantity: position.quantity.toString(),
    free: freeUnits(position, sells).toString(),
    step: position.step.toString(),
    leverage: position.leverage,
    margin: position.margin.toString(),
    mmr: mmr.toString(),
    ...(price === undefined ? {} : { marketPrice: price.toString() }),
    ...(threshold === undefined ? {} : { liqPrice: threshold.rounded(8, 'up').toString() }),
    ...(ratio === undefined ? {} : { marginRatio: ratio.toString() }),
    profit: profitOf(position, price).toString(),
    cost: position.costs.toString(),
    ...(isOver ? { salePrice: position.salePrice!.toString(), payout: payout.toString() } : {}),
    ...(position.sellType === undefined ? {} : { sellType: position.sellType }),
    ...(position.fee === undefined ? {} : { fee: position.fee.toString() }),
    status: listStatus(status),
    openTime: openedAt ?? position.acceptedAt,
    ...(closedAt === undefined ? {} : { closeSecond: closedAt, closeTime: closedAt }),
    ...(endedAt !== undefined && closedAt === undefined ? { closeTime: endedAt } : {}),
    sells: sells.map((sell) => ({
      id: sell.id,
      quantity: sell.quantity.toString(),
      createTime: sell.acceptedAt,
      sellType: sell.price === undefined ? 1 : 2,
      ...(sell.price === undefined ? {} : { salePrice: sell.price.toString() }),
    })),
  };
}

/**
 * Presents the totals of a user's pending and open positions in one fund, from which screens compute profit and equity
 * at each unit value.
 */
export function presentHeld(
  total: HeldTotals['byFund'][number],
): DataOf<typeof fundRecords>['totals']['held'][number] {
  return {
    fundId: total.fund,
    rate: total.rate.toString(),
    margin: total.margin.toString(),
    quantity: total.quantity.toString(),
    cost: total.cost.toString(),
    costs: total.costs.toString(),
    lost: total.lost.toString(),
  };
}

/**
 * The profit of a fund position after costs: for a closed position its payout less the margin; for an open position the
 * gain at the unit value `value` less costs, where the loss is at most the margin. Zero for a pending purchase, and for
 * an open position without a unit value.
 */
export function profitOf(position: Position, value: Decimal | undefined): Decimal {
  if (position.payout !== undefined) return position.payout.minus(position.margin);
  if (value === undefined || position.status !== 'holding') return Decimal.zero;
  const profit = gainOf(position, value).minus(position.costs).rounded(8, 'down');
  return greatest(profit, position.margin.negated());
}

/**
 * The status of a fund position as lists show it. The status of a refunded purchase, which lists never contain, is
 * converted to pending.
 */
function listStatus(status: PositionStatus): RecordStatus {
  return status === 'cancelled' ? HOLDING_STATUS.pending : HOLDING_STATUS[status];
}

export function presentProof(position: Position, fund: Fund): DataOf<typeof fundProof> {
  const threshold = thresholdOf(position, position.mmr);
  return {
    id: position.id,
    status: listStatus(position.status),
    leverage: position.leverage,
    quantity: position.quantity.toString(),
    buyPrice: position.buyPrice.toString(),
    margin: position.margin.toString(),
    costs: position.costs.toString(),
    mmr: position.mmr.toString(),
    ...(threshold === undefined ? {} : { threshold: threshold.toString() }),
    openSecond: position.openedAt!,
    ...(position.closedAt === undefined ? {} : { closeSecond: position.closedAt }),
    ...(position.salePrice === undefined ? {} : { closePrice: position.salePrice.toString() }),
    constituents: fund.constituents.map(({ symbol, weight }) => ({ symbol, weight: weight.toString() })),
    divisor: fund.divisor.toString(),
  };
}
