import { useWords } from '../i18n/words.ts';
import { useDecimalInput } from './use-decimal-input.ts';
import { Minus, Plus } from 'lucide-react';
import css from './number-box.module.css';

interface NumberBoxProps {
  /** Label of the input; it is shown above the number while the input has text, a placeholder or the focus. */
  label: string;
  unit: string;
  /** Plain decimal text, an empty text, or typed text that is no valid number. */
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  /**
   * Maximum number of decimals; the plus and minus buttons change the value by one unit of the last of these decimals.
   */
  places: number;
  placeholder?: string;
  /** ID of an element outside the field that shows why the value is invalid. */
  faultId?: string | undefined;
  /** Whether plus and minus buttons are shown. */
  steps?: boolean;
  /** True if the bottom sheet focuses this field when it opens. */
  isFirst?: boolean;
}

/**
 * Decimal input for phones: the label above the number, a large touch target and the numeric keyboard. Text that is not
 * a plain number is not changed but marked invalid.
 */
export function NumberBox(props: NumberBoxProps) {
  const { label, unit, placeholder, steps = false, isFirst, onFocus } = props;
  const { input, text, errorId, message, isInvalid, step } = useDecimalInput(props);
  return (
    <div className={css.field}>
      <div
        className={css.box}
        data-filled={text !== '' || placeholder !== undefined || undefined}
        data-invalid={isInvalid || undefined}
      >
        {steps ? <StepButton way="lower" label={label} onPress={() => step(-1)} /> : null}
        <div className={css.middle}>
          <label className={css.label} htmlFor={input.id}>
            {label}
          </label>
          <span className={css.unit} aria-hidden="true">
            {' '}
            ({unit})
          </span>
          <input
            {...input}
            className={css.input}
            placeholder={placeholder}
            onFocus={(event) => {
              onFocus?.();
              input.onFocus(event);
            }}
            data-autofocus={isFirst || undefined}
          />
        </div>
        {steps ? <StepButton way="raise" label={label} onPress={() => step(1)} /> : null}
      </div>
      {message === undefined ? null : (
        <p id={errorId} className={css.error} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

interface StepButtonProps {
  way: 'raise' | 'lower';
  label: string;
  onPress: () => void;
}

function StepButton({ way, label, onPress }: StepButtonProps) {
  const t = useWords('shell');
  const Icon = way === 'raise' ? Plus : Minus;
  return (
    // The plus and minus buttons are not in the tab order, because the arrow keys in the input have the same effect.
    <button
      type="button"
      className={css.step}
      tabIndex={-1}
      aria-label={t(way, { field: label })}
      onClick={onPress}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
