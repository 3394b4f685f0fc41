import { RecurringPanel } from '@exchange/web-kit/convert/recurring-panel.tsx';
import { RecurringPlans } from '@exchange/web-kit/convert/recurring-plans.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import screen from '../style/screen.module.css';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen on which the user creates recurring buys; lists the existing ones with their results. */
export default function RecurringScreen() {
  const t = useWords('recurring');
  useTitle(t('title'));
  const obstacle = useConvertObstacle();
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
      </header>
      <div className={css.columns}>
        <RecurringPanel
          gate={obstacle && <ConvertGate text={t(obstacle)} obstacle={obstacle} />}
          look="floating"
        />
        <RecurringPlans />
      </div>
    </div>
  );
}
