import { Decimal } from '@exchange/core/decimal.ts';
import { gainOf, marginRatio } from '@exchange/core/fund.ts';
import { useFundValue, type FundRecord } from './queries.ts';

export interface LiveRecord {
  readonly value: string | undefined;
  readonly profit: string;
  /** Of the margin, a fraction. */
  readonly profitShare: string | undefined;
  readonly ratio: string | undefined;
  readonly safety: 'safe' | 'watch' | 'danger' | undefined;
}

const WATCH_BELOW = Decimal.parse('2');
const DANGER_BELOW = Decimal.parse('1.5');

/** A holding at the value of this second; what is over as it ended. */
export function useLiveRecord(record: FundRecord): LiveRecord {
  const now = useFundValue(record.fundId, record.marketPrice);
  return recordAt(record, record.status === 1 ? now : record.marketPrice);
}

/** A holding at a value. */
export function recordAt(record: FundRecord, value: string | undefined): LiveRecord {
  const margin = Decimal.parse(record.margin);
  const shareOf = (profit: Decimal) =>
    margin.isPositive() ? profit.over(margin, 'halfEven', 4).toString() : undefined;
  if (record.status !== 1 || value === undefined || record.buyPrice === undefined)
    return {
      ...{ value, profit: record.profit, profitShare: shareOf(Decimal.parse(record.profit)) },
      ...{ ratio: undefined, safety: undefined },
    };
  const holding = {
    ...{ quantity: Decimal.parse(record.quantity), buyPrice: Decimal.parse(record.buyPrice), margin },
    ...{ costs: Decimal.parse(record.cost), leverage: record.leverage },
  };
  const nav = Decimal.parse(value);
  const profit = gainOf(holding, nav).minus(holding.costs).rounded(8, 'down');
  const ratio = marginRatio(holding, nav, Decimal.parse(record.mmr));
  return {
    ...{ value, profit: profit.toString(), profitShare: shareOf(profit) },
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
