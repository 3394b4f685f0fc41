import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { WithdrawPanel } from '@exchange/web-kit/transfer/withdraw-panel.tsx';
import { WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '../paths.ts';
import screen from '../style/screen.module.css';
import css from './transfer.module.css';

export default function TransferScreen() {
  const t = useWords('transfer');
  useTitle(t('withdrawTitle'));
  const info = useUserInfo().data;
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <div className={screen.screen}>
      <h1 className={css.title}>{t('withdrawTitle')}</h1>
      <div className={css.columns}>
        <section className={css.card}>
          <WithdrawPanel person={person} timesPath={paths.withdrawalTimes} />
        </section>
        <section className={css.card}>
          <h2>{t('withdrawals')}</h2>
          <WithdrawalRecords />
        </section>
      </div>
    </div>
  );
}
