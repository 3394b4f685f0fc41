import { Decimal } from '@exchange/core/decimal.ts';
import { refusal } from '@exchange/core/refusal.ts';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { ListEnd } from '../api/list-state.tsx';
import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { localInputOf, timeOfLocalInput } from '../format/local-input.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Figure, SubAccount, Worth } from './tax-figure.tsx';
import { recordPath } from './tax-records.ts';
import css from './tax.module.css';
import { useTaxArrivals, useTaxCost, type TaxArrival } from './tax.ts';

const COST_PLACES = 8;

/**
 * Lists the coins that were transferred to the user and whose cost the exchange does not know, newest first, with the
 * costs that the user has entered for them.
 */
export function TaxArrivals({ look }: { readonly look: OverlayLook }) {
  const t = useWords('tax');
  const tShell = useWords('shell');
  const arrivals = useTaxArrivals();
  const [edited, setEdited] = useState<TaxArrival>();
  const close = () => setEdited(undefined);
  return (
    <>
      <p className={css.note}>{t('arrivalsNote')}</p>
      <ListBody
        look="cards"
        isLoading={arrivals.isLoading}
        error={arrivals.error}
        onRetry={() => void arrivals.reload()}
        isEmpty={arrivals.rows.length === 0}
        empty={t('noArrivals')}
      >
        <ul className={css.cards}>
          {arrivals.rows.map((arrival) => (
            <ArrivalCard key={arrival.id} arrival={arrival} onEdit={() => setEdited(arrival)} />
          ))}
        </ul>
        <ListEnd list={arrivals} />
      </ListBody>
      <Over
        look={look}
        isOpen={edited !== undefined}
        onClose={close}
        title={t('enterCost')}
        closeLabel={tShell('close')}
      >
        {edited === undefined ? null : <CostForm arrival={edited} onDone={close} />}
      </Over>
    </>
  );
}

interface ArrivalCardProps {
  readonly arrival: TaxArrival;
  readonly onEdit: () => void;
}

function ArrivalCard({ arrival, onEdit }: ArrivalCardProps) {
  const t = useWords('tax');
  return (
    <li className={css.card}>
      <div className={css.cardHead}>
        <b>
          <Amount value={arrival.amount} coin={arrival.currency} />
        </b>
        <span className={css.headFigure}>
          {t('cost')} <Worth value={arrival.cost} />
        </span>
      </div>
      <p className={css.note}>
        {t(`source_${arrival.source}`)} · <SubAccount name={arrival.subAccount} />
        <When at={arrival.time} /> · <Link to={recordPath(arrival.id)}>{t('record')}</Link>
      </p>
      <Button look="secondary" size="s" onClick={onEdit}>
        {t(arrival.cost === null ? 'enterCost' : 'editCost')}
      </Button>
    </li>
  );
}

interface CostFormProps {
  readonly arrival: TaxArrival;
  readonly onDone: () => void;
}

/**
 * Form in which the user enters the cost of coins that were transferred to the user, and the time at which the user had
 * acquired them.
 */
function CostForm({ arrival, onDone }: CostFormProps) {
  const t = useWords('tax');
  const change = useTaxCost();
  const form = useForm(
    {
      cost: arrival.cost ?? '',
      acquireTime: localInputOf(arrival.acquireTime ?? arrival.time),
    },
    problemsOf,
  );
  const send = (fields: { readonly cost?: string; readonly acquireTime?: number }) => {
    if (change.isPending) return;
    change.mutate(
      { id: arrival.id, ...fields },
      {
        onSuccess: () => {
          notify.success(t('saved'));
          onDone();
        },
        onError: (error) => {
          if (!form.refuse(error)) notify.failure(error);
        },
      },
    );
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!form.check()) return;
    const { cost, acquireTime } = form.values;
    const time = timeOfLocalInput(acquireTime) ?? 0;
    // The time field holds only whole minutes. If the user has not changed the minute, the exact time at which the
    // coins arrived is sent instead of the beginning of the minute.
    const isArrival = acquireTime === localInputOf(arrival.time);
    send({ cost, acquireTime: isArrival ? arrival.time : time });
  };
  return (
    <form className={css.form} onSubmit={save} noValidate>
      <dl className={css.pair}>
        <Figure name={t(`source_${arrival.source}`)}>
          <Amount value={arrival.amount} coin={arrival.currency} />
        </Figure>
        <Figure name={t('arrived')}>
          <When at={arrival.time} />
        </Figure>
      </dl>
      <DecimalField
        label={t('totalCost')}
        value={form.values.cost}
        onChange={(next) => form.set('cost', next)}
        places={COST_PLACES}
        unit="USDT"
        error={form.errorOf('cost')}
        isFirst
      />
      <TextField
        type="datetime-local"
        label={t('acquireTime')}
        value={form.values.acquireTime}
        onChange={(next) => form.set('acquireTime', next)}
        max={localInputOf(arrival.time)}
        error={form.errorOf('acquireTime')}
      />
      <Button type="submit" size="l" wide busy={change.isPending}>
        {t('save')}
      </Button>
      {arrival.cost === null ? null : (
        <Button look="secondary" size="l" wide disabled={change.isPending} onClick={() => send({})}>
          {t('removeCost')}
        </Button>
      )}
    </form>
  );
}

function problemsOf({ cost, acquireTime }: { readonly cost: string; readonly acquireTime: string }) {
  const number = cost === '' ? undefined : Decimal.tryParse(cost);
  const costProblem =
    cost === ''
      ? refusal('invalidField', 'l.field_required', { field: 'cost' })
      : number === undefined || number.isNegative()
        ? refusal('invalidField', 'l.field_number', { field: 'cost', value: cost })
        : undefined;
  const timeProblem =
    timeOfLocalInput(acquireTime) === undefined
      ? refusal('invalidField', 'l.field_required', { field: 'acquireTime' })
      : undefined;
  return {
    ...(costProblem && { cost: costProblem }),
    ...(timeProblem && { acquireTime: timeProblem }),
  };
}
