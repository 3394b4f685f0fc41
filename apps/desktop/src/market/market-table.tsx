import { Sparkline } from '@exchange/web-kit/chart/sparkline.tsx';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTickerPart } from '@exchange/web-kit/market/live.ts';
import { PauseBadge } from '@exchange/web-kit/market/pause-note.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { Ticker } from '@exchange/web-kit/market/tickers.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { type Column, DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { infoPath, tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AlertButton } from '../alerts/alert-buttons.tsx';
import tool from '../style/tool.module.css';
import { FavoriteStar } from './favorite-star.tsx';
import type { MarketColumn, MarketSort } from './market-view.ts';
import classes from './market.module.css';

interface MarketTableProps {
  readonly pairs: readonly MarketPair[];
  readonly sort: MarketSort;
  readonly onSort: (by: MarketColumn) => void;
}

/** Table of pairs with their live prices; the user can sort it by the pair or by a figure. */
export function MarketTable({ pairs, sort, onSort }: MarketTableProps) {
  const t = useWords('market');
  const sortable = (column: MarketColumn) => ({
    onSort: () => onSort(column),
    sorted:
      sort.column === column
        ? sort.descending
          ? ('descending' as const)
          : ('ascending' as const)
        : undefined,
  });
  const live = (
    key: Exclude<MarketColumn, 'pair'>,
    title: string,
    draw: (ticker: Ticker | undefined, pair: MarketPair) => ReactNode,
  ): Column<MarketPair> => ({
    key,
    title,
    align: 'end',
    ...sortable(key),
    cell: (pair) => (
      <span data-live>
        <LiveCell pair={pair} draw={draw} />
      </span>
    ),
  });
  const columns: Column<MarketPair>[] = [
    {
      key: 'star',
      title: <span className="visually-hidden">{t('favorites')}</span>,
      width: 44,
      cell: (pair) => <FavoriteStar pair={pair} className={classes.star} size={16} />,
    },
    { key: 'pair', title: t('pair'), ...sortable('pair'), cell: (pair) => <PairName pair={pair} /> },
    live('last', t('lastPrice'), (ticker, { priceDigits }) => <Flash ticker={ticker} digits={priceDigits} />),
    live('change', t('change'), (ticker) => <Change value={ticker?.change} arrow />),
    live('high', t('high'), (ticker, { priceDigits }) => <Price value={ticker?.high} digits={priceDigits} />),
    live('low', t('low'), (ticker, { priceDigits }) => <Price value={ticker?.low} digits={priceDigits} />),
    live('turnover', t('turnover'), (ticker) => <Compact value={ticker?.turnover} />),
    {
      key: 'chart',
      title: t('chart'),
      align: 'end',
      width: 150,
      cell: (pair) => <Spark symbol={pair.symbol} />,
    },
    {
      key: 'action',
      title: t('action'),
      align: 'end',
      width: 184,
      cell: (pair) => <PairLinks pair={pair} />,
    },
  ];
  return <DataTable caption={t('title')} columns={columns} rows={pairs} rowKey={({ symbol }) => symbol} />;
}

/** Icons in the table row of a pair: a button for the pair's price alerts, and links to the pair's screens. */
function PairLinks({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('market');
  const tDesk = useWords('desktop-market');
  const name = `${pair.base}/${pair.quote}`;
  return (
    <span className={classes.ways}>
      <AlertButton pair={pair} className={tool.tool} size={16} />
      <Link
        to={infoPath(pair)}
        className={tool.tool}
        aria-label={tDesk('info.of', { pair: name })}
        title={tDesk('info.of', { pair: name })}
      >
        <Info size={16} aria-hidden="true" />
      </Link>
      <ButtonLink look="secondary" size="s" to={tradePath(pair)} aria-label={`${t('trade')} ${name}`}>
        {t('trade')}
      </ButtonLink>
    </span>
  );
}

interface LiveCellProps {
  readonly pair: MarketPair;
  readonly draw: (ticker: Ticker | undefined, pair: MarketPair) => ReactNode;
}

/** A table cell that is rendered again only when the 24-hour ticker of its pair changes. */
function LiveCell({ pair, draw }: LiveCellProps) {
  return draw(
    useTickerPart(pair.symbol, (ticker) => ticker),
    pair,
  );
}

/** The last price of a pair; it flashes briefly when it changes. */
function Flash({ ticker, digits }: { readonly ticker: Ticker | undefined; readonly digits: number }) {
  return (
    <span key={ticker?.last} className={classes.flash} data-direction={ticker?.direction}>
      <Price value={ticker?.last} digits={digits} direction={ticker?.direction} />
    </span>
  );
}

function Spark({ symbol }: { readonly symbol: string }) {
  const spark = useTickerPart(symbol, (ticker) => ticker?.spark);
  const change = useTickerPart(symbol, (ticker) => ticker?.change);
  return (
    <span className={classes.spark} data-live>
      <Sparkline values={spark} width={110} height={32} change={change} />
    </span>
  );
}

function PairName({ pair }: { readonly pair: MarketPair }) {
  return (
    <Link className={classes.name} to={tradePath(pair)} data-result>
      <CoinIcon coin={pair.base} size={28} />
      <span className={classes.coins}>
        <b>{pair.base}</b> <small>/ {pair.quote}</small>
        <PauseBadge pair={pair} />
      </span>
    </Link>
  );
}
