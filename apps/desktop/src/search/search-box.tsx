import { classes as joined } from '@exchange/web-kit/ui/class-names.ts';
import { Search } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import classes from './search-box.module.css';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Where `/` jumps; a box that has none says nothing of the key. */
  readonly box?: RefObject<HTMLInputElement | null>;
  /** In a narrow panel, whose whole width it takes. */
  readonly dense?: boolean;
}

/** Narrows a list to what one types. */
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
