import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Verification } from '@exchange/web-kit/kyc/verification.tsx';
import { returnPathOf } from '@exchange/web-kit/shell/guard.ts';
import { NextSteps } from '@exchange/web-kit/user/after-verification.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

/** Identity verification screen: the form, the status of the review, and its result. */
export default function VerifyScreen() {
  const t = useWords('kyc');
  const [query] = useSearchParams();
  return (
    <Screen title={t('title')} parent={paths.my}>
      <Verification next={<NextSteps back={returnPathOf(query)} />} />
    </Screen>
  );
}
