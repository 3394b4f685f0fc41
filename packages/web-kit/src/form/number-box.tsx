import { useWords } from '../i18n/words.ts';
import { useDecimalInput } from './use-decimal-input.ts';
import { Minus, Plus } from 'lucide-react';
import css from './number-box.module.css';

interface NumberBoxProps {
  /** Names the number; stands small above it once there is one. */
  label: string;
  unit: string;
  /** Plain decimal text, empty, or what was typed that is no number. */
  value: string;
  onChange: (value: string) => void;
  /** Decimals at most; one press of plus or minus is one unit of the last. */
  places: number;
  placeholder?: string;
  /** The element elsewhere that says why the value is refused. */
  faultId?: string | undefined;
  /** Plus and minus beside the number: for prices, where one step means something. */
  steps?: boolean;
  /** Takes the focus when a sheet opens. */
  isFirst?: boolean;
}

/**
 * An exact decimal for a narrow column and a thumb: the name above the number, the whole box a target, the
 * numeric keyboard. Text that is not a plain number stays and is marked as none.
 */
export function NumberBox(props: NumberBoxProps) {
  const { label, unit, placeholder, steps = false, isFirst } = props;
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
    // The arrow keys of the number do the same, so the keyboard need not stop here.
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
