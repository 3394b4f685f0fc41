import { DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { useId, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { refusalText } from '../i18n/words.ts';
import { useComposedInput } from '../ui/use-composed-input.ts';
import { decimalProblem, groupedDecimal, stepped, typedDecimal } from './decimal-text.ts';

interface DecimalInputOptions {
  /** Names the number, also in the sentence that says why a text is not taken. */
  readonly label: string;
  /** Plain decimal text, empty, or what was typed that is no number. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Decimals at most. */
  readonly places: number;
  /** Why the value is refused; shown with the field. */
  readonly error?: string | undefined;
  /** The element elsewhere that says why the value is refused. */
  readonly faultId?: string | undefined;
}

/**
 * An input of an exact decimal. While it is edited it holds what is typed, afterwards the number grouped; text that
 * is no number stays and is shown. Arrow keys step one unit of the last place, with Shift ten.
 */
export function useDecimalInput({ label, value, onChange, places, error, faultId }: DecimalInputOptions) {
  const id = useId();
  const [typedText, setText] = useState<string>();
  const [isEdited, setEdited] = useState(false);
  // The field keeps what is being typed (`12.`, `1,5`) while its value (`12`, `1.5`) is the same number.
  const isTyped = typedText !== undefined && typedDecimal(typedText, places).value === value;
  const text = isTyped ? typedText : value;
  // A number that follows from others may be finer than one that is typed.
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
  const step = (by: number) => type(stepped(value, by, places));
  const describedBy = [message === undefined ? undefined : `${id}-error`, faultId].filter(
    (part) => part !== undefined,
  );
  const isInvalid = describedBy.length > 0;
  return {
    id,
    errorId: `${id}-error`,
    /** What the field itself has to say. */
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
        // While characters are composed, the arrows choose among the candidates of the input method.
        if (event.nativeEvent.isComposing) return;
        const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (way === 0) return;
        event.preventDefault();
        step(way * (event.shiftKey ? 10 : 1));
      },
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
        // Only once the browser has set what is selected: it would be lost with the text that it selects.
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

/** Draws a number without its grouping; the same digits stay selected, or the caret between the same two. */
function ungroup(input: HTMLInputElement, draw: () => void): void {
  const { value, selectionStart, selectionEnd } = input;
  const place = (at: number | null): number => value.slice(0, at ?? 0).replaceAll(',', '').length;
  flushSync(draw);
  if (input.value !== value) input.setSelectionRange(place(selectionStart), place(selectionEnd));
}
