import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import type { Side } from '@exchange/core/pair.ts';
import { CandleChart } from '@exchange/web-kit/chart/candle-chart.tsx';
import { Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { candleSource } from '@exchange/web-kit/market/candle-stream.ts';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useFills, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { tradePath } from '../paths.ts';
import css from './trade.module.css';

const TIMER_KEY = 'chart-timer';

/** The pair's chart with the day's figures, and the two buttons that lead back to the ticket. */
export default function ChartView({ pair, onSide }: { pair: MarketPair; onSide: (side: Side) => void }) {
  const t = useWords('trade');
  const navigate = useNavigate();
  const [timer, setTimer] = useState<CandleTimer>(rememberedTimer);
  const filter = { baseCoin: pair.base, quoteCoin: pair.quote };
  const orders = useOpenOrders(filter).data ?? [];
  const fills = useFills(filter).rows;
  const choose = (next: CandleTimer) => {
    remember(TIMER_KEY, next);
    setTimer(next);
  };
  const trade = (side: Side) => {
    onSide(side);
    void navigate(tradePath(pair), { replace: true });
  };
  return (
    <main>
      <Day pair={pair} />
      <div className={css.chart}>
        <CandleChart
          symbol={pair.symbol}
          timer={timer}
          onTimerChange={choose}
          pricePrecision={pair.priceDigits}
          amountPrecision={Math.min(pair.amountDigits, 2)}
          source={candleSource}
          orders={orders}
          fills={fills}
        />
      </div>
      <div className={css.chartBar}>
        <Button look="buy" onClick={() => trade('buy')}>
          {t('buy')}
        </Button>
        <Button look="sell" onClick={() => trade('sell')}>
          {t('sell')}
        </Button>
      </div>
    </main>
  );
}

function Day({ pair }: { pair: MarketPair }) {
  const market = useWords('market');
  const ticker = useTicker(pair.symbol);
  return (
    <dl className={css.day}>
      <div className={css.dayPrice}>
        <dt className="visually-hidden">{market('lastPrice')}</dt>
        <dd>
          <Price value={ticker?.last} digits={pair.priceDigits} direction={ticker?.direction} />
        </dd>
      </div>
      <div>
        <dt>{market('high')}</dt>
        <dd>
          <Price value={ticker?.high} digits={pair.priceDigits} />
        </dd>
      </div>
      <div>
        <dt>{market('volume')}</dt>
        <dd>
          <Compact value={ticker?.volume} /> {pair.base}
        </dd>
      </div>
      <div>
        <dt>{market('low')}</dt>
        <dd>
          <Price value={ticker?.low} digits={pair.priceDigits} />
        </dd>
      </div>
      <div>
        <dt>{market('turnover')}</dt>
        <dd>
          <Compact value={ticker?.turnover} /> {pair.quote}
        </dd>
      </div>
    </dl>
  );
}

function rememberedTimer(): CandleTimer {
  const timer = recall(TIMER_KEY);
  return CANDLE_TIMERS.find((known) => known === timer) ?? '15min';
}
