import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import { gainOf, heldProfit, marginRatio } from '@exchange/core/fund.ts';
import { useFundTotals, useLastValues, type FundRecord, type FundTotals } from './queries.ts';

export interface LiveRecord {
  readonly value: string | undefined;
  /** After costs. */
  readonly profit: string;
  /** Margin and profit together, never below zero; undefined of what is over. */
  readonly equity: string | undefined;
  /** Of the margin, a fraction. */
  readonly profitShare: string | undefined;
  readonly ratio: string | undefined;
  readonly safety: 'safe' | 'watch' | 'danger' | undefined;
}

const WATCH_BELOW = Decimal.parse('2');
const DANGER_BELOW = Decimal.parse('1.5');

/** A holding at the latest value; what is over as it ended. */
export function useLiveRecord(record: FundRecord): LiveRecord {
  const latest = useLastValues().get(record.fundId) ?? record.marketPrice;
  return recordAt(record, record.status === 1 ? latest : record.marketPrice);
}

/** Sums over the open holdings in USDT; equity is margin and profit together. */
interface LiveTotals {
  readonly equity: string;
  readonly margin: string;
  readonly profit: string;
}

/** What all that is held comes to at the same values as the holdings beside it; undefined until it is known. */
export function useLiveTotals(): LiveTotals | undefined {
  const totals = useFundTotals();
  const latest = useLastValues();
  return totals && totalsAt(totals, latest);
}

/** The sums at unit values by fund; of a fund without one as the exchange sent them. */
export function totalsAt(totals: FundTotals, values: ReadonlyMap<string, string>): LiveTotals {
  if (!totals.held.every(({ fundId }) => values.has(fundId))) return totals;
  const sums = totals.held.map((held) => {
    const rate = Decimal.parse(held.rate);
    const margin = Decimal.parse(held.margin);
    const sumsOfFund = {
      margin,
      quantity: Decimal.parse(held.quantity),
      cost: Decimal.parse(held.cost),
      costs: Decimal.parse(held.costs),
      lost: Decimal.parse(held.lost),
    };
    const profit = heldProfit(sumsOfFund, Decimal.parse(values.get(held.fundId)!));
    return { margin: margin.times(rate, 'down', 8), profit: profit.times(rate, 'down', 8) };
  });
  const margin = sum(sums.map((one) => one.margin));
  const profit = sum(sums.map((one) => one.profit));
  return {
    margin: margin.toString(),
    profit: profit.toString(),
    equity: margin.plus(profit).toString(),
  };
}

/** A holding at a value. */
export function recordAt(record: FundRecord, value: string | undefined): LiveRecord {
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
  // Nobody owes the exchange: a holding loses its margin at most.
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
        : ratio.isLess(DANGER_BELOW)
          ? 'danger'
          : ratio.isLess(WATCH_BELOW)
            ? 'watch'
            : 'safe',
  };
}
