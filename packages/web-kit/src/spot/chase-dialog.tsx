import { CHASE_DISTANCE_PLACES } from '@exchange/core/spot-chase.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { AlgoDialog, AlgoForm, type AlgoDialogProps, type AlgoFieldsProps } from './algo-dialog.tsx';
import css from './algo.module.css';
import { chasePayload, INITIAL_CHASE, previewChase } from './chase-form.ts';
import { useStartChase } from './chases.ts';

/** Dialog with the form of a chase order, which follows the best price of its side, and a description of its effect. */
export default function ChaseDialog(props: AlgoDialogProps) {
  const t = useWords('chase');
  return (
    <AlgoDialog
      {...props}
      title={t('title')}
      form={(moment) => <ChaseFields moment={moment} onDone={props.onClose} />}
    />
  );
}

/** The inputs of a chase order, its prices and reserved funds, and the button that starts it. */
export function ChaseFields({ moment, onDone }: AlgoFieldsProps) {
  const t = useWords('chase');
  const algo = useWords('algo');
  const { pair } = moment;
  const form = useForm(INITIAL_CHASE, (values) => previewChase(values, moment).problems);
  const { values } = form;
  const { start, worst, reserved, funds } = previewChase(values, moment);
  const { submit, isBusy, unanswered } = useStartChase({ onDone, refuse: form.refuse });
  const number = (
    field: 'amount' | 'distance' | 'limitPrice' | 'minutes',
    label: string,
    places: number,
    unit: string,
  ) => (
    <DecimalField
      label={label}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      placeholder={field === 'limitPrice' ? algo('noLimit') : undefined}
      error={form.errorOf(field)}
      isFirst={field === 'amount'}
    />
  );
  return (
    <AlgoForm
      moment={moment}
      side={values.side}
      onSide={(side) => form.set('side', side)}
      onSubmit={() => {
        if (form.check()) void submit(JSON.stringify(values), () => chasePayload(values, pair));
      }}
      isBusy={isBusy}
      unanswered={unanswered}
      facts={[
        { label: t('start'), value: <Price value={start?.toString()} digits={pair.priceDigits} /> },
        { label: t('worst'), value: <Price value={worst?.toString()} digits={pair.priceDigits} /> },
        {
          label: t('reserved'),
          value: <Amount value={reserved?.amount.toString()} kind="sum" coin={reserved?.asset} />,
        },
        {
          label: algo('funds'),
          value: <Amount value={funds?.amount.toString()} kind="sum" coin={funds?.asset} />,
        },
      ]}
      terms={t('terms')}
      submitLabel={t('place')}
    >
      {number('amount', t('amount'), pair.amountDigits, pair.base)}
      <div className={css.two}>
        {number('distance', t('distance'), CHASE_DISTANCE_PLACES, '%')}
        {number('limitPrice', t('limitPrice'), pair.priceDigits, pair.quote)}
      </div>
      {number('minutes', algo('minutes'), 0, algo('minutesUnit'))}
    </AlgoForm>
  );
}
