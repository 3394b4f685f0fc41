import { Change } from '@exchange/web-kit/format/numbers.tsx';
import { formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import { linkOf, type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { CandlestickChart, ChevronDown, ListOrdered } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths, tradePath } from '../paths.ts';
import css from './trade.module.css';

const PairSheet = lazy(() => import('./pair-sheet.tsx'));

/** Which pair, how it moved today, and the way to its chart. */
export function PairHeader({ pair, isChart }: { pair: MarketPair; isChart: boolean }) {
  const t = useWords('trade');
  const shell = useWords('shell');
  const locale = useLocale();
  const isDemo = useIsDemo();
  const ticker = useTicker(pair.symbol);
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const name = `${pair.base}/${pair.quote}`;
  useTitle(ticker === undefined ? name : `${formatPrice(ticker.last, locale, pair.priceDigits)} ${name}`);

  const flip = () =>
    void (isChart
      ? navigate(tradePath(pair), { replace: true })
      : navigate(`${paths.trade}?symbol=${linkOf(pair)}&view=chart`));
  return (
    <header className={css.header}>
      <h1>
        <button
          type="button"
          className={css.pair}
          aria-haspopup="dialog"
          aria-label={`${name}, ${t('pairs')}`}
          onClick={() => setOpen(true)}
        >
          {name}
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      </h1>
      <Change value={ticker?.change} arrow />
      {isDemo ? <span className={css.demo}>{shell('demoShort')}</span> : null}
      <span className={css.gap} />
      <IconButton label={t(isChart ? 'closeChart' : 'openChart')} className={css.headerButton} onClick={flip}>
        {isChart ? (
          <ListOrdered size={22} aria-hidden="true" />
        ) : (
          <CandlestickChart size={22} aria-hidden="true" />
        )}
      </IconButton>
      <Suspense fallback={null}>{isOpen ? <PairSheet onClose={() => setOpen(false)} /> : null}</Suspense>
    </header>
  );
}
