import { TWAP_BOUND_PLACES } from '@exchange/core/spot-twap.ts';
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
import css from './algo.module.css';
import type { TicketMarket, TicketPair } from './ticket.ts';
import { INITIAL_TWAP, previewTwap, twapPayload, type TwapPreview } from './twap-form.ts';
import { useStartTwap } from './twaps.ts';
import { useTicketMarket } from './use-ticket.ts';

interface TwapDialogProps {
  readonly pair: MarketPair;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Form of a TWAP order with a preview of its children. */
export default function TwapDialog({ pair, look, onClose }: TwapDialogProps) {
  const t = useWords('algo');
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
      <TwapFields moment={moment} onDone={onClose} />
    </Over>
  );
}

interface TwapFieldsProps {
  readonly moment: TicketMarket;
  /** Called when the TWAP order has been started. */
  readonly onDone: () => void;
}

/** The fields of a TWAP order, its children, and the button that starts it. */
export function TwapFields({ moment, onDone }: TwapFieldsProps) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const { pair } = moment;
  const form = useForm(INITIAL_TWAP, (values) => previewTwap(values, moment).problems);
  const { values } = form;
  const preview = previewTwap(values, moment);
  const { submit, isBusy, unanswered } = useStartTwap({ onDone, refuse: form.refuse });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && !isBusy) void submit(JSON.stringify(values), () => twapPayload(values, pair));
  };
  const number = (
    field: 'amount' | 'minutes' | 'count' | 'slippage' | 'limitPrice',
    places: number,
    unit: string | undefined,
  ) => (
    <DecimalField
      label={t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      placeholder={field === 'limitPrice' ? t('noLimit') : undefined}
      error={form.errorOf(field)}
      isFirst={field === 'amount'}
    />
  );
  const isBuy = values.side === 'buy';
  const available = isBuy ? moment.quoteAvailable : moment.baseAvailable;
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
      {number('amount', pair.amountDigits, pair.base)}
      <div className={css.two}>
        {number('minutes', 0, t('minutesUnit'))}
        {number('count', 0, undefined)}
      </div>
      {number('slippage', TWAP_BOUND_PLACES, '%')}
      {number('limitPrice', pair.priceDigits, pair.quote)}
      <Children preview={preview} pair={pair} />
      <dl className={css.facts}>
        <dt>{t('worst')}</dt>
        <dd>
          <Price value={preview.worst?.toString()} digits={pair.priceDigits} />
        </dd>
        <dt>{t('smallest')}</dt>
        <dd>
          <Amount value={preview.smallest?.toString()} digits={pair.amountDigits} coin={pair.base} />
        </dd>
        <dt>{t('funds')}</dt>
        <dd>
          <Amount value={preview.funds?.amount.toString()} kind="sum" coin={preview.funds?.asset} />
        </dd>
        <dt>{trade('available')}</dt>
        <dd>
          <Amount value={available?.toString()} kind="sum" coin={isBuy ? pair.quote : pair.base} />
        </dd>
      </dl>
      <p className={css.note}>{t('terms')}</p>
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" look={values.side} size="l" wide busy={isBusy} disabled={pair.status !== 'open'}>
        {t('start')}
      </Button>
    </form>
  );
}

/** Time after the start, amount and total at the worst price of every child. */
function Children({ preview, pair }: { readonly preview: TwapPreview; readonly pair: TicketPair }) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const { children, worst } = preview;
  if (children.length === 0 || worst === undefined) return <p className={css.empty}>{t('previewEmpty')}</p>;
  return (
    <div className={css.preview} tabIndex={0} role="group" aria-label={t('preview')}>
      <DataTable
        dense
        caption={t('preview')}
        rows={children}
        rowKey={({ afterMs }) => String(afterMs)}
        columns={[
          {
            key: 'after',
            title: t('after'),
            cell: ({ afterMs }) => (afterMs === 0 ? t('now') : afterText(afterMs)),
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
            cell: ({ amount }) => (
              <Amount value={worst.timesExact(amount).toString()} kind="sum" figureCoin={pair.quote} />
            ),
          },
        ]}
      />
    </div>
  );
}

/** A time after the start as hours, minutes and seconds. */
function afterText(afterMs: number): string {
  const seconds = Math.round(afterMs / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
