import type { Decimal } from '@exchange/core/decimal.ts';
import { Amount, Percent } from '../format/numbers.tsx';
import css from './algo.module.css';
import type { GridProfit } from './grid-form.ts';

interface ComparisonProps {
  readonly columns: readonly {
    readonly label: string;
    /** The value in the quote coin, shown before the profit or loss; undefined shows none. */
    readonly value?: Decimal;
    readonly result: GridProfit;
  }[];
  readonly quote: string;
}

/**
 * Results side by side, in columns of the same width: each has its value if given, its profit or loss with the sign,
 * and that as a percentage of the investment.
 */
export function GridComparison({ columns, quote }: ComparisonProps) {
  return (
    <dl className={css.comparison}>
      {columns.map(({ label, value, result: { profit, rate } }) => (
        <div key={label}>
          <dt>{label}</dt>
          {value === undefined ? null : (
            <dd>
              <Amount value={value.toString()} kind="sum" figureCoin={quote} />
            </dd>
          )}
          <dd>
            <Amount value={profit.toString()} kind="sum" figureCoin={quote} signed />
          </dd>
          <dd>
            <Percent value={rate.toString()} signed />
          </dd>
        </div>
      ))}
    </dl>
  );
}
