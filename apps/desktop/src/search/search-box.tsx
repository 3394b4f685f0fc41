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
