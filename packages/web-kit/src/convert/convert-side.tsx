import { CoinPicker } from '../balance/coin-picker.tsx';
import { Amount } from '../format/numbers.tsx';
import { useDecimalInput } from '../form/use-decimal-input.ts';
import { useWords } from '../i18n/words.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import css from './convert-side.module.css';
import type { ConvertControl } from './use-convert.ts';

interface SideProps {
  readonly fieldSide: 'from' | 'to';
  readonly control: ConvertControl;
  readonly look: OverlayLook;
}

/**
 * The fields of the paid or the received coin of a conversion: the coin, its amount, and for the paid coin the
 * available balance. The user can type either of the two amounts.
 */
export function ConvertSide({ fieldSide, control, look }: SideProps) {
  const t = useWords('convert');
  const coin = control.asked[fieldSide];
  const coins = control.info.data?.list ?? [{ currency: coin }];
  const { input, errorId, message, isInvalid } = useDecimalInput({
    label: t(fieldSide),
    value: control.amounts[fieldSide],
    onChange: (text) => control.type(fieldSide, text),
    places: control.digits[fieldSide],
    error: control.errorOf(fieldSide),
  });
  return (
    <div>
      <div className={css.side} data-invalid={isInvalid || undefined}>
        <div className={css.head}>
          <label htmlFor={input.id}>{t(fieldSide)}</label>
          {fieldSide === 'from' ? <Available control={control} /> : null}
        </div>
        <div className={css.body}>
          <input {...input} className={css.input} placeholder="0" />
          <CoinPicker
            label={t(fieldSide === 'from' ? 'coinFrom' : 'coinTo')}
            className={css.coin}
            size="small"
            look={look}
            coins={coins.map(({ currency }) => currency)}
            value={coin}
            onChange={(nextCoin) => control.choose(fieldSide, nextCoin)}
          />
        </div>
      </div>
      {message === undefined ? null : (
        <p id={errorId} className={css.error} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

function Available({ control }: Pick<SideProps, 'control'>) {
  const trade = useWords('trade');
  const { available, asked } = control;
  return (
    <span className={css.available}>
      {trade('available')} <Amount value={available} coin={asked.from} />
      <button
        type="button"
        disabled={available === undefined}
        onClick={() => control.type('from', available ?? '')}
      >
        {trade('max')}
      </button>
    </span>
  );
}
