import { memo, type ReactNode } from 'react';
import css from '../ui/field.module.css';
import { useDecimalInput } from './use-decimal-input.ts';

interface DecimalFieldProps {
  /** Stands inside the field before the number and names it. */
  label: string;
  /** Plain decimal text, empty, or what was typed that is no number. */
  value: string;
  onChange: (value: string) => void;
  /** Decimals at most. */
  places: number;
  unit?: ReactNode;
  placeholder?: string | undefined;
  error?: string | undefined;
  /** The element elsewhere that says why the value is refused. */
  faultId?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  onFocus?: (() => void) | undefined;
  /** Takes the focus when a dialog opens. */
  isFirst?: boolean | undefined;
}

/**
 * An exact decimal. Arrow keys step one unit of the last place (with Shift ten); text that is not a plain
 * number, such as `1e5`, stays and is marked as none.
 */
export const DecimalField = memo(function DecimalField(props: DecimalFieldProps) {
  const { label, unit, placeholder, disabled, className, onFocus, isFirst } = props;
  const { input, errorId, message, isInvalid } = useDecimalInput(props);
  return (
    <div className={className}>
      <div className={css.decimal} data-invalid={isInvalid || undefined}>
        <label className={css.prefix} htmlFor={input.id}>
          {label}
        </label>
        <input
          {...input}
          className={css.number}
          placeholder={placeholder}
          disabled={disabled}
          data-autofocus={isFirst || undefined}
          onFocus={(event) => {
            input.onFocus(event);
            onFocus?.();
          }}
        />
        {unit === undefined ? null : <span className={css.unit}>{unit}</span>}
      </div>
      {message === undefined ? null : (
        <p id={errorId} className={css.error} role="alert">
          {message}
        </p>
      )}
    </div>
  );
});
