import { CoinPicker } from '../balance/coin-picker.tsx';
import { Amount } from '../format/numbers.tsx';
import { useDecimalInput } from '../form/use-decimal-input.ts';
import { useWords } from '../i18n/words.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import css from './convert-side.module.css';
import type { ConvertControl } from './use-convert.ts';

interface SideProps {
  readonly of: 'from' | 'to';
  readonly control: ConvertControl;
  readonly look: OverlayLook;
}

/** One side of a conversion, with coin and amount; either side's amount can be typed. */
export function ConvertSide({ of, control, look }: SideProps) {
  const t = useWords('convert');
  const coin = control.asked[of];
  const coins = control.info.data?.list ?? [{ currency: coin }];
  const { input, errorId, message, isInvalid } = useDecimalInput({
    label: t(of),
    value: control.amounts[of],
    onChange: (text) => control.type(of, text),
    places: control.digits[of],
    error: control.errorOf(of),
  });
  return (
    <div>
      <div className={css.side} data-invalid={isInvalid || undefined}>
        <div className={css.head}>
          <label htmlFor={input.id}>{t(of)}</label>
          {of === 'from' ? <Available control={control} /> : null}
        </div>
        <div className={css.body}>
          <input {...input} className={css.input} placeholder="0" />
          <CoinPicker
            label={t(of === 'from' ? 'coinFrom' : 'coinTo')}
            className={css.coin}
            size="small"
            look={look}
            coins={coins.map(({ currency }) => currency)}
            value={coin}
            onChange={(nextCoin) => control.choose(of, nextCoin)}
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
