import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { DepositPanel } from '@exchange/web-kit/transfer/deposit-panel.tsx';
import { DepositRecords } from '@exchange/web-kit/transfer/records.tsx';
import { Link, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import screen from '../style/screen.module.css';
import css from './transfer.module.css';

const WAYS = { trade: tradePath, commitments: paths.subscribeRecord };

export default function TransferScreen() {
  const t = useWords('transfer');
  useTitle(t('depositTitle'));
  const [query] = useSearchParams();
  return (
    <div className={screen.screen}>
      <h1 className={css.title}>{t('depositTitle')}</h1>
      <div className={css.columns}>
        <section className={css.card}>
          <DepositPanel first={query.get('coin') ?? undefined} look="floating" ways={WAYS} />
        </section>
        <section className={css.card}>
          <header className={css.heading}>
            <h2>{t('deposits')}</h2>
            <Link to={paths.tracking}>{t('track')}</Link>
          </header>
          <DepositRecords />
        </section>
      </div>
    </div>
  );
}
