import { normaliseEmail } from '@exchange/core/email.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { SUPPORT_TEXT_MAX, SUPPORT_TOPICS, type SupportTopic } from '@exchange/core/support.ts';
import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import type { Draft } from '../form/drafts.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useSession } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { Badge } from '../ui/parts.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { notify } from '../notify.ts';
import { sendQuestion, sendReply, useSupportRequests, useSupportThread, type SupportRow } from './queries.ts';
import css from './support.module.css';

const WORD = {
  account: 'topicAccount',
  verification: 'topicVerification',
  deposit: 'topicDeposit',
  withdrawal: 'topicWithdrawal',
  trading: 'topicTrading',
  products: 'topicProducts',
  other: 'topicOther',
} as const satisfies Record<SupportTopic, string>;
/** The form shows the number of remaining characters when it is below this number. */
const COUNTDOWN_BELOW = 200;
const EMPTY = { topic: 'account' as SupportTopic, content: '', email: '' };
type Form = typeof EMPTY;
const DRAFT: Draft<Form> = {
  name: 'support',
  fields: ['topic', 'content', 'email'],
};

/** Contact form and, for signed-in users, their previous requests; another user gets a new form. */
export function Contact() {
  const t = useWords('help');
  const owner = useSession(({ session }) => session?.userId);
  return (
    <div className={css.contact}>
      <section>
        <h2>{t('contactTitle')}</h2>
        <p className={css.text}>{t('contactText')}</p>
        <ContactForm key={owner ?? 'visitor'} />
      </section>
      {owner === undefined ? null : (
        <section>
          <h2>{t('requests')}</h2>
          <Requests />
        </section>
      )}
    </div>
  );
}

/** The contact form, without the list of previous requests. */
export function ContactForm() {
  const t = useWords('help');
  const isVisitor = useSession(({ session }) => session === null);
  /**
   * The email address to which customer service will reply; undefined until the request was sent, empty if the reply
   * goes to the account's address.
   */
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm(
    EMPTY,
    ({ content, email }): Partial<Record<keyof Form, Refusal>> => {
      const isWrong = isVisitor && normaliseEmail(email) === undefined;
      return {
        ...(content.trim() === '' && {
          content: refusal('invalidField', 'l.field_required', { field: 'content' }),
        }),
        ...(isWrong && { email: refusal('invalidField', 'l.email_invalid', { field: 'email' }) }),
      };
    },
    DRAFT,
  );
  const { topic, content, email } = form.values;
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'support',
    title: t('contactTitle'),
    send: sendQuestion,
    onAnswered: () => {
      setSentTo(isVisitor ? email : '');
      form.reset(EMPTY);
    },
    refuse: form.refuse,
  });
  if (sentTo !== undefined)
    return (
      <div className={css.sent} role="status">
        <b>{t('sentTitle')}</b>
        <p>{sentTo === '' ? t('sentToAccount') : t('sentText', { email: sentTo })}</p>
        <Button look="secondary" size="s" onClick={() => setSentTo(undefined)}>
          {t('another')}
        </Button>
      </div>
    );
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.check()) return;
        const payload = { topic, content, ...(isVisitor && { email }) };
        void submit(JSON.stringify(payload), () => payload);
      }}
    >
      <Fields form={form} isVisitor={isVisitor} />
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" busy={isBusy}>
        {t('send')}
      </Button>
    </form>
  );
}

function Fields({ form, isVisitor }: { readonly form: FormState<Form>; readonly isVisitor: boolean }) {
  const t = useWords('help');
  const { topic, content, email } = form.values;
  const charactersLeft = SUPPORT_TEXT_MAX - content.length;
  return (
    <>
      <label className={css.topic}>
        {t('topic')}
        <Select
          label={t('topic')}
          value={topic}
          onChange={(value) => form.set('topic', value)}
          options={SUPPORT_TOPICS.map((value) => ({ value, label: t(WORD[value]) }))}
        />
      </label>
      {isVisitor ? (
        <TextField
          label={t('email')}
          type="email"
          autoComplete="email"
          maxLength={254}
          value={email}
          onChange={(value) => form.set('email', value)}
          onBlur={() => form.leave('email')}
          error={form.errorOf('email')}
        />
      ) : null}
      <TextArea
        label={t('message')}
        maxLength={SUPPORT_TEXT_MAX}
        value={content}
        onChange={(value) => form.set('content', value)}
        error={form.errorOf('content')}
        {...(charactersLeft <= COUNTDOWN_BELOW && { hint: t('left', { count: charactersLeft }) })}
      />
    </>
  );
}

function Requests() {
  const t = useWords('help');
  const requests = useSupportRequests();
  return (
    <ListBody
      isLoading={requests.isLoading}
      error={requests.error}
      onRetry={() => void requests.reload()}
      isEmpty={requests.rows.length === 0}
      empty={t('noRequests')}
    >
      {requests.rows.map((row) => (
        <Request key={row.id} row={row} />
      ))}
      <ListEnd list={requests} />
    </ListBody>
  );
}

const STATUS = {
  1: { word: 'waiting', tone: 'warning' },
  2: { word: 'answered', tone: 'good' },
  3: { word: 'closed', tone: 'neutral' },
} as const;

function Request({ row }: { readonly row: SupportRow }) {
  const t = useWords('help');
  const { word, tone } = STATUS[row.status];
  const [isOpen, setOpen] = useState(false);
  return (
    <article className={css.request}>
      <header>
        <b>{t(WORD[row.topic])}</b>
        <span className={css.number}>{t('number', { number: String(row.number) })}</span>
        <Badge tone={tone}>{t(word)}</Badge>
        <When at={row.createTime} />
      </header>
      {isOpen ? (
        <Conversation id={row.id} />
      ) : (
        <>
          <p>{row.content}</p>
          {row.answer === undefined ? null : (
            <blockquote>
              <small>{t('answer')}</small>
              <p>{row.answer}</p>
            </blockquote>
          )}
        </>
      )}
      <Button look="quiet" size="s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t('hideConversation') : t('conversation', { count: row.messages })}
      </Button>
    </article>
  );
}

/** All messages of a request to customer service, with a form to reply if the request allows it. */
function Conversation({ id }: { readonly id: string }) {
  const t = useWords('help');
  const thread = useSupportThread(id);
  const { data } = thread;
  return (
    <ListBody isLoading={thread.isPending} error={thread.error} onRetry={() => void thread.refetch()}>
      <ol className={css.thread}>
        {(data?.list ?? []).map((message) => (
          <li key={message.place} data-own={message.isOwn === 1 || undefined}>
            <small>
              {t(message.isOwn === 1 ? 'fromYou' : 'fromSupport')} · <When at={message.createTime} />
            </small>
            <p>{message.content}</p>
          </li>
        ))}
      </ol>
      {data === undefined ? null : data.canReply === 1 ? <ReplyForm id={id} /> : <p>{t('replyClosed')}</p>}
    </ListBody>
  );
}

const EMPTY_REPLY = { content: '' };

function ReplyForm({ id }: { readonly id: string }) {
  const t = useWords('help');
  const name = `reply ${id}`;
  const form = useForm(
    EMPTY_REPLY,
    ({ content }) =>
      content.trim() === ''
        ? { content: refusal('invalidField', 'l.field_required', { field: 'content' }) }
        : {},
    { name, fields: ['content'] },
  );
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: name,
    title: t('reply'),
    send: sendReply,
    onAnswered: () => {
      notify.success(t('replySent'));
      form.reset(EMPTY_REPLY);
    },
    refuse: form.refuse,
  });
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.check()) return;
        const payload = { id, content: form.values.content };
        void submit(JSON.stringify(payload), () => payload);
      }}
    >
      <TextArea
        label={t('replyLabel')}
        rows={3}
        maxLength={SUPPORT_TEXT_MAX}
        value={form.values.content}
        onChange={(value) => form.set('content', value)}
        error={form.errorOf('content')}
      />
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" size="s" busy={isBusy}>
        {t('reply')}
      </Button>
    </form>
  );
}
