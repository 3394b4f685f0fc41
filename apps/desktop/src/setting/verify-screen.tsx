import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Verification } from '@exchange/web-kit/kyc/verification.tsx';
import { returnPathOf } from '@exchange/web-kit/shell/guard.ts';
import { NextSteps } from '@exchange/web-kit/user/after-verification.tsx';
import { useSearchParams } from 'react-router';
import { SettingFrame } from './setting-frame.tsx';

/** Identity verification screen: the form, the status of the review, and its result. */
export default function VerifyScreen() {
  const t = useWords('kyc');
  const [query] = useSearchParams();
  return (
    <SettingFrame title={t('title')}>
      <Verification next={<NextSteps back={returnPathOf(query)} />} />
    </SettingFrame>
  );
}
