import { useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import css from './after-verification.module.css';
import { useUserInfo } from './queries.ts';
import { SetTradePassword } from './set-trade-password.tsx';

/**
 * Next steps after the identity verification: a form for the trade password if the user has none, and, if
 * `back` is given, a link to `back`, a path of this site.
 */
export function NextSteps({ back }: { readonly back: string | undefined }) {
  const t = useWords('kyc');
  const info = useUserInfo().data;
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
