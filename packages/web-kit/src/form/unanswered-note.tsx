import { useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { registerUnansweredNote } from './keyed-submissions.ts';
import type { Unanswered } from './use-keyed-submit.ts';
import css from './unanswered-note.module.css';

/** Note that a form's request received no response, with buttons to send it again and to discard it. */
export function UnansweredNote({ unanswered }: { readonly unanswered: Unanswered | undefined }) {
  const t = useWords('shell');
  const form = unanswered?.form;
  useEffect(() => (form === undefined ? undefined : registerUnansweredNote(form)), [form]);
  if (unanswered === undefined) return null;
  return (
    <div className={css.note} role="status">
      <p>{t('unanswered')}</p>
      <div className={css.choices}>
        <Button look="quiet" size="s" onClick={() => void unanswered.retry()}>
          {t('sendAgain')}
        </Button>
        <Button look="quiet" size="s" onClick={unanswered.discard}>
          {t('startAnew')}
        </Button>
      </div>
    </div>
  );
}
