import { classes as joined } from '@exchange/web-kit/ui/class-names.ts';
import { Search } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import classes from './search-box.module.css';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /**
   * The input element of the search, which the `/` shortcut focuses; if omitted, the box shows no hint of the shortcut.
   */
  readonly box?: RefObject<HTMLInputElement | null>;
  readonly dense?: boolean;
}

/** A search input whose text filters a list. */
export function SearchBox({ label, value, onChange, onKey, box, dense = false }: SearchBoxProps) {
  return (
    <label className={joined(classes.box, dense && classes.dense)}>
      <Search size={dense ? 14 : 16} aria-hidden="true" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
      />
      {box !== undefined && <kbd aria-hidden="true">/</kbd>}
    </label>
  );
}

interface ResultKeys {
  readonly box: RefObject<HTMLInputElement | null>;
  /** The element that contains the search results; each result is a link with the attribute `data-result`. */
  readonly results: RefObject<HTMLElement | null>;
  /** Clears the search text; called when Escape is pressed, and when Enter opens a result. */
  readonly onClear: () => void;
}

/**
 * Hook that handles the keyboard in a search input and its results: Enter in the input opens the first result
 * and clears the search, the arrow keys move the focus between the input and the results, Escape clears the
 * search and, in the results, returns the focus to the input.
 */
export function useResultKeys({ box, results, onClear }: ResultKeys) {
  const links = (): HTMLElement[] => [
    ...(results.current?.querySelectorAll<HTMLElement>('[data-result]') ?? []),
  ];

  const onBoxKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    // While an input method composes text, the key presses belong to it, so the search ignores them.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClear();
    if (event.key === 'Enter' && event.currentTarget.value.trim() !== '') {
      event.preventDefault();
      const [firstLink] = links();
      firstLink?.click();
      if (firstLink !== undefined) onClear();
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      links()[0]?.focus();
    }
  };

  const onResultKey = (event: KeyboardEvent<HTMLElement>): void => {
    const allLinks = links();
    const at = allLinks.findIndex((link) => link === event.target);
    if (at === -1) return;
    if (event.key === 'Escape') {
      box.current?.focus();
      onClear();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const nextIndex = event.key === 'ArrowDown' ? at + 1 : at - 1;
      (nextIndex < 0 ? box.current : allLinks[nextIndex])?.focus();
    }
  };

  return { onBoxKey, onResultKey };
}
