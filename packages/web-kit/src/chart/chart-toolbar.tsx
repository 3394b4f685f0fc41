import classes from './chart-toolbar.module.css';
import { CHART_TIMERS, type ChartTimer } from '@exchange/core/candle.ts';
import { Maximize, Minimize, Sigma } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { useHistoryLayer } from '../ui/overlay-history.ts';
import { useDismiss } from '../ui/use-dismiss.ts';
import { CHART_KINDS, type ChartKind } from './chart-kind.ts';
import { IndicatorFields } from './indicator-fields.tsx';
import type { ChosenParameters, IndicatorName } from './indicator-parameters.ts';
import { INDICATORS_MAX, INDICATOR_GROUPS, hasRoomFor, withToggled } from './indicators.ts';

interface ChartToolbarProps {
  readonly timer: ChartTimer;
  readonly onTimerChange: (timer: ChartTimer) => void;
  readonly kind: ChartKind;
  readonly onKindChange: (kind: ChartKind) => void;
  readonly indicators: readonly IndicatorName[];
  readonly onIndicatorsChange: (names: readonly IndicatorName[]) => void;
  readonly parameters: ChosenParameters;
  readonly onParametersChange: (parameters: ChosenParameters) => void;
  readonly isFullScreen: boolean;
  readonly onToggleFullScreen: () => void;
}

/**
 * Chart intervals that move from the toolbar into a menu if the toolbar is too narrow. Those with `first` move first,
 * then those with `second`.
 */
const RARE: Readonly<Partial<Record<ChartTimer, 'first' | 'second'>>> = {
  '30min': 'first',
  '2hour': 'first',
  '6hour': 'first',
  '12hour': 'first',
  '1week': 'first',
  '1mon': 'first',
  '5min': 'second',
  '4hour': 'second',
};

/** The chart's toolbar with intervals, candle style, indicators menu and full screen. */
export function ChartToolbar(props: ChartToolbarProps) {
  const t = useWords('chart');
  const { timer, indicators } = props;

  return (
    <div className={classes.toolbar}>
      <Intervals timer={timer} onTimerChange={props.onTimerChange} />
      <select
        className={classes.kind}
        aria-label={t('kind')}
        title={t('kind')}
        value={props.kind}
        onChange={({ target }) => {
          const kind = CHART_KINDS.find((supported) => supported === target.value);
          if (kind !== undefined) props.onKindChange(kind);
        }}
      >
        {CHART_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kind.${kind}`)}
          </option>
        ))}
      </select>
      <IndicatorMenu
        shown={indicators}
        onChange={props.onIndicatorsChange}
        parameters={props.parameters}
        onParametersChange={props.onParametersChange}
      />
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

/** Buttons for the chart intervals. If they do not all fit, a menu contains those of `RARE`. */
function Intervals({ timer, onTimerChange }: Pick<ChartToolbarProps, 'timer' | 'onTimerChange'>) {
  const t = useWords('chart');
  const choose = (name: string) => {
    const chosen = CHART_TIMERS.find((supported) => supported === name);
    if (chosen !== undefined) onTimerChange(chosen);
  };
  return (
    <div className={classes.intervals} role="group" aria-label={t('interval')}>
      {CHART_TIMERS.map((name) => (
        <button
          key={name}
          type="button"
          className={classes.interval}
          data-rare={RARE[name]}
          aria-pressed={name === timer}
          onClick={() => onTimerChange(name)}
        >
          {t(name)}
        </button>
      ))}
      <select
        className={classes.more}
        aria-label={t('moreIntervals')}
        data-rare={RARE[timer]}
        value={RARE[timer] === undefined ? '' : timer}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="" hidden>
          {t('moreIntervals')}
        </option>
        {CHART_TIMERS.filter((name) => RARE[name] !== undefined).map((name) => (
          <option key={name} value={name} data-rare={RARE[name]}>
            {t(name)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface IndicatorMenuProps {
  readonly shown: readonly IndicatorName[];
  readonly onChange: (names: readonly IndicatorName[]) => void;
  readonly parameters: ChosenParameters;
  readonly onParametersChange: (parameters: ChosenParameters) => void;
}

/**
 * Button that opens the list of indicators and their parameters. The list closes on Escape, on Back, on a press outside
 * of it, and when the focus leaves it.
 */
export function IndicatorMenu(props: IndicatorMenuProps) {
  const t = useWords('chart');
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();

  useDismiss({ isOpen, onDismiss: () => setOpen(false), areas: [menu], button });

  return (
    <div ref={menu} className={classes.menu}>
      <button
        ref={button}
        type="button"
        className={classes.action}
        aria-label={t('indicators')}
        title={t('indicators')}
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        <Sigma size={14} aria-hidden="true" />
        <span className={classes.actionName}>{t('indicators')}</span>
      </button>
      {}
      <div id={list} className={classes.list} hidden={!isOpen} tabIndex={-1}>
        <IndicatorFields
          shown={props.shown}
          parameters={props.parameters}
          onChange={props.onParametersChange}
        />
        <IndicatorGroup place="over" shown={props.shown} onChange={props.onChange} />
        <IndicatorGroup place="below" shown={props.shown} onChange={props.onChange} />
      </div>
    </div>
  );
}

interface IndicatorGroupProps extends Pick<IndicatorMenuProps, 'shown' | 'onChange'> {
  readonly place: keyof typeof INDICATOR_GROUPS;
}

/**
 * Checkboxes for the indicators of one location (over or below the candles). The user can select only as many as fit
 * there.
 */
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

export interface FullScreen {
  /**
   * True if the chart fills the screen, or fills the window because the browser has no full screen mode or denied it.
   */
  readonly isFull: boolean;
  /**
   * True if the style sheet makes the chart fill the window instead of the browser's full screen mode. The element then
   * needs the attribute `data-full`.
   */
  readonly isOwn: boolean;
  readonly toggle: () => void;
}

/**
 * Full screen mode of one element. If the browser has no such mode or denies it, the element fills the window instead.
 * Escape and Back end it.
 */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isNative, setNative] = useState(false);
  const [isWindowFilled, setWindowFilled] = useState(false);

  useEffect(() => {
    const updateNative = (): void => {
      setNative(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    };
    document.addEventListener('fullscreenchange', updateNative);
    return () => document.removeEventListener('fullscreenchange', updateNative);
  }, [element]);

  useEffect(() => {
    if (!isWindowFilled) return undefined;
    const leaveOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setWindowFilled(false);
    };
    document.addEventListener('keydown', leaveOnEscape);
    return () => document.removeEventListener('keydown', leaveOnEscape);
  }, [isWindowFilled]);

  const toggle = (): void => {
    if (isWindowFilled) setWindowFilled(false);
    else if (isNative) void document.exitFullscreen().catch(() => undefined);
    else if (!document.fullscreenEnabled) setWindowFilled(true);
    // If the browser denies full screen mode, for example inside a frame, the element fills the window.
    else element.current?.requestFullscreen().catch(() => setWindowFilled(true));
  };
  // In full screen mode, Back ends that mode. The next Back leaves the screen.
  useHistoryLayer(isNative || isWindowFilled, toggle);
  return { isFull: isNative || isWindowFilled, isOwn: isWindowFilled, toggle };
}
