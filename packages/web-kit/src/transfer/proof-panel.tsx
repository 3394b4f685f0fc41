import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { typedAmount } from '../form/decimal-text.ts';
import { LabelledAmount } from '../form/labelled-amount.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { UploadField } from '../form/upload-field.tsx';
import type { Draft } from '../form/drafts.ts';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useUpload } from '../form/use-upload.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { Route } from './parts.tsx';
import { report } from './queries.ts';
import css from './transfer.module.css';

const PLACES = 8;
const EMPTY = { amount: '', remark: '', proof: '' };
type Form = typeof EMPTY;
const DRAFT: Draft<Form> = {
  name: 'deposit-proof',
  fields: ['amount', 'remark'],
};

/**
 * Form with which the user reports a deposit, with a picture as proof; the deposit records show the status of the
 * report.
 */
export default function ProofPanel(route: Route) {
  const t = useWords('transfer');
  // Number of reports sent; when it changes, the form is mounted anew with empty fields and no picture.
  const [sentCount, setSentCount] = useState(0);
  return (
    <section className={css.proofs}>
      <h2>{t('proofTitle')}</h2>
      <ProofForm key={sentCount} {...route} onSent={() => setSentCount(sentCount + 1)} />
    </section>
  );
}

/**
 * Returns the validation errors of a deposit report by field; `picture` is the ID of the uploaded picture.
 */
function problemsOf(
  { amount, remark }: Form,
  picture: string | undefined,
): Partial<Record<keyof Form, Refusal>> {
  const typed = typedAmount('amount', amount, PLACES);
  return {
    ...(typed.ok ? {} : { amount: typed.refusal }),
    ...(remark.trim() === '' && {
      remark: refusal('invalidField', 'l.source_required', { field: 'remark' }),
    }),
    ...(picture === undefined && {
      proof: refusal('invalidField', 'l.proof_required', { field: 'proof' }),
    }),
  };
}

function ProofForm({ coin, network, onSent }: Route & { readonly onSent: () => void }) {
  const t = useWords('transfer');
  const upload = useUpload('proof');
  const picture = upload.state.status === 'done' ? upload.state.id : undefined;
  const form = useForm(EMPTY, (values) => problemsOf(values, picture), DRAFT);
  const { amount, remark } = form.values;
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'transfer proof',
    title: t('proofTitle'),
    send: report,
    onAnswered: () => {
      form.removeDraft();
      notify.success(t('proofSent'));
      onSent();
    },
    refuse: form.refuse,
  });
  const send = () => {
    if (!form.check() || picture === undefined) return;
    const payload = { currency: coin, network, amount, proof: picture, remark: remark.trim() };
    void submit(JSON.stringify(payload), () => payload);
  };
  return (
    <form
      className={css.panel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className={css.note}>{t('manualText')}</p>
      <LabelledAmount
        label={t('proofAmount')}
        coin={coin}
        value={amount}
        onChange={(value) => form.set('amount', value)}
        error={form.errorOf('amount')}
        places={PLACES}
      />
      <TextField
        label={t('proofRemark')}
        value={remark}
        onChange={(value) => form.set('remark', value)}
        error={form.errorOf('remark')}
        maxLength={100}
      />
      <UploadField
        label={t('proofPicture')}
        hint={t('proofHint')}
        control={upload}
        error={upload.state.status === 'empty' ? form.errorOf('proof') : undefined}
      />
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" busy={isBusy} disabled={upload.isUnderWay}>
        {t('proofSend')}
      </Button>
    </form>
  );
}
