import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { WithdrawPanel } from '@exchange/web-kit/transfer/withdraw-panel.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { useWithdrawalObstacles } from '@exchange/web-kit/user/withdrawal-obstacles.ts';
import { Link, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './transfer.module.css';

const WAYS = { trade: tradePath, commitments: paths.subscribeRecord };

export default function TransferScreen() {
  const t = useWords('transfer');
  const [query] = useSearchParams();
  const info = useUserInfo().data;
  const bars = useWithdrawalObstacles({ verify: paths.verify, tradePassword: paths.tradePassword });
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <Screen title={t('withdrawTitle')} parent={paths.assets}>
      <div data-in-order>
        <WithdrawPanel
          person={person}
          bars={bars}
          first={query.get('coin') ?? undefined}
          timesPath={paths.withdrawalTimes}
          look="sheet"
          ways={WAYS}
        />
        <header className={css.heading}>
          <h2>{t('withdrawals')}</h2>
          <Link to={paths.tracking}>{t('track')}</Link>
        </header>
        <WithdrawalRecords />
      </div>
    </Screen>
  );
}
