import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LiabilitiesView } from '@exchange/web-kit/proofs/liabilities-view.tsx';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import { SupportButton } from '../shell/support-button.tsx';

/**
 * Screen with the public proof of the exchange's liabilities, on which users can verify that their own balance is
 * included.
 */
export default function ProofsScreen() {
  const t = useWords('proofs');
  return (
    <Screen title={t('title')} parent={paths.about} end={<SupportButton />}>
      <LiabilitiesView loginPath={loginPathFor(paths.proofs)} />
    </Screen>
  );
}
