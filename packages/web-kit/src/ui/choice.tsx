import { useId, type KeyboardEvent, type ReactNode } from 'react';
import css from './choice.module.css';
import { classes } from './class-names.ts';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly disabled?: boolean;
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

interface TabsProps<Value extends string> extends ChoiceProps<Value> {
  look?: 'line' | 'text' | undefined;
  /** ID of the element that contains the content of the selected tab. */
  panelId?: string | undefined;
}

/** Tabs that switch between views; the left and right arrow keys select another enabled tab. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, options, value, onChange, look = 'line', panelId, className } = props;
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (direction === 0) return;
    const enabled = options.filter(({ disabled }) => disabled !== true);
    const at = enabled.findIndex((option) => option.value === value);
    const nextOption = enabled[(at + direction + enabled.length) % enabled.length];
    if (nextOption === undefined) return;
    event.preventDefault();
    onChange(nextOption.value);
    const tabs = event.currentTarget.querySelectorAll<HTMLButtonElement>('[role="tab"]');
    tabs[options.indexOf(nextOption)]?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label={label}
      className={classes(css.tabs, css[look], className)}
      onKeyDown={move}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="tab"
          aria-selected={option.value === value}
          aria-controls={panelId}
          tabIndex={option.value === value ? 0 : -1}
          disabled={option.disabled}
          className={css.tab}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

interface SegmentedProps<Value extends string> extends ChoiceProps<Value> {
  /** With `sides`, the first option has the colour of rising prices and the second that of falling prices. */
  look?: 'plain' | 'sides' | undefined;
}

/** Input for one of a few values, which are shown side by side. */
export function SegmentedControl<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, look = 'plain', className } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes(css.segments, css[look], className)}>
      {options.map((option) => (
        <label key={option.value} className={css.segment} data-chosen={option.value === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

/** Input for one of several values in a dropdown list. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  className,
}: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      className={classes(css.select, className)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
