import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { freezeByToken } from './protection.ts';
import css from './security.module.css';

/**
 * Page that the freeze link in mails opens. The account is frozen only after a press on a button, because mail scanners
 * also open links. A user who is signed in on this device with another account stays signed in.
 */
export function FreezeByLink() {
  const t = useWords('security');
  const [search] = useSearchParams();
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <section className={css.center} role="status">
        <h1>{t('frozenTitle')}</h1>
        <Banner tone="good">{t('frozen')}</Banner>
        <p className={css.text}>{t('freezeBack')}</p>
      </section>
    );
  return (
    <section className={css.center}>
      <h1>{t('freezeTitle')}</h1>
      <ConfirmForm
        consequence={
          <ul className={css.consequences}>
            <li>{t('freezeSessions')}</li>
            <li>{t('freezeMoney')}</li>
            <li>{t('freezeBack')}</li>
          </ul>
        }
        button={t('freezeButton')}
        look="danger"
        act={() => freezeByToken(search.get('token') ?? 'none')}
        onDone={() => setDone(true)}
      />
    </section>
  );
}
