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

/** Which intervals go into the menu first where the toolbar has no room for all. */
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

/** Intervals, how candles are drawn, the indicators menu and full screen. */
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
          const kind = CHART_KINDS.find((known) => known === target.value);
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

/** The intervals as buttons; where not all have room, the rarer ones in a list beside them. */
function Intervals({ timer, onTimerChange }: Pick<ChartToolbarProps, 'timer' | 'onTimerChange'>) {
  const t = useWords('chart');
  const choose = (name: string) => {
    const chosen = CHART_TIMERS.find((known) => known === name);
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

/** A button with the list of indicators and their parameters under it; Escape, Back, a press elsewhere or moving on with the keys closes it. */
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
      {/* Focusable, so that a press on its text keeps the focus inside. */}
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

export interface FullScreen {
  /** Whether the element fills the screen, or, where the browser has no full screen, should fill the window. */
  readonly isFull: boolean;
  /** Whether the window is filled by our own style: the element needs `data-full`. */
  readonly isOwn: boolean;
  readonly toggle: () => void;
}

/** Full screen of one element; where the browser has none (phones), the element fills the window instead. Escape and Back leave. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isNative, setNative] = useState(false);
  const [isOwn, setOwn] = useState(false);

  useEffect(() => {
    const follow = (): void => {
      setNative(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    };
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, [element]);

  useEffect(() => {
    if (!isOwn) return undefined;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOwn(false);
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isOwn]);

  const toggle = (): void => {
    if (isOwn) setOwn(false);
    else if (isNative) void document.exitFullscreen().catch(() => undefined);
    else if (!document.fullscreenEnabled) setOwn(true);
    // Reason for the fallback: a page inside a frame may be forbidden to fill the screen, but not its window.
    else element.current?.requestFullscreen().catch(() => setOwn(true));
  };
  // Back leaves the full screen before the chart's screen.
  useHistoryLayer(isNative || isOwn, toggle);
  return { isFull: isNative || isOwn, isOwn, toggle };
}
