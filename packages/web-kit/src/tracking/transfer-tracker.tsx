import { SUPPORT_TEXT_MAX } from '@exchange/core/support.ts';
import { refusal } from '@exchange/core/refusal.ts';
import type { TransferStage } from '@exchange/core/tracking.ts';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CoinIcon } from '../format/coin-icon.tsx';
import { ShortCode } from '../form/copy-button.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { askAbout, useTrackedTransfers, type TrackedRow } from './queries.ts';
import css from './tracking.module.css';

/** Name of the URL parameter that contains the search text. */
const QUERY = 'q';
const QUERY_MAX = 120;

interface Ways {
  /** Path of the page with the user's requests to customer service. */
  readonly contact: string;
  readonly deposit: string;
}

/**
 * Finds the user's deposits and withdrawals by amount, transaction ID or record ID; without a search text it shows
 * those that have not ended. Shows the stage of each and who has to act next, and lets the user send customer service a
 * request about a transfer. The URL contains the search text.
 */
export function TransferTracker({ ways }: { readonly ways: Ways }) {
  const t = useWords('tracking');
  const [parameters, setParameters] = useSearchParams();
  const query = (parameters.get(QUERY) ?? '').trim().slice(0, QUERY_MAX);
  const [typed, setTyped] = useState(query);
  const transfers = useTrackedTransfers(query);
  const rows = transfers.data ?? [];
  return (
    <div className={css.tracker}>
      <p className={css.text}>{t('text')}</p>
      <form
        className={css.search}
        role="search"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const next = typed.trim();
          setParameters(next === '' ? {} : { [QUERY]: next }, { replace: true });
        }}
      >
        <TextField
          label={t('search')}
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={QUERY_MAX}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit">{t('find')}</Button>
      </form>
      <section aria-live="polite">
        <h2>{t(query === '' ? 'openTitle' : 'foundTitle')}</h2>
        <ListBody
          isLoading={transfers.isPending}
          error={transfers.error}
          onRetry={() => void transfers.refetch()}
          isEmpty={rows.length === 0 && query === ''}
          empty={t('noneOpen')}
        >
          {rows.length === 0 ? (
            <NothingFound ways={ways} />
          ) : (
            rows.map((row) => <Transfer key={row.id} row={row} contactPath={ways.contact} />)
          )}
        </ListBody>
      </section>
    </div>
  );
}

/** Advice that is shown when a search for a transfer finds nothing. */
function NothingFound({ ways }: { readonly ways: Ways }) {
  const t = useWords('tracking');
  return (
    <div className={css.nothing}>
      <b>{t('noneTitle')}</b>
      <ul>
        <li>{t('noneWait')}</li>
        <li>{t('noneCheck')}</li>
        <li>{t('noneExplorer')}</li>
        <li>{t('noneAsk')}</li>
      </ul>
      <div className={css.links}>
        <Link to={ways.deposit}>{t('depositHelp')}</Link>
        <Link to={ways.contact}>{t('contact')}</Link>
      </div>
    </div>
  );
}

const TONES: Readonly<Record<TransferStage, Tone>> = {
  confirming: 'accent',
  crediting: 'accent',
  paused: 'warning',
  belowMinimum: 'warning',
  gone: 'bad',
  reviewing: 'warning',
  addressWait: 'warning',
  sending: 'accent',
  sendingPaused: 'warning',
  refused: 'warning',
  byHand: 'accent',
  returning: 'warning',
  completed: 'good',
  rejected: 'bad',
  failed: 'bad',
  cancelled: 'neutral',
  returned: 'neutral',
};

/** Stages in which a transfer has ended; the tracker shows no explanation for them. */
type EndStage = 'completed' | 'rejected' | 'failed' | 'cancelled' | 'returned';
const ENDS: ReadonlySet<TransferStage> = new Set<EndStage>([
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'returned',
]);

function isEnd(stage: TransferStage): stage is EndStage {
  return ENDS.has(stage);
}

function Transfer({ row, contactPath }: { readonly row: TrackedRow; readonly contactPath: string }) {
  const t = useWords('tracking');
  const { stage } = row;
  return (
    <article className={css.transfer}>
      <header>
        <CoinIcon coin={row.currency} size={24} />
        <b>
          <Amount value={row.amount} coin={row.currency} />
        </b>
        <span className={css.kind}>
          {t(`kind.${row.kind}`)} · {row.network}
        </span>
        <Badge tone={TONES[stage]}>{t(`stage.${stage}`)}</Badge>
      </header>
      {isEnd(stage) ? null : (
        <p className={css.text}>
          {/* A payment without any confirmation is in no block yet, for example because its fee is too low,
              so it has an explanation of its own. */}
          {stage === 'confirming' && row.confirm === 0
            ? t('about.unmined')
            : t(`about.${stage}`, { least: row.minAmount ?? '', coin: row.currency })}
        </p>
      )}
      {row.late === 1 ? <p className={css.late}>{t('late')}</p> : null}
      <Facts row={row} />
      <Ticket row={row} contactPath={contactPath} />
    </article>
  );
}

function Facts({ row }: { readonly row: TrackedRow }) {
  const t = useWords('tracking');
  return (
    <dl className={css.facts}>
      {row.handler === undefined ? null : <Fact name={t('waitsFor')}>{t(`handler.${row.handler}`)}</Fact>}
      {row.stage === 'confirming' ? (
        <Fact name={t('confirmations')}>{t('confirmed', { done: row.confirm, all: row.needConfirm })}</Fact>
      ) : null}
      {row.promiseTime === undefined ? null : (
        <Fact name={t(row.kind === 'deposit' ? 'expected' : 'promised')}>
          <When at={row.promiseTime} look="dated" />
        </Fact>
      )}
      <Fact name={t('started')}>
        <When at={row.createTime} look="dated" />
      </Fact>
      {row.finishTime === undefined ? null : (
        <Fact name={t('finished')}>
          <When at={row.finishTime} look="dated" />
        </Fact>
      )}
      {row.txid === undefined ? null : (
        <Fact name={t('txid')}>
          <ShortCode text={row.txid} copyLabel={t('copyTxid')} explorer={row.explorer} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * The latest request to customer service about a transfer; if no request is waiting for a reply, also a button that
 * opens a form for a new one.
 */
function Ticket({ row, contactPath }: { readonly row: TrackedRow; readonly contactPath: string }) {
  const t = useWords('tracking');
  const [isAsking, setAsking] = useState(false);
  const { ticket } = row;
  return (
    <>
      <div className={css.links}>
        {ticket === undefined ? null : (
          <Link to={contactPath}>
            {t('ticket', { number: String(ticket.number) })} · {t(`ticket${ticket.status}`)}
          </Link>
        )}
        {ticket?.status === 1 ? null : (
          <Button look="secondary" size="s" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
            {t(isAsking ? 'askClose' : 'ask')}
          </Button>
        )}
      </div>
      {isAsking && ticket?.status !== 1 ? <AskForm row={row} onAsked={() => setAsking(false)} /> : null}
    </>
  );
}

const EMPTY = { content: '' };

function AskForm({ row, onAsked }: { readonly row: TrackedRow; readonly onAsked: () => void }) {
  const t = useWords('tracking');
  const name = `ask ${row.id}`;
  const form = useForm(
    EMPTY,
    ({ content }) =>
      content.trim() === ''
        ? { content: refusal('invalidField', 'l.field_required', { field: 'content' }) }
        : {},
    { name, fields: ['content'] },
  );
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: name,
    title: t('ask'),
    send: askAbout,
    onAnswered: (number) => {
      notify.success(t('asked', { number: String(number) }));
      form.reset(EMPTY);
      onAsked();
    },
    refuse: form.refuse,
  });
  return (
    <form
      className={css.ask}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.check()) return;
        const payload = {
          transferKind: row.kind,
          id: row.id,
          content: form.values.content,
        };
        void submit(JSON.stringify(payload), () => payload);
      }}
    >
      <TextArea
        label={t('askLabel')}
        rows={3}
        maxLength={SUPPORT_TEXT_MAX}
        value={form.values.content}
        onChange={(value) => form.set('content', value)}
        error={form.errorOf('content')}
      />
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" size="s" busy={isBusy}>
        {t('askSend')}
      </Button>
    </form>
  );
}
