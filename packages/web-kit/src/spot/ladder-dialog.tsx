import { LADDER_SIZES } from '@exchange/core/spot-ladder.ts';
import type { FormEvent } from 'react';
import { DecimalField } from '../form/decimal-field.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import type { MarketPair } from '../market/pair.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { INITIAL_LADDER, ladderPayload, previewLadder, type LadderPreview } from './ladder-form.ts';
import css from './algo.module.css';
import { usePlaceLadder } from './ladders.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';
import { useTicketMarket } from './use-ticket.ts';

interface LadderDialogProps {
  readonly pair: MarketPair;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Form of a scaled ladder with a preview of all its orders. */
export default function LadderDialog({ pair, look, onClose }: LadderDialogProps) {
  const t = useWords('ladder');
  const shell = useWords('shell');
  const moment = useTicketMarket(pair);
  return (
    <Over
      isOpen
      look={look}
      width={520}
      onClose={onClose}
      title={`${t('title')} · ${pair.base}/${pair.quote}`}
      closeLabel={shell('close')}
    >
      <LadderFields moment={moment} onDone={onClose} />
    </Over>
  );
}

interface LadderFieldsProps {
  readonly moment: TicketMarket;
  /** Called when the ladder has been placed. */
  readonly onDone: () => void;
}

/** The fields of a ladder, its orders, and the button that places them. */
export function LadderFields({ moment, onDone }: LadderFieldsProps) {
  const t = useWords('ladder');
  const trade = useWords('trade');
  const { pair } = moment;
  const form = useForm(INITIAL_LADDER, (values) => previewLadder(values, moment).problems);
  const { values } = form;
  const preview = previewLadder(values, moment);
  const { submit, isBusy, unanswered } = usePlaceLadder({ onDone, refuse: form.refuse });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && !isBusy) void submit(JSON.stringify(values), () => ladderPayload(values, pair));
  };
  const number = (
    field: 'fromPrice' | 'toPrice' | 'count' | 'amount',
    places: number,
    unit: string | undefined,
  ) => (
    <DecimalField
      label={t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      error={form.errorOf(field)}
      isFirst={field === 'fromPrice'}
    />
  );
  const available = values.side === 'buy' ? moment.quoteAvailable : moment.baseAvailable;
  return (
    <form className={css.form} onSubmit={send} noValidate>
      <SegmentedControl
        label={trade('side')}
        look="sides"
        value={values.side}
        onChange={(side) => form.set('side', side)}
        options={[
          { value: 'buy', label: trade('buy') },
          { value: 'sell', label: trade('sell') },
        ]}
      />
      <div className={css.two}>
        {number('fromPrice', pair.priceDigits, pair.quote)}
        {number('toPrice', pair.priceDigits, pair.quote)}
        {number('count', 0, undefined)}
        {number('amount', pair.amountDigits, pair.base)}
      </div>
      <SegmentedControl
        label={t('sizes')}
        value={values.sizes}
        onChange={(sizes) => form.set('sizes', sizes)}
        options={LADDER_SIZES.map((value) => ({ value, label: t(value) }))}
      />
      <Preview preview={preview} pair={pair} />
      <dl className={css.facts}>
        <dt>{t('needed')}</dt>
        <dd>
          <Amount value={preview.hold?.amount.toString()} kind="sum" coin={preview.hold?.asset} />
        </dd>
        <dt>{trade('available')}</dt>
        <dd>
          <Amount
            value={available?.toString()}
            kind="sum"
            coin={values.side === 'buy' ? pair.quote : pair.base}
          />
        </dd>
      </dl>
      <p className={css.note}>{t('terms')}</p>
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" look={values.side} size="l" wide busy={isBusy} disabled={pair.status !== 'open'}>
        {t('place')}
      </Button>
    </form>
  );
}

/** Price, amount and total of every order. */
function Preview({ preview, pair }: { readonly preview: LadderPreview; readonly pair: TicketPair }) {
  const t = useWords('ladder');
  const trade = useWords('trade');
  if (preview.rungs.length === 0) return <p className={css.empty}>{t('previewEmpty')}</p>;
  return (
    <div className={css.preview} tabIndex={0} role="group" aria-label={t('preview')}>
      <DataTable
        dense
        caption={t('preview')}
        rows={preview.rungs}
        rowKey={({ price }) => price.toString()}
        columns={[
          {
            key: 'price',
            title: trade('price'),
            cell: ({ price }) => <Price value={price.toString()} digits={pair.priceDigits} />,
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
            cell: ({ price, amount }) => (
              <Amount value={price.timesExact(amount).toString()} kind="sum" figureCoin={pair.quote} />
            ),
          },
        ]}
      />
    </div>
  );
}
