import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { DepositPanel } from '@exchange/web-kit/transfer/deposit-panel.tsx';
import { DepositRecords } from '@exchange/web-kit/transfer/records.tsx';
import { Link, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './transfer.module.css';

const WAYS = { trade: tradePath, commitments: paths.subscribeRecord };

export default function TransferScreen() {
  const t = useWords('transfer');
  const [query] = useSearchParams();
  return (
    <Screen title={t('depositTitle')} parent={paths.assets}>
      <div data-in-order>
        <DepositPanel first={query.get('coin') ?? undefined} look="sheet" ways={WAYS} />
        <header className={css.heading}>
          <h2>{t('deposits')}</h2>
          <Link to={paths.tracking}>{t('track')}</Link>
        </header>
        <DepositRecords />
      </div>
    </Screen>
  );
}
