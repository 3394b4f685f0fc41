import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { typedAmount } from '../form/decimal-text.ts';
import { LabelledAmount } from '../form/labelled-amount.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { UploadField } from '../form/upload-field.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useUpload } from '../form/use-upload.ts';
import { When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CoinAmount, type Route } from './parts.tsx';
import { report, takeBack, useProofs, type ProofRow } from './queries.ts';
import css from './transfer.module.css';

const PLACES = 8;
const EMPTY = { amount: '', remark: '', proof: '' };
type Form = typeof EMPTY;

/** Reports a deposit with a picture of its proof, and shows what became of earlier ones. */
export default function ProofPanel(route: Route) {
  const t = useWords('transfer');
  // A report that was sent leaves an empty form, picture included.
  const [sent, setSent] = useState(0);
  return (
    <section className={css.proofs}>
      <h2>{t('proofTitle')}</h2>
      <ProofForm key={sent} {...route} onSent={() => setSent(sent + 1)} />
      <h3>{t('proofs')}</h3>
      <Proofs />
    </section>
  );
}

function ProofForm({ coin, network, onSent }: Route & { readonly onSent: () => void }) {
  const t = useWords('transfer');
  const upload = useUpload('proof');
  const picture = upload.state.status === 'done' ? upload.state.id : undefined;
  const form = useForm(EMPTY, ({ amount, remark }): Partial<Record<keyof Form, Refusal>> => {
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
  });
  const { amount, remark } = form.values;
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'transfer proof',
    send: report,
    onAnswered: () => {
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
      <Button type="submit" busy={isBusy} disabled={upload.state.status === 'sending'}>
        {t('proofSend')}
      </Button>
    </form>
  );
}

const TONES: readonly Tone[] = ['warning', 'good', 'bad', 'neutral'];

function Proofs() {
  const t = useWords('transfer');
  const proofs = useProofs();
  return (
    <ListBody
      isLoading={proofs.isLoading}
      error={proofs.error}
      onRetry={() => void proofs.reload()}
      isEmpty={proofs.rows.length === 0}
      empty={t('noDeposits')}
    >
      {proofs.rows.map((row) => (
        <Reported key={row.id} row={row} />
      ))}
      <ListEnd list={proofs} />
    </ListBody>
  );
}

function Reported({ row }: { readonly row: ProofRow }) {
  const t = useWords('transfer');
  const [isBusy, setBusy] = useState(false);
  const cancel = () => {
    setBusy(true);
    takeBack(row.id)
      .catch((error: unknown) => notify.failure(error))
      .finally(() => setBusy(false));
  };
  return (
    <article className={css.row}>
      <CoinAmount coin={row.currency} value={row.realAmount ?? row.amount} />
      <span className={css.end}>
        <Badge tone={TONES[row.status]}>{t(`proof${row.status}`)}</Badge>
        {row.status === 0 ? (
          <Button look="quiet" size="s" busy={isBusy} onClick={cancel}>
            {t('proofCancel')}
          </Button>
        ) : null}
      </span>
      <small>
        {row.network} · <When at={row.createTime} look="dated" />
      </small>
      <small className={css.end}>
        {row.reason === undefined ? row.remark : t(`proofReason.${row.reason}`)}
      </small>
    </article>
  );
}
