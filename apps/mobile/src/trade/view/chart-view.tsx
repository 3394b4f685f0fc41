import { CHART_TIMERS, type ChartTimer } from '@exchange/core/candle.ts';
import { CandleChart } from '@exchange/web-kit/chart/candle-chart.tsx';
import { DepthChart } from '@exchange/web-kit/chart/depth-chart.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { candleSource } from '@exchange/web-kit/market/candle-stream.ts';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useFills, useOpenOrders, type Order } from '@exchange/web-kit/spot/queries.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useMemo, useState } from 'react';
import { Day } from './day.tsx';
import { Deals } from './deals.tsx';
import css from './pair-view.module.css';
import { SplitBook } from './split-book.tsx';

const TIMER_KEY = 'chart-timer';
const NO_ORDERS: readonly Order[] = [];
const DEPTH_LEVELS = 50;
type Below = 'book' | 'deals' | 'depth';

/** The day's figures, the chart with own orders, fills and alerts, and below it book, deals or depth. */
export default function ChartView({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const [timer, setTimer] = useState<ChartTimer>(rememberedTimer);
  const [below, setBelow] = useState<Below>('book');
  const choose = (next: ChartTimer) => {
    remember(TIMER_KEY, next);
    setTimer(next);
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
  const alerts = useMemo(
    () => (watched ?? []).filter(({ condition }) => condition !== 'pct').map(({ price }) => price),
    [watched],
  );
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

function rememberedTimer(): ChartTimer {
  const timer = recall(TIMER_KEY);
  return CHART_TIMERS.find((known) => known === timer) ?? '15min';
}
