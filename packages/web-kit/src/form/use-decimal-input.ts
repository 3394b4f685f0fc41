import { DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { useId, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { refusalText } from '../i18n/words.ts';
import { useComposedInput } from '../ui/use-composed-input.ts';
import { decimalProblem, groupedDecimal, stepDecimal, typedDecimal } from './decimal-text.ts';

interface DecimalInputOptions {
  /** Name of the number; it is the label of the input and appears in its error texts. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly places: number;
  readonly error?: string | undefined;
  /** ID of an element outside the field that shows why the value is invalid. */
  readonly faultId?: string | undefined;
}

/**
 * State and props of an input for an exact decimal. The input shows the text as typed while the user edits it,
 * otherwise the number with grouped digits; invalid text is not changed. The arrow keys change the value by one unit of
 * the last decimal place, with Shift by ten units.
 */
export function useDecimalInput({ label, value, onChange, places, error, faultId }: DecimalInputOptions) {
  const id = useId();
  const [typedText, setText] = useState<string>();
  const [isEdited, setEdited] = useState(false);
  // The text as typed (`12.`, `1,5`) is shown as long as it parses to the field's value (`12`, `1.5`).
  const isTyped = typedText !== undefined && typedDecimal(typedText, places).value === value;
  const text = isTyped ? typedText : value;
  // A value that the application has set, not the user, may have more decimals than `places`.
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
    /** Error text to show: why the text is not a valid number, otherwise the option `error`. */
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
        // While an input method composes text, the arrow keys select its candidates, so they do not change the value.
        if (event.nativeEvent.isComposing) return;
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (direction === 0) return;
        event.preventDefault();
        step(direction * (event.shiftKey ? 10 : 1));
      },
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
        // Runs after the browser has set the selection of the focused input; changing the text earlier would lose that
        // selection.
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

/** Removes the group separators from the number shown in an input; selection or caret stay between the same digits. */
function ungroup(input: HTMLInputElement, draw: () => void): void {
  const { value, selectionStart, selectionEnd } = input;
  const digitsBefore = (offset: number | null): number =>
    value.slice(0, offset ?? 0).replaceAll(',', '').length;
  flushSync(draw);
  if (input.value !== value)
    input.setSelectionRange(digitsBefore(selectionStart), digitsBefore(selectionEnd));
}
