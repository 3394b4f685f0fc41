import { CHART_TIMERS, type ChartTimer } from '@exchange/core/candle.ts';
import { CandleChart } from '@exchange/web-kit/chart/candle-chart.tsx';
import { DepthChart } from '@exchange/web-kit/chart/depth-chart.tsx';
import { formatTime, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { alertLevels, useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { candleSource } from '@exchange/web-kit/market/candle-stream.ts';
import { DayAmount, DayPrice, IndexPrice, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import {
  type Deal,
  useDeals,
  useDealsKnown,
  useDealsRefused,
  useDepth,
} from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { type Order, useFills, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { ReplayLink } from '@exchange/web-kit/replay/replay-link.tsx';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo, type ReactNode, useMemo, useState } from 'react';
import css from './pair-view.module.css';
import { SplitBook } from './split-book.tsx';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

const TIMER_KEY = 'chart-timer';
const NO_ORDERS: readonly Order[] = [];
const DEPTH_LEVELS = 50;
type Below = 'book' | 'deals' | 'depth';

/**
 * The chart view of a pair: 24-hour figures, the chart with the user's orders, fills and alerts, and below the chart
 * the order book, the latest trades or the depth. A chosen candle interval is stored on this device.
 */
export default function ChartView({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const [timer, setTimer] = useState<ChartTimer>(storedTimer);
  const [below, setBelow] = useState<Below>('book');
  const choose = (nextTimer: ChartTimer) => {
    store(TIMER_KEY, nextTimer);
    setTimer(nextTimer);
  };
  return (
    <>
      <Day pair={pair} />
      <Candles pair={pair} timer={timer} onTimer={choose} />
      <Tabs<Below>
        label={t('book')}
        className={css.belowTabs}
        value={below}
        onChange={setBelow}
        options={[
          { value: 'book', label: t('book') },
          { value: 'deals', label: t('deals') },
          { value: 'depth', label: t('depth') },
        ]}
      />
      <div className={css.below}>
        {below === 'book' ? <SplitBook pair={pair} /> : null}
        {below === 'deals' ? <Deals pair={pair} /> : null}
        {below === 'depth' ? <DepthOf pair={pair} /> : null}
      </div>
      <ReplayLink pair={pair} className={css.replay} />
    </>
  );
}

interface CandlesProps {
  pair: MarketPair;
  timer: ChartTimer;
  onTimer: (timer: ChartTimer) => void;
}

function Candles({ pair, timer, onTimer }: CandlesProps) {
  const filter = { baseCoin: pair.base, quoteCoin: pair.quote };
  const orders = useOpenOrders(filter).data ?? NO_ORDERS;
  const fills = useFills(filter).rows;
  const watched = useAlerts(pair.symbol).data?.list;
  const alerts = useMemo(() => alertLevels(watched ?? []), [watched]);
  return (
    <div className={css.chart} data-live>
      <CandleChart
        symbol={pair.symbol}
        timer={timer}
        onTimerChange={onTimer}
        pricePrecision={pair.priceDigits}
        amountPrecision={Math.min(pair.amountDigits, 2)}
        source={candleSource}
        orders={orders}
        fills={fills}
        alerts={alerts}
      />
    </div>
  );
}

function DepthOf({ pair }: { pair: MarketPair }) {
  const { bids, asks } = useDepth(pair.symbol, { rows: DEPTH_LEVELS });
  return (
    <div className={css.depth} data-live>
      <DepthChart bids={bids} asks={asks} pricePrecision={pair.priceDigits} baseCoin={pair.base} />
    </div>
  );
}

function storedTimer(): ChartTimer {
  const timer = readStored(TIMER_KEY);
  return CHART_TIMERS.find((candidate) => candidate === timer) ?? '15min';
}

/** List of the last price, the index price and the 24-hour figures of the pair. */
function Day({ pair }: { pair: MarketPair }) {
  const t = useWords('market');
  return (
    <dl className={css.day} data-live>
      <div className={css.dayPrice}>
        <dt className="visually-hidden">{t('lastPrice')}</dt>
        <dd>
          <LastPrice pair={pair} />
          <small>
            {t('indexPrice')} <IndexPrice pair={pair} />
          </small>
        </dd>
      </div>
      <Figure name={t('high')}>
        <DayPrice pair={pair} of="high" />
      </Figure>
      <Figure name={`${t('volume')} (${pair.base})`}>
        <DayAmount pair={pair} of="volume" />
      </Figure>
      <Figure name={t('low')}>
        <DayPrice pair={pair} of="low" />
      </Figure>
      <Figure name={`${t('turnover')} (${pair.quote})`}>
        <DayAmount pair={pair} of="turnover" />
      </Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const DEALS_SHOWN = 30;
/** Height of a line in the list of the latest trades in pixels, equal to that in the style sheet. */
const LINE_PX = scaledPx(26);
const AMOUNT_DIGITS = 5;

/**
 * List of the latest public trades of a pair, at most `DEALS_SHOWN`, newest first; the colour shows the side of the
 * taker.
 */
function Deals({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const deals = useDeals(pair.symbol);
  const isKnown = useDealsKnown(pair.symbol);
  const refused = useDealsRefused(pair.symbol);
  if (deals.length === 0) {
    if (!isKnown && refused !== undefined) return <TopicRefused topic={refused} />;
    return isKnown ? <EmptyState text={t('dealsEmpty')} /> : <SkeletonRows rows={8} height={14} />;
  }
  const visibleDeals = deals.slice(0, DEALS_SHOWN);
  return (
    <>
      <div className={css.dealHead} aria-hidden="true">
        <span>{t('time')}</span>
        <span>{t('priceField', { coin: pair.quote })}</span>
        <span>{t('amountField', { coin: pair.base })}</span>
      </div>
      <ol
        data-live
        translate="no"
        className={css.dealList}
        aria-label={t('deals')}
        style={{ height: visibleDeals.length * LINE_PX }}
      >
        {visibleDeals.map((deal) => (
          <DealRow key={deal.id} deal={deal} pair={pair} />
        ))}
      </ol>
    </>
  );
}

const DealRow = memo(function DealRow({ deal, pair }: { deal: Deal; pair: MarketPair }) {
  const locale = useLocale();
  return (
    <li className={css.deal} data-direction={deal.direction}>
      <span>{formatTime(deal.ts, locale, 'time')}</span>
      <span>{formatPrice(deal.price, locale, pair.priceDigits)}</span>
      <span>{formatNarrow(deal.amount, locale, Math.min(pair.amountDigits, AMOUNT_DIGITS))}</span>
    </li>
  );
});
