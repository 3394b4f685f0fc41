import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { WithdrawPanel } from '@exchange/web-kit/transfer/withdraw-panel.tsx';
import { WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { useWithdrawalObstacles } from '@exchange/web-kit/user/withdrawal-obstacles.ts';
import { Link, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import screen from '../style/screen.module.css';
import css from './transfer.module.css';

const WAYS = { trade: tradePath, commitments: paths.subscribeRecord };

export default function TransferScreen() {
  const t = useWords('transfer');
  useTitle(t('withdrawTitle'));
  const [query] = useSearchParams();
  const info = useUserInfo().data;
  const bars = useWithdrawalObstacles({ verify: paths.verify, tradePassword: paths.security });
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <div className={screen.screen}>
      <h1 className={css.title}>{t('withdrawTitle')}</h1>
      <div className={css.columns}>
        <section className={css.card}>
          <WithdrawPanel
            person={person}
            bars={bars}
            first={query.get('coin') ?? undefined}
            timesPath={paths.withdrawalTimes}
            look="floating"
            ways={WAYS}
          />
        </section>
        <section className={css.card}>
          <header className={css.heading}>
            <h2>{t('withdrawals')}</h2>
            <Link to={paths.tracking}>{t('track')}</Link>
          </header>
          <WithdrawalRecords />
        </section>
      </div>
    </div>
  );
}
