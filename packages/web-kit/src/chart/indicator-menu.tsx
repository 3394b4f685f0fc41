import { Sigma } from 'lucide-react';
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useWords } from '../i18n/words.ts';
import classes from './chart-toolbar.module.css';
import {
  hasRoomFor,
  INDICATOR_GROUPS,
  INDICATORS_MAX,
  withToggled,
  type IndicatorName,
} from './indicators.ts';

interface IndicatorMenuProps {
  readonly shown: readonly IndicatorName[];
  readonly onChange: (names: readonly IndicatorName[]) => void;
}

/** A button with the list of indicators under it; Escape, a press elsewhere or moving on with the keys closes it. */
export function IndicatorMenu(props: IndicatorMenuProps) {
  const t = useWords('chart');
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();

  useEffect(() => {
    if (!isOpen) return undefined;
    const press = ({ target }: PointerEvent): void => {
      if (!menu.current?.contains(target as Node)) setOpen(false);
    };
    // On its way down, so that nobody on the page can keep it to themselves.
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [isOpen]);

  // Focus that goes nowhere has not moved on: a press on plain text or another window does that. And what
  // has the focus must not vanish while the browser is still moving it: Chromium crashes.
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setTimeout(() => setOpen(false));
  };
  const pressKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    button.current?.focus();
    setOpen(false);
  };

  return (
    <div ref={menu} className={classes.menu} onBlur={leave} onKeyDown={pressKey}>
      <button
        ref={button}
        type="button"
        className={classes.action}
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        <Sigma size={14} aria-hidden="true" />
        {t('indicators')}
      </button>
      {/* Focusable, so that a press on its text keeps the focus inside. */}
      <div id={list} className={classes.list} hidden={!isOpen} tabIndex={-1}>
        <IndicatorGroup place="over" {...props} />
        <IndicatorGroup place="below" {...props} />
      </div>
    </div>
  );
}

interface IndicatorGroupProps extends IndicatorMenuProps {
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
