import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { Maximize, Minimize, Sigma } from 'lucide-react';
import { useWords } from '../i18n/words.ts';
import classes from './chart-toolbar.module.css';
import {
  hasRoomFor,
  INDICATOR_GROUPS,
  INDICATORS_MAX,
  withToggled,
  type IndicatorName,
} from './indicators.ts';

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
      <details className={classes.menu} onBlur={closeWhenLeft} onKeyDown={closeOnEscape}>
        <summary className={classes.action}>
          <Sigma size={14} aria-hidden="true" />
          {t('indicators')}
        </summary>
        <div className={classes.list}>
          <IndicatorGroup place="over" shown={indicators} onChange={props.onIndicatorsChange} />
          <IndicatorGroup place="below" shown={indicators} onChange={props.onIndicatorsChange} />
        </div>
      </details>
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

interface IndicatorGroupProps {
  readonly place: keyof typeof INDICATOR_GROUPS;
  readonly shown: readonly IndicatorName[];
  readonly onChange: (names: readonly IndicatorName[]) => void;
}

/** The indicators of one place, as many of them to choose as it has room for. */
function IndicatorGroup({ place, shown, onChange }: IndicatorGroupProps) {
  const t = useWords('chart');
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t(`${place}Candles`, { count: INDICATORS_MAX[place] })}</legend>
      {INDICATOR_GROUPS[place].map((name) => {
        const isShown = shown.includes(name);
        return (
          <label key={name} className={classes.choice}>
            <input
              type="checkbox"
              checked={isShown}
              disabled={!isShown && !hasRoomFor(name, shown)}
              onChange={() => onChange(withToggled(name, shown))}
            />
            {name}
          </label>
        );
      })}
    </fieldset>
  );
}

function closeWhenLeft(event: React.FocusEvent<HTMLDetailsElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

function closeOnEscape(event: React.KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return;
  event.preventDefault();
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}
