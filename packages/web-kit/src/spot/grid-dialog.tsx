import { GRID_INVESTMENT_PLACES, GRID_SLIPPAGE_PLACES, GRID_SPACINGS } from '@exchange/core/spot-grid.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount, Percent, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useOwnRates } from '../market/fee-tiers.ts';
import { SegmentedControl } from '../ui/choice.tsx';
import {
  AlgoDialog,
  AlgoForm,
  OrderPreview,
  type AlgoDialogProps,
  type AlgoFieldsProps,
} from './algo-dialog.tsx';
import css from './algo.module.css';
import { GridComparison } from './grid-comparison.tsx';
import {
  AT_END,
  gridPayload,
  INITIAL_GRID,
  previewGrid,
  type GridForm,
  type GridPreview,
} from './grid-form.ts';
import { useStartGrid } from './grids.ts';
import type { TicketPair } from './ticket.ts';

/**
 * Dialog with the form of a trading grid, which buys and sells between fixed prices, and a preview of its orders, its
 * costs and its results if the price moves against it.
 */
export default function GridDialog({ pair, look, onClose }: AlgoDialogProps) {
  const t = useWords('grid');
  // The preview is calculated with the user's own fee rates instead of the pair's public ones: the profit of a purchase
  // at one price level and the sale at the next depends on them.
  const ownPair = useOwnRates(pair);
  return (
    <AlgoDialog
      pair={ownPair}
      look={look}
      onClose={onClose}
      title={t('title')}
      form={(moment) => <GridFields moment={moment} onDone={onClose} />}
    />
  );
}

/** The inputs of a trading grid, its preview, and the button that starts it. */
export function GridFields({ moment, onDone }: AlgoFieldsProps) {
  const t = useWords('grid');
  const { pair } = moment;
  const form = useForm(INITIAL_GRID, (values) => previewGrid(values, moment).problems);
  const { values } = form;
  const preview = previewGrid(values, moment);
  const { submit, isBusy, unanswered } = useStartGrid({ onDone, refuse: form.refuse });
  const number = (
    field: Exclude<keyof GridForm, 'spacing' | 'atEnd'>,
    places: number,
    unit: string | undefined,
    placeholder?: string,
  ) => (
    <DecimalField
      label={t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      placeholder={placeholder}
      error={form.errorOf(field)}
      isFirst={field === 'lowerPrice'}
    />
  );
  return (
    <AlgoForm
      moment={moment}
      side="buy"
      onSide={undefined}
      onSubmit={() => {
        if (form.check()) void submit(JSON.stringify(values), () => gridPayload(values, pair));
      }}
      isBusy={isBusy}
      unanswered={unanswered}
      facts={useFacts(preview, pair)}
      terms={t('terms')}
      submitLabel={t('place')}
    >
      <div className={css.two}>
        {number('lowerPrice', pair.priceDigits, pair.quote)}
        {number('upperPrice', pair.priceDigits, pair.quote)}
        {number('levels', 0, undefined)}
        {number('investment', GRID_INVESTMENT_PLACES, pair.quote)}
      </div>
      <SegmentedControl
        label={t('spacing')}
        value={values.spacing}
        onChange={(spacing) => form.set('spacing', spacing)}
        options={GRID_SPACINGS.map((value) => ({ value, label: t(value) }))}
      />
      {number('slippage', GRID_SLIPPAGE_PLACES, '%')}
      {number('stopLossPrice', pair.priceDigits, pair.quote, t('optional'))}
      {number('takeProfitPrice', pair.priceDigits, pair.quote, t('optional'))}
      <span className={css.note} aria-hidden="true">
        {t('atEnd')}
      </span>
      <SegmentedControl
        label={t('atEnd')}
        value={values.atEnd}
        onChange={(atEnd) => form.set('atEnd', atEnd)}
        options={AT_END.map((value) => ({ value, label: t(value) }))}
      />
      <p className={css.note}>{t('exitsHint')}</p>
      <Orders preview={preview} pair={pair} />
      <Outcomes preview={preview} pair={pair} />
    </AlgoForm>
  );
}

/**
 * Returns the labelled figures below the preview: the smallest and greatest profit of a purchase and the sale
 * one price level higher, in percent, and the amounts and costs at the start.
 */
function useFacts({ plan, steps }: GridPreview, pair: TicketPair) {
  const t = useWords('grid');
  const count = (side: 'buy' | 'sell') => plan?.orders.filter((order) => order.side === side).length ?? 0;
  return [
    {
      label: t('step'),
      value: (
        <>
          <Percent value={steps?.lowest.toString()} digits={3} /> –{' '}
          <Percent value={steps?.highest.toString()} digits={3} />
        </>
      ),
    },
    {
      label: t('amount'),
      value: <Amount value={plan?.amount.toString()} digits={pair.amountDigits} coin={pair.base} />,
    },
    {
      label: t('resting'),
      value: plan === undefined ? '–' : t('sides', { buys: count('buy'), sells: count('sell') }),
    },
    {
      label: t('purchase'),
      value: <Amount value={plan?.purchase.toString()} digits={pair.amountDigits} coin={pair.base} />,
    },
    {
      label: t('purchaseCost'),
      value: (
        <Amount value={plan?.worstPrice.timesExact(plan.purchase).toString()} kind="sum" coin={pair.quote} />
      ),
    },
    {
      label: t('invested'),
      value: <Amount value={plan?.invested.toString()} kind="sum" coin={pair.quote} />,
    },
  ];
}

interface PreviewPartProps {
  readonly preview: GridPreview;
  readonly pair: TicketPair;
}

/** Table of the resting orders of a grid at its start, from the highest price to the lowest. */
function Orders({ preview: { plan }, pair }: PreviewPartProps) {
  const t = useWords('grid');
  const trade = useWords('trade');
  return (
    <OrderPreview
      label={t('preview')}
      empty={t('previewEmpty')}
      rows={plan?.orders.toReversed() ?? []}
      rowKey={({ level }) => String(level)}
      columns={[
        {
          key: 'side',
          title: trade('side'),
          cell: ({ side }) => <span data-side={side}>{trade(side)}</span>,
        },
        {
          key: 'price',
          title: trade('price'),
          align: 'end',
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
  );
}

/**
 * The results of a grid if the price goes straight to a bound of its range, to half of the lower bound or to
 * an exit price, beside those of holding what the grid holds at its start and of buying the coin for the
 * whole investment. Renders nothing without outcomes.
 */
function Outcomes({ preview: { outcomes }, pair }: PreviewPartProps) {
  const t = useWords('grid');
  if (outcomes.length === 0) return null;
  return (
    <section className={css.results} aria-label={t('outcomes')}>
      <b>
        {t('outcomes')} ({pair.quote})
      </b>
      {outcomes.map(({ case: name, price, grid, holding, allIn }) => (
        <div key={name}>
          <p>
            {t(`case_${name}`)} · <Price value={price.toString()} digits={pair.priceDigits} />
          </p>
          <GridComparison
            quote={pair.quote}
            columns={[
              { label: t('grid'), result: grid },
              { label: t('holding'), result: holding },
              { label: t('allIn', { coin: pair.base }), result: allIn },
            ]}
          />
        </div>
      ))}
      <p className={css.note}>{t('outcomesNote', { coin: pair.base })}</p>
    </section>
  );
}
