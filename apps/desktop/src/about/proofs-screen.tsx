import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LiabilitiesView } from '@exchange/web-kit/proofs/liabilities-view.tsx';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';

/**
 * Screen with the public proof of the exchange's liabilities, on which users can verify that their own balance is
 * included.
 */
export default function ProofsScreen() {
  const t = useWords('proofs');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <LiabilitiesView loginPath={loginPathFor(paths.proofs)} />
    </div>
  );
}
