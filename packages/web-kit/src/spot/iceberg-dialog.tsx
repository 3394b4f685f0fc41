import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import {
  AlgoDialog,
  AlgoForm,
  OrderPreview,
  type AlgoDialogProps,
  type AlgoFieldsProps,
} from './algo-dialog.tsx';
import css from './algo.module.css';
import { icebergPayload, INITIAL_ICEBERG, previewIceberg } from './iceberg-form.ts';
import { usePlaceIceberg } from './icebergs.ts';

/**
 * Dialog with the form of an iceberg order, which shows only a slice of its amount in the book, and a preview of its
 * slices.
 */
export default function IcebergDialog(props: AlgoDialogProps) {
  const t = useWords('iceberg');
  return (
    <AlgoDialog
      {...props}
      title={t('title')}
      form={(moment) => <IcebergFields moment={moment} onDone={props.onClose} />}
    />
  );
}

/** The inputs of an iceberg order, the preview of its slices, and the button that places it. */
export function IcebergFields({ moment, onDone }: AlgoFieldsProps) {
  const t = useWords('iceberg');
  const trade = useWords('trade');
  const { pair } = moment;
  const form = useForm(INITIAL_ICEBERG, (values) => previewIceberg(values, moment).problems);
  const { values } = form;
  const { slices, hold, crosses } = previewIceberg(values, moment);
  const { submit, isBusy, unanswered } = usePlaceIceberg({ onDone, refuse: form.refuse });
  const number = (field: 'price' | 'amount' | 'visible', places: number, unit: string) => (
    <DecimalField
      label={field === 'price' ? trade('price') : t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      error={form.errorOf(field)}
      isFirst={field === 'price'}
    />
  );
  return (
    <AlgoForm
      moment={moment}
      side={values.side}
      onSide={(side) => form.set('side', side)}
      onSubmit={() => {
        if (form.check()) void submit(JSON.stringify(values), () => icebergPayload(values, pair));
      }}
      isBusy={isBusy}
      unanswered={unanswered}
      facts={[
        { label: t('count'), value: slices.length === 0 ? '–' : slices.length },
        {
          label: t('reserved'),
          value: <Amount value={hold?.amount.toString()} kind="sum" coin={hold?.asset} />,
        },
      ]}
      terms={t('terms')}
      submitLabel={t('place')}
    >
      {number('price', pair.priceDigits, pair.quote)}
      <div className={css.two}>
        {number('amount', pair.amountDigits, pair.base)}
        {number('visible', pair.amountDigits, pair.base)}
      </div>
      <Checkbox
        label={trade('postOnly')}
        checked={values.postOnly}
        onChange={(postOnly) => form.set('postOnly', postOnly)}
      />
      {crosses ? <p className={css.note}>{t('crosses')}</p> : null}
      <OrderPreview
        label={t('preview')}
        empty={t('previewEmpty')}
        rows={slices}
        rowKey={({ position }) => String(position)}
        columns={[
          {
            key: 'position',
            title: t('slice'),
            cell: ({ position }) => `${position} / ${slices.length}`,
          },
          {
            key: 'amount',
            title: trade('amount'),
            align: 'end',
            cell: ({ amount }) => <Amount value={amount.toString()} digits={pair.amountDigits} />,
          },
          {
            key: 'total',
            title: trade('total'),
            align: 'end',
            cell: ({ total }) => <Amount value={total.toString()} kind="sum" figureCoin={pair.quote} />,
          },
        ]}
      />
    </AlgoForm>
  );
}
