import { memo, type ReactNode } from 'react';
import css from '../ui/field.module.css';
import { useDecimalInput } from './use-decimal-input.ts';

interface DecimalFieldProps {
  label: string;
  /** Plain decimal text, an empty text, or typed text that is no valid number. */
  value: string;
  onChange: (value: string) => void;
  places: number;
  unit?: ReactNode;
  placeholder?: string | undefined;
  error?: string | undefined;
  /** ID of an element outside the field that shows why the value is invalid. */
  faultId?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  onFocus?: (() => void) | undefined;
  /** True if the dialog focuses this field when it opens. */
  isFirst?: boolean | undefined;
}

/**
 * Input of an exact decimal. The arrow keys change the value by one unit of the last decimal place, with Shift by ten
 * units. Text that is not a plain number, such as `1e5`, is not changed but marked invalid.
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
