import { FeeSchedule } from '@exchange/web-kit/fees/fee-schedule.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import screen from '../style/screen.module.css';

export default function FeesScreen() {
  const t = useWords('fees');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <FeeSchedule look="table" />
    </div>
  );
}
