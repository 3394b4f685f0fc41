import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawPanel } from '@exchange/web-kit/transfer/withdraw-panel.tsx';
import { WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './transfer.module.css';

export default function TransferScreen() {
  const t = useWords('transfer');
  const info = useUserInfo().data;
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <Screen title={t('withdrawTitle')} parent={paths.assets}>
      <WithdrawPanel person={person} timesPath={paths.withdrawalTimes} />
      <h2 className={css.heading}>{t('withdrawals')}</h2>
      <WithdrawalRecords />
    </Screen>
  );
}
