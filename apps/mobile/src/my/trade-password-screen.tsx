import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSendTradePasswordCode, useSetTradePassword } from '@exchange/web-kit/user/actions.ts';
import { MailedCode } from '@exchange/web-kit/form/mailed-code.tsx';
import { TradePasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import {
  INITIAL_TRADE_PASSWORD,
  tradePasswordPayload,
  tradePasswordProblems,
} from '@exchange/web-kit/user/trade-password-form.ts';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import css from '../user/form.module.css';

/** Sets or changes the trade password. */
export default function TradePasswordScreen() {
  const t = useWords('settings');
  const info = useUserInfo();
  return (
    <Screen title={t('tradePassword')} parent={paths.security}>
      <p className={css.lead}>{t('tradePasswordText')}</p>
      <ListBody
        look="cards"
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
      >
        {info.data === undefined ? null : <TradePasswordForm isChange={info.data.assetsPwd === 1} />}
      </ListBody>
    </Screen>
  );
}

function TradePasswordForm({ isChange }: { isChange: boolean }) {
  const t = useWords('settings');
  const shell = useWords('shell');
  const navigate = useNavigate();
  const form = useForm(INITIAL_TRADE_PASSWORD, (values) => tradePasswordProblems(values, isChange));
  const save = useSetTradePassword();
  const sendCode = useSendTradePasswordCode();
  const finish = () => {
    notify.success(t('tradePasswordSaved'));
    void navigate(paths.security, { replace: true });
  };
  return (
    <ActForm
      className={css.form}
      form={form}
      act={() => save.mutateAsync(tradePasswordPayload(form.values, isChange))}
      onDone={finish}
      isBusy={save.isPending}
      button={shell('save')}
    >
      <TradePasswords form={form} isChange={isChange} />
      <MailedCode form={form} send={() => sendCode.mutateAsync()} />
    </ActForm>
  );
}
