import { submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { GroupedCode } from '../format/grouped-code.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { labelText, useWords } from '../i18n/words.ts';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { useIsSendingPaused, type TransferUser } from './parts.tsx';
import type { WithdrawalQuote } from './queries.ts';
import type { WithdrawControl } from './use-withdraw.ts';
import {
  asksRecipient,
  bookEntryOf,
  recipientOf,
  type WithdrawFields,
  type WithdrawContext,
} from './withdraw-model.ts';
import css from './withdraw.module.css';

const DIALOG_PX = 480;
const SECOND_MS = 1_000;
const PROOFS = ['assetsPwd', 'code'] as const;
const FIELDS = [
  'amount',
  'address',
  'memo',
  'remark',
  'recipientName',
  'recipientProvider',
] as const satisfies (keyof WithdrawFields)[];

interface ReviewProps {
  /**
   * The server's figures for the typed values. The user confirms only these figures; the page calculates none of them.
   */
  readonly quote: WithdrawalQuote;
  readonly control: WithdrawControl;
  readonly moment: WithdrawContext;
  readonly person: TransferUser;
  readonly look: OverlayLook;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/**
 * Review of a withdrawal, with the inputs for the step-up proofs. If the server refuses the withdrawal, the inputs are
 * unchanged.
 */
export function WithdrawReview(props: ReviewProps) {
  const { look, isOpen, onClose } = props;
  const t = useWords('transfer');
  const shell = useWords('shell');
  return (
    <Over
      look={look}
      isOpen={isOpen}
      onClose={onClose}
      title={t('reviewTitle')}
      closeLabel={shell('close')}
      width={DIALOG_PX}
    >
      <ReviewForm {...props} />
    </Over>
  );
}

function ReviewForm({ quote, control, moment, person, onClose }: ReviewProps) {
  const t = useWords('transfer');
  const { form } = control;
  const [refused, setRefused] = useGeneralRefusal();
  const refuse = (error: unknown): boolean => {
    if (form.refuse(error)) return true;
    if (!(error instanceof CallRefused) || error.field !== undefined) return false;
    setRefused(error);
    return true;
  };
  return (
    <ConfirmForm
      consequence={<Consequence quote={quote} control={control} moment={moment} refused={refused?.message} />}
      button={t('confirmWithdrawal')}
      stepUp={PROOFS}
      sendCode={control.sendCode}
      confirms={{ endpoint: submitWithdrawal, fields: control.destination() }}
      canSend={form.check}
      {...(person.demoPassword === undefined
        ? {}
        : { passwordHint: t('demoPassword', { password: person.demoPassword }) })}
      check={form.check}
      refuse={refuse}
      act={(proof) => {
        setRefused(undefined);
        return control.act(proof);
      }}
      onDone={done}
      back={{ label: t('back'), onPress: onClose }}
    />
  );
}

/**
 * State of a refusal that belongs to no field. It is shown until the user tries again, or until the number of seconds
 * after which the server allows another attempt has passed.
 */
function useGeneralRefusal() {
  const [refused, setRefused] = useState<CallRefused>();
  useEffect(() => {
    const seconds = Number(refused?.data['seconds'] ?? 0);
    if (!(seconds > 0)) return undefined;
    const timer = setTimeout(() => setRefused(undefined), seconds * SECOND_MS);
    return () => clearTimeout(timer);
  }, [refused]);
  return [refused, setRefused] as const;
}

/** Does nothing after the request: the parent component shows the status as soon as the withdrawal exists. */
const done = (): void => undefined;

interface ConsequenceProps extends Pick<ReviewProps, 'quote' | 'control' | 'moment'> {
  readonly refused: string | undefined;
}

function Consequence({ quote, control: { form, unanswered }, moment, refused }: ConsequenceProps) {
  const t = useWords('transfer');
  const { remark } = form.values;
  const { terms, book } = moment;
  const { currency: coin, memo } = quote;
  const label = bookEntryOf(form.values, book)?.remark;
  const errorText = refused === undefined ? undefined : labelText(refused);
  const wrong = [...FIELDS.map((field) => form.errorOf(field)), errorText].filter(
    (error) => error !== undefined,
  );
  return (
    <div className={css.review}>
      <p className={css.total}>
        <span>{t('arrival')}</span>
        <Amount value={quote.realAmount} coin={coin} />
      </p>
      <dl className={css.facts}>
        <div>
          <dt>{t('amount')}</dt>
          <dd>
            <Amount value={quote.amount} coin={coin} />
          </dd>
        </div>
        <div>
          <dt>{t('fee')}</dt>
          <dd>
            <Amount value={quote.fee} coin={coin} />
          </dd>
        </div>
        <div>
          <dt>{t('network')}</dt>
          <dd>{terms.network.name}</dd>
        </div>
        <div data-look="code">
          <dt>
            {t('address')}
            {label === undefined ? null : <b>{label}</b>}
          </dt>
          <dd>
            <GroupedCode text={quote.address} />
          </dd>
        </div>
        {memo === undefined ? null : (
          <div>
            <dt>{t('memo')}</dt>
            <dd>{memo}</dd>
          </div>
        )}
        <Times quote={quote} />
        <RecipientFacts form={form} moment={moment} />
        {remark === '' ? null : (
          <div>
            <dt>{t('note')}</dt>
            <dd>{remark}</dd>
          </div>
        )}
      </dl>
      <p className={css.final} role="note">
        <TriangleAlert size={16} aria-hidden="true" />
        {t('reviewWarning')}
      </p>
      {wrong.map((error) => (
        <p key={error} className={css.refused} role="alert">
          {error}
        </p>
      ))}
      <UnansweredNote unanswered={unanswered} />
    </div>
  );
}

/** The recipient that the user has stated; renders nothing if the value of the amount does not require one. */
function RecipientFacts({ form, moment }: Pick<WithdrawControl, 'form'> & Pick<ReviewProps, 'moment'>) {
  const t = useWords('transfer');
  if (!asksRecipient(form.values, moment)) return null;
  const { isOwn, name, provider } = recipientOf(form.values);
  return (
    <div>
      <dt>{t('recipientTitle')}</dt>
      <dd>
        {isOwn ? t('recipientOwn') : name}
        {provider.trim() === '' ? null : ` · ${provider}`}
      </dd>
    </div>
  );
}

/**
 * Times from which the withdrawal is sent, if known, and until which its completion is promised, except while sending
 * is paused; and a note if the operators will review the withdrawal.
 */
function Times({ quote }: Pick<ReviewProps, 'quote'>) {
  const t = useWords('transfer');
  const { currency, network, addressTime, promiseTime, reviewed } = quote;
  const isPaused = useIsSendingPaused({ coin: currency, network });
  return (
    <>
      {addressTime === undefined ? null : (
        <div>
          <dt>{t('leavesFrom')}</dt>
          <dd>
            <When at={addressTime} look="dated" />
          </dd>
        </div>
      )}
      {isPaused ? null : (
        <div>
          <dt>{t('promisedBy')}</dt>
          <dd>
            <When at={promiseTime} look="dated" />
          </dd>
        </div>
      )}
      {reviewed === 0 ? null : (
        <div>
          <dt>{t('check')}</dt>
          <dd>{t('reviewedByPerson')}</dd>
        </div>
      )}
    </>
  );
}
