import { Decimal } from '@exchange/core/decimal.ts';
import { transferProblem } from '@exchange/core/seconds.ts';
import { useState } from 'react';
import { useBalance } from '../balance/balances.ts';
import { AmountField } from '../form/amount-field.tsx';
import { decimalProblem } from '../form/decimal-text.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { transfer, type TransferPayload } from './actions.ts';
import { useSecondsBalance } from './queries.ts';
import css from './seconds.module.css';

const PLACES = 8;

/** Form that transfers an amount between the coin account and the seconds account. */
export function TransferForm({ coin, onDone }: { readonly coin: string; readonly onDone: () => void }) {
  const t = useWords('seconds');
  const [type, setType] = useState<'1' | '2'>('1');
  const [amount, setAmount] = useState('');
  const spot = useBalance(coin)?.availableCurrency;
  const seconds = useSecondsBalance(coin)?.availableCurrency;
  const available = type === '1' ? spot : seconds;
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `seconds transfer ${coin}`,
    title: `${t('transfer')} ${coin}`,
    send: transfer,
    onAnswered: () => {
      setAmount('');
      notify.success('l.c_a_transferSuc');
      onDone();
    },
  });
  const problem =
    decimalProblem(t('amount'), amount, PLACES) ??
    transferProblem(Decimal.tryParse(amount), {
      asset: coin,
      digits: PLACES,
      available: available === undefined ? undefined : Decimal.parse(available),
    });
  const send = () => {
    if (problem === undefined) {
      const payload = (): TransferPayload => ({ amount, currency: coin, type });
      void submit(JSON.stringify([type, coin, amount]), payload);
    } else notify.error(problem.key === 'l.c_a_transferTip' ? problem.key : refusalText(problem));
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SegmentedControl<'1' | '2'>
        label={t('transferWay')}
        value={type}
        onChange={setType}
        options={[
          { value: '1', label: t('toSeconds') },
          { value: '2', label: t('toCoins') },
        ]}
      />
      <AmountField
        label={t('amount')}
        coin={coin}
        value={amount}
        onChange={setAmount}
        places={PLACES}
        available={available}
        error={amount === '' || problem === undefined ? undefined : refusalText(problem)}
      />
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" wide busy={isBusy}>
        {t('transfer')}
      </Button>
    </form>
  );
}
