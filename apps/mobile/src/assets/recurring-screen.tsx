import { RecurringPanel } from '@exchange/web-kit/convert/recurring-panel.tsx';
import { RecurringPlans } from '@exchange/web-kit/convert/recurring-plans.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen that lists the user's recurring buys with their results, and creates new ones. */
export default function RecurringScreen() {
  const t = useWords('recurring');
  const obstacle = useConvertObstacle();
  return (
    <Screen title={t('title')} parent={paths.convert}>
      <div className={css.convert} data-in-order>
        <p className={css.lead}>{t('lead')}</p>
        <RecurringPlans />
        <div className={css.form}>
          <RecurringPanel
            gate={obstacle && <ConvertGate text={t(obstacle)} obstacle={obstacle} />}
            look="sheet"
          />
        </div>
      </div>
    </Screen>
  );
}
