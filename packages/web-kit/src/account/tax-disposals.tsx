import type { TaxMethod } from '@exchange/core/tax.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListEnd } from '../api/list-state.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import { Figure, SubAccount, Worth } from './tax-figure.tsx';
import { recordPath } from './tax-records.ts';
import css from './tax.module.css';
import { useTaxDisposals, useTaxLots, type TaxDisposal } from './tax.ts';

/**
 * Lists the disposals of a tax year with their results. With the method `fifo`, each can show the lots from which the
 * sold coins came.
 */
export function TaxDisposals({ year, method }: { readonly year: number; readonly method: TaxMethod }) {
  const t = useWords('tax');
  const disposals = useTaxDisposals(year, method);
  return (
    <ListBody
      look="cards"
      isLoading={disposals.isLoading}
      error={disposals.error}
      onRetry={() => void disposals.reload()}
      isEmpty={disposals.rows.length === 0}
      empty={t('noDisposals')}
    >
      <ul className={css.cards}>
        {disposals.rows.map((disposal) => (
          <DisposalCard key={disposal.id} disposal={disposal} hasLots={method === 'fifo'} />
        ))}
      </ul>
      <ListEnd list={disposals} />
    </ListBody>
  );
}

interface DisposalCardProps {
  readonly disposal: TaxDisposal;
  readonly hasLots: boolean;
}

function DisposalCard({ disposal, hasLots }: DisposalCardProps) {
  const t = useWords('tax');
  const [isOpen, setOpen] = useState(false);
  const { currency, source } = disposal;
  return (
    <li className={css.card}>
      <div className={css.cardHead}>
        <b>
          <Amount value={disposal.amount} coin={currency} />
        </b>
        <span className={css.headFigure}>
          {t('gain')} <Worth value={disposal.gain} signed />
        </span>
      </div>
      <p className={css.note}>
        {t(`source_${source}`)} · <SubAccount name={disposal.subAccount} />
        <When at={disposal.time} /> · <Link to={recordPath(disposal.id)}>{t('record')}</Link>
      </p>
      <dl className={css.pair}>
        <Figure name={t('proceeds')}>
          <Worth value={disposal.proceeds} />
        </Figure>
        <Figure name={t('cost')}>
          <Worth value={disposal.costedAmount === '0' ? null : disposal.cost} />
        </Figure>
      </dl>
      {hasLots ? (
        <>
          <Button look="quiet" size="s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'hideLots' : 'showLots')}
          </Button>
          {isOpen ? <Lots id={disposal.id} currency={currency} /> : null}
        </>
      ) : null}
    </li>
  );
}

function Lots({ id, currency }: { readonly id: string; readonly currency: string }) {
  const t = useWords('tax');
  const lots = useTaxLots(id);
  return (
    <ListBody
      skeletonRows={2}
      isLoading={lots.isLoading}
      error={lots.error}
      onRetry={() => void lots.reload()}
    >
      <p className={css.note}>{t('lotsNote')}</p>
      <ul className={css.lots}>
        {lots.rows.map((lot) => (
          <li key={lot.id}>
            <dl className={css.pair}>
              <Figure name={t(`source_${lot.source}`)}>
                <Amount value={lot.amount} coin={currency} />
              </Figure>
              <Figure name={t('cost')}>
                <Worth value={lot.cost} />
              </Figure>
            </dl>
            <p className={css.note}>
              <SubAccount name={lot.subAccount} />
              <When at={lot.acquireTime} /> · {t('entryNumber', { number: lot.id.split('-')[0] ?? '' })} ·{' '}
              <Link to={recordPath(lot.id)}>{t('record')}</Link>
            </p>
          </li>
        ))}
      </ul>
      <ListEnd list={lots} />
    </ListBody>
  );
}
