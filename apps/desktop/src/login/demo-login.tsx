import { FormAlert } from '@exchange/web-kit/form/submit-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { failureText } from '@exchange/web-kit/notify.ts';
import { useMailIsShown } from '@exchange/web-kit/server/server-info.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useDemoLogin } from '@exchange/web-kit/user/actions.ts';
import classes from './login.module.css';

/**
 * For login and registration in demo mode: a button that logs the visitor in with one click, and a link to
 * the page with the mails if the server shows mails instead of sending them. The surrounding screen renders
 * it in demo mode only.
 */
export function DemoLogin({ onEntered }: { readonly onEntered: () => void }) {
  const t = useWords('user');
  const login = useDemoLogin();
  const showsMail = useMailIsShown();
  return (
    <aside className={classes.demo}>
      <h2>{t('demoTitle')}</h2>
      <p>{t('demoText')}</p>
      <Button
        look="secondary"
        wide
        busy={login.isPending}
        onClick={() => login.mutate(undefined, { onSuccess: onEntered })}
      >
        {t('demoButton')}
      </Button>
      <FormAlert text={login.error === null ? undefined : failureText(login.error)} />
      {showsMail ? (
        <p>
          {t('demoMail')}{' '}
          <a href="/dev/mail" target="_blank" rel="noreferrer">
            {t('openMail')}
          </a>
        </p>
      ) : null}
    </aside>
  );
}
