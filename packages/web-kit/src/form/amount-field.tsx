import { useWords } from '../i18n/words.ts';
import { Amount } from '../format/numbers.tsx';
import { DecimalField } from './decimal-field.tsx';
import css from './amount-field.module.css';

interface AmountFieldProps {
  readonly label: string;
  readonly coin: string;
  /** Plain decimal text or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Decimals at most. */
  readonly places: number;
  /** What is available, as plain decimal text; undefined until known. */
  readonly available: string | undefined;
  /** What `Max` takes where it is less than all that is available, as plain decimal text. */
  readonly most?: string | undefined;
  readonly error?: string | undefined;
}

/** An amount of a coin, what there is of it, and a button that takes all of that. */
export function AmountField({ available, most = available, coin, ...field }: AmountFieldProps) {
  const t = useWords('trade');
  return (
    <div className={css.field}>
      <DecimalField {...field} unit={coin} />
      <p className={css.available}>
        <span>{t('available')}</span>
        <Amount value={available} kind="sum" coin={coin} />
        <button type="button" disabled={most === undefined} onClick={() => field.onChange(most ?? '')}>
          {t('max')}
        </button>
      </p>
    </div>
  );
}
