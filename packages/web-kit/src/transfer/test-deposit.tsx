import { useState } from 'react';
import { typedAmount } from '../form/decimal-text.ts';
import { LabelledAmount } from '../form/labelled-amount.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/parts.tsx';
import type { Route } from './parts.tsx';
import { sendTest } from './queries.ts';
import css from './transfer.module.css';

const PLACES = 8;

/** Of a demo alone: has somebody on the pretended network send something to the own address. */
export function TestDeposit({ coin, network, least }: Route & { readonly least: string }) {
  const t = useWords('transfer');
  const shell = useWords('shell');
  const [amount, setAmount] = useState(least);
  const { submit, isBusy } = useKeyedSubmit({
    form: 'transfer test deposit',
    send: sendTest,
    onAnswered: () => notify.success(t('testSent')),
  });
  const send = () => {
    const typed = typedAmount(t('amount'), amount, PLACES);
    if (typed.ok)
      void submit(JSON.stringify([coin, network, amount]), () => ({ currency: coin, network, amount }));
    else notify.error(refusalText(typed.refusal));
  };
  return (
    <section className={css.demo} aria-label={t('testTitle')}>
      <h2>
        {t('testTitle')} <Badge tone="warning">{shell('demoShort')}</Badge>
      </h2>
      <p className={css.note}>{t('testText')}</p>
      <LabelledAmount label={t('amount')} coin={coin} value={amount} onChange={setAmount} places={PLACES} />
      <Button look="secondary" busy={isBusy} onClick={send}>
        {t('sendTest')}
      </Button>
    </section>
  );
}
