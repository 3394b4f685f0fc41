import { FeeSchedule } from '@exchange/web-kit/fees/fee-schedule.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Screen } from '../shell/screen.tsx';
import { SupportButton } from '../shell/support-button.tsx';

export default function FeesScreen() {
  const t = useWords('fees');
  return (
    <Screen title={t('title')} end={<SupportButton />}>
      <FeeSchedule look="cards" />
    </Screen>
  );
}
