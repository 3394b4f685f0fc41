import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { pathAfterLogin } from '../shell/guard.ts';
import { ButtonLink } from '../ui/button.tsx';
import css from './after-verification.module.css';
import { useUserInfo } from './queries.ts';
import { SetTradePassword } from './set-trade-password.tsx';

/** The address of a screen that leads back to `from` (path and query) once it is done. */
export function pathWithReturn(path: string, from: string): string {
  return `${path}?from=${encodeURIComponent(from)}`;
}

/** The place on this site that an address says to lead back to; undefined where it says none, or another site. */
export function useReturnPath(): string | undefined {
  const [query] = useSearchParams();
  return pathAfterLogin(query.get('from'), '') || undefined;
}

/** What a verified person does next: the trade password, where there is none, and the way back to what they came from. */
export function AfterVerification() {
  const t = useWords('kyc');
  const info = useUserInfo().data;
  const back = useReturnPath();
  const [isSet, setSet] = useState(false);
  const needsPassword = info?.assetsPwd === 0 && !isSet;
  return (
    <div className={css.next}>
      {needsPassword ? (
        <section>
          <h3>{t('nextPassword')}</h3>
          <p>{t('nextPasswordText')}</p>
          <SetTradePassword isSet={false} className={css.form} onDone={() => setSet(true)} />
        </section>
      ) : null}
      {back === undefined ? null : (
        <ButtonLink to={back} size="l" look={needsPassword ? 'secondary' : 'primary'}>
          {t('nextBack')}
        </ButtonLink>
      )}
    </div>
  );
}
