import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { Maximize, Minimize } from 'lucide-react';
import { useWords } from '../i18n/words.ts';
import classes from './chart-toolbar.module.css';
import { IndicatorMenu } from './indicator-menu.tsx';
import type { IndicatorName } from './indicators.ts';

interface ChartToolbarProps {
  readonly timer: CandleTimer;
  readonly onTimerChange: (timer: CandleTimer) => void;
  readonly indicators: readonly IndicatorName[];
  readonly onIndicatorsChange: (names: readonly IndicatorName[]) => void;
  readonly isFullScreen: boolean;
  readonly onToggleFullScreen: () => void;
}

/** Intervals, the indicators menu and full screen. */
export function ChartToolbar(props: ChartToolbarProps) {
  const t = useWords('chart');
  const { timer, indicators } = props;

  return (
    <div className={classes.toolbar}>
      <div className={classes.intervals} role="group" aria-label={t('interval')}>
        {CANDLE_TIMERS.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.interval}
            aria-pressed={name === timer}
            onClick={() => props.onTimerChange(name)}
          >
            {t(name)}
          </button>
        ))}
      </div>
      <IndicatorMenu shown={indicators} onChange={props.onIndicatorsChange} />
      <button
        type="button"
        className={classes.icon}
        aria-label={t(props.isFullScreen ? 'leaveFullScreen' : 'fullScreen')}
        title={t(props.isFullScreen ? 'leaveFullScreen' : 'fullScreen')}
        onClick={props.onToggleFullScreen}
      >
        {props.isFullScreen ? (
          <Minimize size={15} aria-hidden="true" />
        ) : (
          <Maximize size={15} aria-hidden="true" />
        )}
      </button>
    </div>
  );
}
