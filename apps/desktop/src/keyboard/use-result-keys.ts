import type { KeyboardEvent, RefObject } from 'react';

interface ResultKeys {
  readonly box: RefObject<HTMLInputElement | null>;
  /** Holds the results; the link of each is marked with `data-result`. */
  readonly results: RefObject<HTMLElement | null>;
  /** Empties the search. */
  readonly onClear: () => void;
}

/**
 * The keys of a search and of what it found: Enter in the box opens the first result, the arrows walk from the
 * box through the results and back, Escape ends the search.
 */
export function useResultKeys({ box, results, onClear }: ResultKeys) {
  const links = (): HTMLElement[] => [
    ...(results.current?.querySelectorAll<HTMLElement>('[data-result]') ?? []),
  ];

  const onBoxKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    // While characters are composed, these keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClear();
    if (event.key === 'Enter' && event.currentTarget.value.trim() !== '') {
      event.preventDefault();
      const [first] = links();
      first?.click();
      if (first !== undefined) onClear();
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      links()[0]?.focus();
    }
  };

  const onResultKey = (event: KeyboardEvent<HTMLElement>): void => {
    const all = links();
    const at = all.findIndex((link) => link === event.target);
    if (at === -1) return;
    if (event.key === 'Escape') {
      box.current?.focus();
      onClear();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
      (next < 0 ? box.current : all[next])?.focus();
    }
  };

  return { onBoxKey, onResultKey };
}
