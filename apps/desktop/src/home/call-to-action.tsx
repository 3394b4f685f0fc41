import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import classes from './home.module.css';

/** The way in: register, or try the demo; for those who are in, the market. */
export function CallToAction() {
  const t = useWords('home');
  const tShell = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  const isDemo = useIsDemo();
  if (isSignedIn) {
    return (
      <div className={classes.actions}>
        <ButtonLink size="l" to={paths.trade}>
          {t('start')}
        </ButtonLink>
        <ButtonLink size="l" look="secondary" to={paths.account.assets}>
          {tShell('navAssets')}
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className={classes.actions}>
      <ButtonLink size="l" to={paths.login.register}>
        {t('open')}
      </ButtonLink>
      <ButtonLink size="l" look="secondary" to={isDemo ? paths.login.login : paths.trade}>
        {t(isDemo ? 'tryDemo' : 'start')}
      </ButtonLink>
    </div>
  );
}
