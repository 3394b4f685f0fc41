import { useWords } from '../i18n/words.ts';
import { Amount } from '../format/numbers.tsx';
import { DecimalField } from './decimal-field.tsx';
import css from './amount-field.module.css';

interface AmountFieldProps {
  readonly label: string;
  readonly coin: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly places: number;
  /** The user's available amount as plain decimal text; undefined for visitors and until loaded. */
  readonly available: string | undefined;
  /** Amount that the Max button enters, as plain decimal text; the default is the available amount. */
  readonly most?: string | undefined;
  readonly error?: string | undefined;
}

/** Input of an amount of a coin; shows the available amount and a Max button. */
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
