import { CHART_TIMERS, type ChartTimer } from '@exchange/core/candle.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { alertLevels, useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { candleSource } from '@exchange/web-kit/market/candle-stream.ts';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import { PauseBanner } from '@exchange/web-kit/market/pause-note.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { ReplayLink } from '@exchange/web-kit/replay/replay-link.tsx';
import { useFills } from '@exchange/web-kit/spot/queries.ts';
import { useChartTrading } from '@exchange/web-kit/spot/use-chart-trading.tsx';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import classes from './chart-panel.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const CandleChart = lazyPart('candle-chart', async () => ({
  default: (await import('@exchange/web-kit/chart/candle-chart.tsx')).CandleChart,
}));
const DepthChart = lazyPart('depth-chart', async () => ({
  default: (await import('@exchange/web-kit/chart/depth-chart.tsx')).DepthChart,
}));
const DepthLadder = lazyPart('depth-ladder', async () => ({
  default: (await import('../depth-ladder/depth-ladder.tsx')).DepthLadder,
}));
const PairInfo = lazyPart('pair-info', async () => ({
  default: (await import('../pair-info/pair-info.tsx')).PairInfo,
}));

const TIMER_KEY = 'chart-timer';
const DEPTH_LEVELS = 200;

interface ChartPanelProps {
  readonly pair: MarketPair;
  /** Called with a price that the user picks in the chart; the order ticket receives the price. */
  readonly onTake: (price: string) => void;
}

/**
 * The panel in the centre of the trading screen: the candle chart with the user's orders, fills and alerts, the depth
 * chart, the depth ladder, or information about the pair.
 */
export function ChartPanel({ pair, onTake }: ChartPanelProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-market');
  const tLadder = useWords('depth-ladder');
  const [search, setSearch] = useSearchParams();
  const view = chartViewOf(search);
  return (
    <section className={classes.panel} aria-label={t('chart')}>
      <Tabs
        label={t('chart')}
        look="text"
        className={classes.tabs}
        value={view}
        onChange={(nextView) => setSearch(withChartView(search, nextView), { replace: true })}
        options={[
          { value: 'chart', label: t('chart') },
          { value: 'depth', label: t('depth') },
          { value: 'ladder', label: tLadder('view') },
          { value: 'info', label: tDesk('info') },
        ]}
      />
      <ReplayLink pair={pair} className={classes.replay} />
      <PauseBanner pair={pair} />
      <div className={classes.body} data-live={view === 'info' ? undefined : true}>
        {view === 'chart' && <Candles pair={pair} onTake={onTake} />}
        {view === 'depth' && <Depth pair={pair} />}
        {view === 'ladder' && <DepthLadder pair={pair} onPickPrice={onTake} />}
        {view === 'info' && <PairInfo pair={pair} />}
      </div>
    </section>
  );
}

interface CandlesProps extends ChartPanelProps {
  /** Candle interval of this chart; undefined for the interval that was chosen last on this device. */
  readonly ownTimer?: ChartTimer | undefined;
  /** Called with a newly chosen candle interval, in addition to storing it on this device. */
  readonly onTimer?: ((timer: ChartTimer) => void) | undefined;
}

/**
 * Candles of a pair with the user's orders, fills and alerts at a price; a chosen candle interval is stored on
 * this device.
 */
export function Candles({ pair, onTake, ownTimer, onTimer }: CandlesProps) {
  const [timer, setTimer] = useState<ChartTimer>(() => ownTimer ?? storedTimer());
  const trading = useChartTrading(pair, onTake);
  const fills = useFills({ baseCoin: pair.base, quoteCoin: pair.quote }).rows;
  const alerts = useAlerts(pair.symbol).data?.list;
  const levels = useMemo(() => alerts && alertLevels(alerts), [alerts]);
  const choose = (nextTimer: ChartTimer): void => {
    setTimer(nextTimer);
    store(TIMER_KEY, nextTimer);
    onTimer?.(nextTimer);
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
      orders={trading.orders}
      actions={trading.actions}
      resultOf={trading.resultOf}
      position={trading.position}
      notice={trading.notice}
      {...(levels === undefined ? {} : { alerts: levels })}
    />
  );
}

/** Depth chart of a pair. */
export function Depth({ pair }: { readonly pair: MarketPair }) {
  const depth = useDepth(pair.symbol, { rows: DEPTH_LEVELS });
  return (
    <DepthChart bids={depth.bids} asks={depth.asks} pricePrecision={pair.priceDigits} baseCoin={pair.base} />
  );
}

function storedTimer(): ChartTimer {
  const remembered = readStored(TIMER_KEY);
  return CHART_TIMERS.find((timer) => timer === remembered) ?? '15min';
}
/**
 * Views of the panel in the centre of the trading screen. The URL contains the name of the view, so that a link can
 * open it.
 */
export const CHART_VIEWS = ['chart', 'depth', 'ladder', 'info'] as const;
type ChartView = (typeof CHART_VIEWS)[number];

const VIEW_PARAMETER = 'view';

/**
 * Returns the view of the trading screen's centre panel that the URL names; the candle chart for a missing or
 * unknown name.
 */
export function chartViewOf(search: URLSearchParams): ChartView {
  const viewName = search.get(VIEW_PARAMETER);
  return CHART_VIEWS.find((view) => view === viewName) ?? 'chart';
}

/**
 * Returns a copy of the URL parameters `search` that opens a view of the trading screen's centre panel; the
 * candle chart needs no parameter.
 */
export function withChartView(search: URLSearchParams, view: ChartView): URLSearchParams {
  const parameters = new URLSearchParams(search);
  if (view === 'chart') parameters.delete(VIEW_PARAMETER);
  else parameters.set(VIEW_PARAMETER, view);
  return parameters;
}
