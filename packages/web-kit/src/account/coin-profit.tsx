import { directionOfPercent } from '../format/format.ts';
import { Amount, Change } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import css from './coin-profit.module.css';
import type { CoinProfit } from './portfolio.ts';

interface ProfitFigureProps {
  readonly coinProfit: CoinProfit | undefined;
  readonly hidden: boolean;
}

/** Shows the unrealised profit of the bought coins in USDT and in percent, and below it the realised profit. */
export function ProfitFigure({ coinProfit, hidden }: ProfitFigureProps) {
  const t = useWords('assets');
  const open = coinProfit?.open;
  const realized =
    coinProfit === undefined || coinProfit.realized.isZero() ? undefined : coinProfit.realized.toString();
  if (open === undefined && realized === undefined) return <Amount value={undefined} hidden={hidden} />;
  return (
    <span className={css.profit}>
      {open === undefined ? null : (
        <span className={css.open}>
          <Signed value={open.profit.toString()} hidden={hidden} />
          {hidden ? null : <Change value={open.share.toString()} />}
        </span>
      )}
      {realized === undefined ? null : (
        <small>
          {t('realized')} <Signed value={realized} hidden={hidden} />
        </small>
      )}
    </span>
  );
}

function Signed({ value, hidden }: { readonly value: string; readonly hidden: boolean }) {
  const direction = directionOfPercent(value);
  return (
    <span data-way={hidden ? undefined : direction}>
      <Amount value={value} signed kind="worth" coin="USDT" hidden={hidden} />
    </span>
  );
}
