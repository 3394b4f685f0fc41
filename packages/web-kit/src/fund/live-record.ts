import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import { gainOf, heldProfit, marginRatio } from '@exchange/core/fund.ts';
import { useFundTotals, useLastValues, type FundRecord, type FundTotals } from './queries.ts';

export interface LiveRecord {
  readonly value: string | undefined;
  /** Profit of the position after costs, in the fund's coin. */
  readonly profit: string;
  /** Margin plus profit in the fund's coin, never below zero; undefined for a closed position. */
  readonly equity: string | undefined;
  readonly profitShare: string | undefined;
  readonly ratio: string | undefined;
  readonly safety: 'safe' | 'watch' | 'danger' | undefined;
}

const WARNING_RATIO = Decimal.parse('2');
const DANGER_RATIO = Decimal.parse('1.5');

/**
 * The figures of a fund position: for an open position at the latest unit value, for a pending or closed one
 * as the server sent them.
 */
export function useLiveRecord(record: FundRecord): LiveRecord {
  const latest = useLastValues().get(record.fundId) ?? record.marketPrice;
  return valueRecord(record, record.status === 1 ? latest : record.marketPrice);
}

/** Totals of the user's open fund positions and pending purchases, in USDT. `equity` is margin plus profit. */
interface LiveTotals {
  readonly equity: string;
  readonly margin: string;
  readonly profit: string;
}

/**
 * Totals of the user's open fund positions and pending purchases in USDT, at the unit values that the list of positions
 * also uses; undefined for visitors and until the totals have loaded.
 */
export function useLiveTotals(): LiveTotals | undefined {
  const totals = useFundTotals();
  const latest = useLastValues();
  return totals && valueTotals(totals, latest);
}

/**
 * Totals of the user's open fund positions and pending purchases in USDT; `values` are unit values by fund ID. If any
 * of the funds has no unit value, the totals of the server are returned.
 */
export function valueTotals(totals: FundTotals, values: ReadonlyMap<string, string>): LiveTotals {
  if (!totals.held.every(({ fundId }) => values.has(fundId))) return totals;
  const sums = totals.held.map((holding) => {
    const rate = Decimal.parse(holding.rate);
    const margin = Decimal.parse(holding.margin);
    const sumsOfFund = {
      margin,
      quantity: Decimal.parse(holding.quantity),
      cost: Decimal.parse(holding.cost),
      costs: Decimal.parse(holding.costs),
      lost: Decimal.parse(holding.lost),
    };
    const profit = heldProfit(sumsOfFund, Decimal.parse(values.get(holding.fundId)!));
    return { margin: margin.times(rate, 'down', 8), profit: profit.times(rate, 'down', 8) };
  });
  const margin = sum(sums.map((entry) => entry.margin));
  const profit = sum(sums.map((entry) => entry.profit));
  return {
    margin: margin.toString(),
    profit: profit.toString(),
    equity: margin.plus(profit).toString(),
  };
}

/**
 * Returns the figures of a fund position at the given unit value. If no unit value is given or the position
 * is not open, the profit that the server sent is used, and margin ratio and safety are undefined.
 */
export function valueRecord(record: FundRecord, value: string | undefined): LiveRecord {
  const margin = Decimal.parse(record.margin);
  const shareOf = (profit: Decimal) =>
    margin.isPositive() ? profit.over(margin, 'halfEven', 4).toString() : undefined;
  if (record.status !== 1 || value === undefined || record.buyPrice === undefined)
    return {
      value,
      profit: record.profit,
      equity: record.payout === undefined ? margin.plus(Decimal.parse(record.profit)).toString() : undefined,
      profitShare: shareOf(Decimal.parse(record.profit)),
      ratio: undefined,
      safety: undefined,
    };
  const holding = {
    quantity: Decimal.parse(record.quantity),
    buyPrice: Decimal.parse(record.buyPrice),
    margin,
    costs: Decimal.parse(record.cost),
    leverage: record.leverage,
  };
  const nav = Decimal.parse(value);
  // A position's loss cannot exceed its margin.
  const profit = greatest(gainOf(holding, nav).minus(holding.costs).rounded(8, 'down'), margin.negated());
  const ratio = marginRatio(holding, nav, Decimal.parse(record.mmr));
  return {
    value,
    profit: profit.toString(),
    equity: margin.plus(profit).toString(),
    profitShare: shareOf(profit),
    ratio: ratio?.rounded(2, 'down').toString(),
    safety:
      ratio === undefined
        ? undefined
        : ratio.isLess(DANGER_RATIO)
          ? 'danger'
          : ratio.isLess(WARNING_RATIO)
            ? 'watch'
            : 'safe',
  };
}
