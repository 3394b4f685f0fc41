import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Search } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import classes from './market.module.css';

interface SearchBoxProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** Finds a market; `/` jumps here. */
export function SearchBox({ box, value, onChange, onKey }: SearchBoxProps) {
  const t = useWords('market');
  return (
    <label className={classes.search}>
      <Search size={16} aria-hidden="true" />
      <input
        ref={box}
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
