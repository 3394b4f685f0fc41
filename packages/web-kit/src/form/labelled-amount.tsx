import { useId, type ReactNode } from 'react';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import fieldCss from '../ui/field.module.css';
import css from './labelled-amount.module.css';
import { useDecimalInput } from './use-decimal-input.ts';

interface LabelledAmountProps {
  readonly label: string;
  readonly coin: string;
  /** Plain decimal text, an empty text, or typed text that is no valid number. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly places: number;
  readonly placeholder?: string | undefined;
  /** Available amount as plain decimal text; not shown when undefined. */
  readonly available?: string | undefined;
  /** Amount that the Max button enters, as plain decimal text; undefined if there is no such button. */
  readonly most?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
}

/** Input of an amount of a coin, for forms whose labels are above the fields. */
export function LabelledAmount(props: LabelledAmountProps) {
  const { label, coin, onChange, available, most, placeholder, hint } = props;
  const t = useWords('trade');
  const hintId = useId();
  const { input, errorId, message, isInvalid } = useDecimalInput(props);
  const describedBy = [input['aria-describedby'], hint === undefined ? undefined : hintId].filter(Boolean);
  return (
    <div>
      <div className={css.head}>
        <label className={fieldCss.label} htmlFor={input.id}>
          {label}
        </label>
        {available === undefined ? null : (
          <span className={css.available}>
            {t('available')} <Amount value={available} kind="sum" coin={coin} />
          </span>
        )}
      </div>
      <div className={css.box} data-invalid={isInvalid || undefined}>
        <input
          {...input}
          aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
          placeholder={placeholder}
        />
        <span className={css.unit}>{coin}</span>
        {most === undefined ? null : (
          <button type="button" onClick={() => onChange(most)}>
            {t('max')}
          </button>
        )}
      </div>
      {message === undefined ? null : (
        <p id={errorId} className={fieldCss.error} role="alert">
          {message}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className={fieldCss.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
