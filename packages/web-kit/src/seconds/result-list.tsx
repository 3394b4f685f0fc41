import { PROOF_CHECKS } from '@exchange/core/seconds-proof.ts';
import { ChevronDown, ChevronUp, CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useRead } from '../api/query-client.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { DirectionMark, digitsOf, Profit, ResultBadge } from './positions.tsx';
import { verifySettlement } from './proof-view.tsx';
import { useSettlement, type SecondsOrder, type Settlement } from './queries.ts';
import { ResultChart } from './result-chart.tsx';
import { closeResult, useResults } from './results.ts';
import css from './results.module.css';

interface ResultListProps {
  /**
   * True while the screen of the seconds contract is open: a single result, or the list of several, is then expanded
   * from the start.
   */
  readonly isInPlace: boolean;
  /** Returns the path of the screen that shows a position's settlement record. */
  readonly proofPath: (id: string) => string;
  readonly className: string;
}

/**
 * Results of ended positions that the user has not dismissed: a single expandable item, or a list of them. On the
 * screen of the seconds contract, the single item or the list is expanded from the start. On all other screens it is
 * collapsed to one line until the user expands it, because it would cover the screen's content.
 */
export default function ResultList({ isInPlace, proofPath, className }: ResultListProps) {
  const t = useWords('seconds');
  const results = useResults();
  const [opened, setOpened] = useState<string>();
  const [isToggledOpen, setToggledOpen] = useState<boolean>();
  const listId = useId();
  if (results.length === 0) return null;
  const isListOpen = results.length === 1 || (isToggledOpen ?? isInPlace);
  const single = isInPlace && results.length === 1 ? results[0]!.id : undefined;
  return (
    <section className={`${css.results} ${className}`} aria-label={t('resultsTitle')}>
      <p className="visually-hidden" role="status">
        {t('resultsCount', { count: results.length })}
      </p>
      {results.length > 1 ? (
        <header className={css.head}>
          <h2>
            <button
              type="button"
              className={css.headToggle}
              aria-expanded={isListOpen}
              aria-controls={isListOpen ? listId : undefined}
              onClick={() => setToggledOpen(!isListOpen)}
            >
              {t('resultsCount', { count: results.length })}
              {isListOpen ? (
                <ChevronUp size={16} aria-hidden="true" />
              ) : (
                <ChevronDown size={16} aria-hidden="true" />
              )}
            </button>
          </h2>
          <Button look="quiet" size="s" onClick={() => closeResult()}>
            {t('resultsClose')}
          </Button>
        </header>
      ) : null}
      {isListOpen ? (
        <ul className={css.list} id={listId}>
          {results.map((order) => (
            <Result
              key={order.id}
              order={order}
              isOpen={order.id === (opened ?? single)}
              onToggle={() => setOpened(order.id === (opened ?? single) ? '' : order.id)}
              proofPath={proofPath}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface ResultProps {
  readonly order: SecondsOrder;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly proofPath: (id: string) => string;
}

function Result({ order, isOpen, onToggle, proofPath }: ResultProps) {
  const t = useWords('seconds');
  const details = useId();
  const pair = `${order.baseCoin}/${order.quoteCoin}`;
  return (
    <li className={css.result}>
      <div className={css.row}>
        <button
          type="button"
          className={css.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? details : undefined}
          onClick={onToggle}
        >
          <span className={css.name}>
            <b>{pair}</b> <DirectionMark order={order} />{' '}
            <small>{t('secondsShort', { count: order.holdTime })}</small>
          </span>
          <span className={css.outcome}>
            <ResultBadge order={order} /> <Profit order={order} />
          </span>
          {isOpen ? <ChevronUp size={16} aria-hidden="true" /> : <ChevronDown size={16} aria-hidden="true" />}
        </button>
        <button
          type="button"
          className={css.close}
          aria-label={t('resultClose', { pair })}
          onClick={() => closeResult(order.id)}
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {isOpen ? (
        <div id={details} className={css.details}>
          <Details order={order} proofPath={proofPath} />
        </div>
      ) : null}
    </li>
  );
}

function Details({ order, proofPath }: Pick<ResultProps, 'order' | 'proofPath'>) {
  const t = useWords('seconds');
  const { buyPrice, settlePrice, openAmount, fee, quoteCoin, resultReason } = order;
  const settlement = useSettlement(order.id);
  const rows = [
    ['entryPrice', <Price key="entry" value={buyPrice} digits={digitsOf(buyPrice)} />],
    ['settlePrice', <Price key="settle" value={settlePrice} digits={digitsOf(settlePrice)} />],
    ['stake', <Amount key="stake" value={openAmount} coin={quoteCoin} />],
    ['fee', <Amount key="fee" value={fee} coin={quoteCoin} />],
    ['resultPaid', <Amount key="paid" value={settlement.data?.credited} coin={quoteCoin} />],
  ] as const;
  return (
    <>
      {resultReason === undefined ? null : <p>{t(`reason.${resultReason as 'interval'}`)}</p>}
      <ResultChart order={order} />
      <dl className={css.facts}>
        {rows.map(([key, value]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <footer className={css.foot}>
        {settlement.data === undefined ? <span /> : <Verified settlement={settlement.data} />}
        <Link to={proofPath(order.id)}>{t('resultProof')}</Link>
      </footer>
    </>
  );
}

/** Verifies a position's result on this device from its public settlement record, and shows the outcome. */
function Verified({ settlement }: { readonly settlement: Settlement }) {
  const t = useWords('seconds');
  const checks = useRead({
    queryKey: ['seconds', 'checks', settlement.terms.id, settlement.settledAt, settlement.refund?.at],
    queryFn: () => verifySettlement(settlement),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (checks.data === undefined) return <span>{checks.error === null ? '' : t('resultUnchecked')}</span>;
  const results = checks.data;
  const holds = PROOF_CHECKS.every((check) => results[check]);
  return (
    <span className={holds ? css.verified : css.unverified}>
      {holds ? <CircleCheck size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
      {t(holds ? 'resultVerified' : 'resultFails')}
    </span>
  );
}
