import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { TaxReport } from '@exchange/web-kit/account/tax-report.tsx';
import { Screen } from '../shell/screen.tsx';
import css from './convert.module.css';

/**
 * Screen with the user's tax report of a year, inputs for the purchase costs of coins that were transferred in, and
 * files to download.
 */
export default function TaxScreen() {
  const t = useWords('tax');
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.convert}>
        <p className={css.lead}>{t('lead')}</p>
        <TaxReport look="sheet" />
      </div>
    </Screen>
  );
}
