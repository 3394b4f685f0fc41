import { Search } from 'lucide-react';
import css from './search-box.module.css';

interface SearchBoxProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** A search input whose text filters a list. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <label className={css.box}>
      <Search size={18} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
