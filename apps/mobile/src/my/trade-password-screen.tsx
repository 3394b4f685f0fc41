import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { returnPathOf } from '@exchange/web-kit/shell/guard.ts';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { SetTradePassword } from '@exchange/web-kit/user/set-trade-password.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../user/form.module.css';

export default function TradePasswordScreen() {
  const t = useWords('settings');
  const info = useUserInfo();
  const [query] = useSearchParams();
  const leave = useLeaveFor(returnPathOf(query) ?? paths.security);
  return (
    <Screen title={t('tradePassword')} parent={paths.security}>
      <p className={css.lead}>{t('tradePasswordText')}</p>
      <ListBody
        look="cards"
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
      >
        {info.data === undefined ? null : (
          <SetTradePassword isSet={info.data.assetsPwd === 1} className={css.form} onDone={leave} />
        )}
      </ListBody>
    </Screen>
  );
}
