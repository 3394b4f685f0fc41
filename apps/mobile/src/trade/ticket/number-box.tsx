import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { decimalOf, stepped, typedDecimal } from '@exchange/web-kit/ui/decimal-text.ts';
import { Minus, Plus } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import css from './number-box.module.css';

interface NumberBoxProps {
  /** Names the number; stands small above it once there is one. */
  label: string;
  unit: string;
  /** Plain decimal text or empty. */
  value: string;
  onChange: (value: string) => void;
  /** Decimals at most; one press of plus or minus is one unit of the last. */
  places: number;
  placeholder?: string;
  isInvalid?: boolean;
  /** Plus and minus beside the number: for prices, where one step means something. */
  steps?: boolean;
}

/**
 * An exact decimal for a narrow column and a thumb: the name above the number, the whole box a target, the
 * numeric keyboard. Text that is not a plain number is not taken.
 */
export function NumberBox(props: NumberBoxProps) {
  const { label, unit, value, onChange, places, placeholder, isInvalid = false, steps = false } = props;
  const id = useId();
  const [typedText, setText] = useState(value);
  // The box keeps what is being typed (`12.`, `1,5`) while its value (`12`, `1.5`) is the same number.
  const text = decimalOf(typedText, places) === value ? typedText : value;

  const type = (typed: string) => {
    const next = typedDecimal(typed, places);
    if (next === undefined) return;
    setText(next);
    const number = decimalOf(next, places);
    if (number !== value) onChange(number);
  };
  const step = (by: number) => type(stepped(text, by, places));
  const stepByKey = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    step(way * (event.shiftKey ? 10 : 1));
  };
  return (
    <div
      className={css.box}
      data-filled={text !== '' || placeholder !== undefined || undefined}
      data-invalid={isInvalid || undefined}
    >
      {steps ? <StepButton way="lower" label={label} onPress={() => step(-1)} /> : null}
      <div className={css.middle}>
        <label className={css.label} htmlFor={id}>
          {label}
        </label>
        <span className={css.unit} aria-hidden="true">
          {' '}
          ({unit})
        </span>
        <input
          id={id}
          className={css.input}
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="done"
          value={text}
          placeholder={placeholder}
          aria-invalid={isInvalid || undefined}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={stepByKey}
          onBlur={() => setText(value)}
        />
      </div>
      {steps ? <StepButton way="raise" label={label} onPress={() => step(1)} /> : null}
    </div>
  );
}

interface StepButtonProps {
  way: 'raise' | 'lower';
  label: string;
  onPress: () => void;
}

function StepButton({ way, label, onPress }: StepButtonProps) {
  const t = useWords('mobile-trade');
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
