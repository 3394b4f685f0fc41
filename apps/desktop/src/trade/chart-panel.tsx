import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { candleSource } from '@exchange/web-kit/market/candle-stream.ts';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useFills, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { lazy, Suspense, useState } from 'react';
import classes from './chart-panel.module.css';

const CandleChart = lazy(async () => ({
  default: (await import('@exchange/web-kit/chart/candle-chart.tsx')).CandleChart,
}));
const DepthChart = lazy(async () => ({
  default: (await import('@exchange/web-kit/chart/depth-chart.tsx')).DepthChart,
}));

const REMEMBERED_TIMER = 'chart-timer';
const DEPTH_LEVELS = 200;

/** The chart of a pair: candles with own orders and fills, or the depth of its book. */
export function ChartPanel({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const [view, setView] = useState<'chart' | 'depth'>('chart');
  return (
    <section className={classes.panel} aria-label={t('chart')}>
      <Tabs
        label={t('chart')}
        look="text"
        className={classes.tabs}
        value={view}
        onChange={setView}
        options={[
          { value: 'chart', label: t('chart') },
          { value: 'depth', label: t('depth') },
        ]}
      />
      <div className={classes.body}>
        <Suspense fallback={null}>
          {view === 'chart' ? <Candles pair={pair} /> : <Depth pair={pair} />}
        </Suspense>
      </div>
    </section>
  );
}

function Candles({ pair }: { readonly pair: MarketPair }) {
  const [timer, setTimer] = useState<CandleTimer>(rememberedTimer);
  const filter = { baseCoin: pair.base, quoteCoin: pair.quote };
  const orders = useOpenOrders(filter).data;
  const fills = useFills(filter).rows;
  const choose = (chosen: CandleTimer): void => {
    setTimer(chosen);
    remember(REMEMBERED_TIMER, chosen);
  };
  return (
    <CandleChart
      symbol={pair.symbol}
      timer={timer}
      onTimerChange={choose}
      pricePrecision={pair.priceDigits}
      amountPrecision={Math.min(pair.amountDigits, 4)}
      source={candleSource}
      fills={fills}
      {...(orders === undefined ? {} : { orders })}
    />
  );
}

function Depth({ pair }: { readonly pair: MarketPair }) {
  const depth = useDepth(pair.symbol, { rows: DEPTH_LEVELS });
  return (
    <DepthChart bids={depth.bids} asks={depth.asks} pricePrecision={pair.priceDigits} baseCoin={pair.base} />
  );
}

function rememberedTimer(): CandleTimer {
  const remembered = recall(REMEMBERED_TIMER);
  return CANDLE_TIMERS.find((timer) => timer === remembered) ?? '15min';
}
