import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { TaxReport } from '@exchange/web-kit/account/tax-report.tsx';
import screen from '../style/screen.module.css';
import css from './convert.module.css';

/**
 * Screen with the user's tax report of a year, inputs for the purchase costs of coins that were transferred in, and
 * files to download.
 */
export default function TaxScreen() {
  const t = useWords('tax');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
      </header>
      <TaxReport look="floating" />
    </div>
  );
}
