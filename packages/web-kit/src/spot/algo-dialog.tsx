import type { Side } from '@exchange/core/pair.ts';
import type { FormEvent, ReactNode } from 'react';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import type { Unanswered } from '../form/use-keyed-submit.ts';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import type { MarketPair } from '../market/pair.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import css from './algo.module.css';
import type { TicketMarket } from './ticket.ts';
import { useTicketMarket } from './use-ticket.ts';

export interface AlgoDialogProps {
  readonly pair: MarketPair;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

interface FrameProps extends AlgoDialogProps {
  readonly title: string;
  /** Renders the form with the current prices and balances. */
  readonly form: (moment: TicketMarket) => ReactNode;
}

/** Dialog or sheet with the form of an algo order. */
export function AlgoDialog({ pair, look, onClose, title, form }: FrameProps) {
  const shell = useWords('shell');
  const moment = useTicketMarket(pair);
  return (
    <Over
      isOpen
      look={look}
      width={520}
      onClose={onClose}
      title={`${title} · ${pair.base}/${pair.quote}`}
      closeLabel={shell('close')}
    >
      {form(moment)}
    </Over>
  );
}

/** Properties that the forms of all kinds of algo orders have. */
export interface AlgoFieldsProps {
  readonly moment: TicketMarket;
  /** Called when the algo order has been placed. */
  readonly onDone: () => void;
}

interface AlgoFormProps {
  readonly moment: TicketMarket;
  readonly side: Side;
  /** Called when the user chooses a side; undefined for an algo order that both buys and sells. */
  readonly onSide: ((side: Side) => void) | undefined;
  /** Called when the user presses the submit button; not called while a request is running. */
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  readonly unanswered: Unanswered | undefined;
  /** The inputs shown below the choice of the side, and the preview. */
  readonly children: ReactNode;
  /** Figures shown below the preview, before the available balance. */
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[];
  /** Text that describes to the user what the algo order does. */
  readonly terms: string;
  readonly submitLabel: string;
}

/** The form of an algo order: side, inputs, preview, figures, description and submit button. */
export function AlgoForm({ moment, side, isBusy, ...props }: AlgoFormProps) {
  const trade = useWords('trade');
  const { pair } = moment;
  const isBuy = side === 'buy';
  const available = isBuy ? moment.quoteAvailable : moment.baseAvailable;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) props.onSubmit();
  };
  return (
    <form className={css.form} onSubmit={send} noValidate>
      {props.onSide === undefined ? null : (
        <SegmentedControl
          label={trade('side')}
          look="sides"
          value={side}
          onChange={props.onSide}
          options={[
            { value: 'buy', label: trade('buy') },
            { value: 'sell', label: trade('sell') },
          ]}
        />
      )}
      {props.children}
      <dl className={css.facts}>
        {props.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{trade('available')}</dt>
          <dd>
            <Amount value={available?.toString()} kind="sum" coin={isBuy ? pair.quote : pair.base} />
          </dd>
        </div>
      </dl>
      <p className={css.note}>{props.terms}</p>
      <UnansweredNote unanswered={props.unanswered} />
      <Button type="submit" look={side} size="l" wide busy={isBusy} disabled={pair.status !== 'open'}>
        {props.submitLabel}
      </Button>
    </form>
  );
}

interface OrderPreviewProps<Row> {
  readonly label: string;
  /** Text shown while the preview has no orders. */
  readonly empty: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

/** Table of the orders that an algo order will place; without orders, the text `empty` instead. */
export function OrderPreview<Row>({ label, empty, rows, rowKey, columns }: OrderPreviewProps<Row>) {
  if (rows.length === 0) return <p className={css.empty}>{empty}</p>;
  return (
    <div className={css.preview} tabIndex={0} role="group" aria-label={label}>
      <DataTable dense caption={label} rows={rows} rowKey={rowKey} columns={columns} />
    </div>
  );
}
