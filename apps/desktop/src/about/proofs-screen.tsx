import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LiabilitiesView } from '@exchange/web-kit/proofs/liabilities-view.tsx';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';

/** Public proof of liabilities, with the verification of the user's own balance. */
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
