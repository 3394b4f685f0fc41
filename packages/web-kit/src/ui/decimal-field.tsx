import { memo, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { decimalOf, stepped, typedDecimal } from './decimal-text.ts';
import css from './field.module.css';

interface DecimalFieldProps {
  /** Stands inside the field before the number and names it. */
  label: string;
  /** Plain decimal text or empty. */
  value: string;
  onChange: (value: string) => void;
  /** Decimals at most. */
  places: number;
  unit?: ReactNode;
  placeholder?: string | undefined;
  error?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  onFocus?: (() => void) | undefined;
}

/**
 * An exact decimal. Arrow keys step one unit of the last place (with Shift ten); text that is not a plain
 * number, such as `1e5`, is not taken.
 */
export const DecimalField = memo(function DecimalField(props: DecimalFieldProps) {
  const { label, value, onChange, places, unit, placeholder, error, disabled, className, onFocus } = props;
  const id = useId();
  const [typedText, setText] = useState(value);
  // The field keeps what is being typed (`12.`, `1,5`) while its value (`12`, `1.5`) is the same number.
  const text = decimalOf(typedText, places) === value ? typedText : value;

  const type = (typed: string) => {
    const next = typedDecimal(typed, places);
    if (next === undefined) return;
    setText(next);
    const number = decimalOf(next, places);
    if (number !== value) onChange(number);
  };
  const step = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    type(stepped(text, way * (event.shiftKey ? 10 : 1), places));
  };
  return (
    <div className={className}>
      <div className={css.decimal} data-invalid={error !== undefined || undefined}>
        <label className={css.prefix} htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          className={css.number}
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="done"
          value={text}
          placeholder={placeholder}
          disabled={disabled}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={step}
          onFocus={onFocus}
          onBlur={() => setText(value)}
        />
        {unit === undefined ? null : <span className={css.unit}>{unit}</span>}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
});
