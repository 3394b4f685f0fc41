import { DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { useId, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { refusalText } from '../i18n/words.ts';
import { useComposedInput } from '../ui/use-composed-input.ts';
import { decimalProblem, groupedDecimal, stepDecimal, typedDecimal } from './decimal-text.ts';

interface DecimalInputOptions {
  /** Label of the number, also used in error sentences. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly places: number;
  readonly error?: string | undefined;
  /** ID of an element outside the field that explains why the value is refused. */
  readonly faultId?: string | undefined;
}

/**
 * State and props of an exact decimal input. It shows the text as typed while edited and the grouped number otherwise;
 * invalid text stays. Arrow keys step by one unit of the last decimal place, with Shift by ten.
 */
export function useDecimalInput({ label, value, onChange, places, error, faultId }: DecimalInputOptions) {
  const id = useId();
  const [typedText, setText] = useState<string>();
  const [isEdited, setEdited] = useState(false);
  // The typed text (`12.`, `1,5`) is kept while it parses to the same value (`12`, `1.5`).
  const isTyped = typedText !== undefined && typedDecimal(typedText, places).value === value;
  const text = isTyped ? typedText : value;
  // A number set by the application may have more decimals than the user may type.
  const problem = decimalProblem(label, value, isTyped ? places : DECIMAL_PLACES);
  const message = problem === undefined ? error : refusalText(problem);

  const type = (typed: string) => {
    const next = typedDecimal(typed, places);
    setText(next.text);
    if (next.value !== value) onChange(next.value);
  };
  const composed = useComposedInput(isEdited ? text : groupedDecimal(value), (typed) => {
    setEdited(true);
    type(typed);
  });
  const step = (steps: number) => type(stepDecimal(value, steps, places));
  const describedBy = [message === undefined ? undefined : `${id}-error`, faultId].filter(
    (part) => part !== undefined,
  );
  const isInvalid = describedBy.length > 0;
  return {
    id,
    errorId: `${id}-error`,
    /** Error to show: that of a text which is no valid number, otherwise the option `error`. */
    message,
    isInvalid,
    text,
    step,
    input: {
      id,
      inputMode: 'decimal',
      autoComplete: 'off',
      enterKeyHint: 'done',
      ...composed,
      'aria-invalid': isInvalid || undefined,
      'aria-describedby': isInvalid ? describedBy.join(' ') : undefined,
      onKeyDown: (event: KeyboardEvent) => {
        // During composition the arrow keys select candidates of the input method.
        if (event.nativeEvent.isComposing) return;
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (direction === 0) return;
        event.preventDefault();
        step(direction * (event.shiftKey ? 10 : 1));
      },
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
        // Waits until the browser has set the selection; changing the text earlier would lose it.
        setTimeout(() => {
          if (document.activeElement === currentTarget) ungroup(currentTarget, () => setEdited(true));
        });
      },
      onBlur: () => {
        setEdited(false);
        if (typedText !== undefined) setText(value);
      },
    },
  } as const;
}

/**
 * Shows the number in an input without group separators and keeps the selection or caret between the same
 * digits.
 */
function ungroup(input: HTMLInputElement, draw: () => void): void {
  const { value, selectionStart, selectionEnd } = input;
  const digitsBefore = (offset: number | null): number =>
    value.slice(0, offset ?? 0).replaceAll(',', '').length;
  flushSync(draw);
  if (input.value !== value)
    input.setSelectionRange(digitsBefore(selectionStart), digitsBefore(selectionEnd));
}
