import { Amount, Change } from '../format/numbers.tsx';
import { wayOfPercent } from '../format/format.ts';
import { useWords } from '../i18n/words.ts';
import css from './coin-profit.module.css';
import type { CoinProfit } from './portfolio.ts';

interface ProfitFigureProps {
  readonly of: CoinProfit | undefined;
  readonly hidden: boolean;
}

/** What the coins that were bought would earn now, in USDT and percent; what sales have earned is said on hovering. */
export function ProfitFigure({ of, hidden }: ProfitFigureProps) {
  const t = useWords('assets');
  if (of?.open === undefined) return <Amount value={undefined} hidden={hidden} />;
  const { profit, share } = of.open;
  const sign = hidden || !profit.isPositive() ? '' : '+';
  return (
    <span
      className={css.profit}
      title={hidden ? undefined : t('realized', { amount: of.realized.toPlaces(2) })}
    >
      <span data-way={hidden ? undefined : wayOfPercent(profit.toString())}>
        {sign}
        <Amount value={profit.toString()} digits={2} hidden={hidden} />
      </span>
      {hidden ? null : <Change value={share.toString()} />}
    </span>
  );
}
