import { useId, type ReactNode } from 'react';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import fieldCss from '../ui/field.module.css';
import css from './labelled-amount.module.css';
import { useDecimalInput } from './use-decimal-input.ts';

interface LabelledAmountProps {
  readonly label: string;
  readonly coin: string;
  /** Plain decimal text, empty, or what was typed that is no number. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Decimals at most. */
  readonly places: number;
  readonly placeholder?: string | undefined;
  /** What there is, as plain decimal text; undefined where that is not told. */
  readonly available?: string | undefined;
  /** What `Max` takes, as plain decimal text; no button without it. */
  readonly most?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
}

/** An amount of a coin among fields whose labels stand above them. */
export function LabelledAmount(props: LabelledAmountProps) {
  const { label, coin, onChange, available, most, placeholder, hint } = props;
  const t = useWords('trade');
  const hintId = useId();
  const { input, errorId, message, isInvalid } = useDecimalInput(props);
  const about = [input['aria-describedby'], hint === undefined ? undefined : hintId].filter(Boolean);
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
          aria-describedby={about.length === 0 ? undefined : about.join(' ')}
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
