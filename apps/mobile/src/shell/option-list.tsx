import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import css from './option-list.module.css';

export interface ListedOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly hint?: string;
}

interface OptionListProps<Value extends string> {
  label: string;
  options: readonly ListedOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /**
   * Called when the user presses any option, also the selected one, for example to close the sheet around the
   * list.
   */
  onPick?: () => void;
}

/** A list of options of which one is selected, each on its own line with an optional explanation. */
export function OptionList<Value extends string>(props: OptionListProps<Value>) {
  const { label, options, value, onChange, onPick } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={css.list}>
      {options.map((option) => (
        <label key={option.value} className={css.option} data-chosen={option.value === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            onClick={onPick}
          />
          <span className={css.text}>
            <span className={css.label}>{option.label}</span>
            {option.hint === undefined ? null : <span className={css.hint}>{option.hint}</span>}
          </span>
          <Check size={18} className={css.check} aria-hidden="true" />
        </label>
      ))}
    </div>
  );
}
