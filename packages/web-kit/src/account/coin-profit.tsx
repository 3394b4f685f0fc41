import { directionOfPercent, formatPercent } from '../format/format.ts';
import { Amount, Change, UNKNOWN } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { useFeeTier } from '../market/fee-tiers.ts';
import css from './coin-profit.module.css';
import type { CoinProfit } from './portfolio.ts';

interface ProfitFigureProps {
  readonly coinProfit: CoinProfit | undefined;
  readonly hidden: boolean;
}

/**
 * Shows the unrealised profit of a coin in USDT and, unless balances are hidden, in percent of its cost, and
 * below it the realised profit in USDT if that is not zero. Shows a dash if there is neither. Coins that the
 * user received without buying them have no cost and are not included.
 */
export function ProfitFigure({ coinProfit, hidden }: ProfitFigureProps) {
  const t = useWords('assets');
  const open = coinProfit?.open;
  const realized =
    coinProfit === undefined || coinProfit.realized.isZero() ? undefined : coinProfit.realized.toString();
  if (open === undefined && realized === undefined) return <Amount value={undefined} hidden={hidden} />;
  return (
    <span className={css.profit}>
      {open === undefined ? null : <OpenProfit open={open} hidden={hidden} />}
      {realized === undefined ? null : (
        <small>
          {t('realized')} <Signed value={realized} hidden={hidden} />
        </small>
      )}
    </span>
  );
}

interface OpenProfitProps {
  readonly open: CoinProfit['open'];
  readonly hidden: boolean;
}

/**
 * Shows the unrealised profit of a coin in USDT and, unless balances are hidden, in percent of its cost; a dash if it
 * is unknown.
 */
export function OpenProfit({ open, hidden }: OpenProfitProps) {
  if (open === undefined) return <Amount value={undefined} hidden={hidden} />;
  return (
    <span className={css.open}>
      <Signed value={open.profit.toString()} hidden={hidden} />
      {hidden ? null : <Change value={open.share.toString()} />}
    </span>
  );
}

/** A profit or loss in USDT with its sign and colour. */
export function Signed({ value, hidden }: { readonly value: string; readonly hidden: boolean }) {
  const direction = directionOfPercent(value);
  return (
    <span className={css.signed} data-way={hidden ? undefined : direction}>
      <Amount value={value} signed kind="worth" coin="USDT" hidden={hidden} />
    </span>
  );
}

/**
 * Title of a column of unrealised profits. Its tooltip explains that the cost includes paid fees, and that the user's
 * taker fee for the sale is deducted.
 */
export function ProfitTitle({ text }: { readonly text: string }) {
  const t = useWords('assets');
  const locale = useLocale();
  const rate = useFeeTier()?.taker;
  const hint = t('unrealizedHint', { rate: rate === undefined ? UNKNOWN : formatPercent(rate, locale) });
  return <span title={hint}>{text}</span>;
}
