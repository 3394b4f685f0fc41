import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSendTradePasswordCode, useSetTradePassword } from '@exchange/web-kit/user/actions.ts';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import {
  INITIAL_TRADE_PASSWORD,
  tradePasswordPayload,
  tradePasswordProblems,
} from '@exchange/web-kit/user/trade-password-form.ts';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { StateOf } from '../shell/state-of.tsx';
import { ActForm } from '../user/act-form.tsx';
import { MailedCode } from '../user/code-fields.tsx';
import css from '../user/form.module.css';

const FIELDS = [
  { field: 'oldAssetsPwd', word: 'oldTradePassword' },
  { field: 'assetsPwd', word: 'newTradePassword' },
  { field: 'confirmAssetsPwd', word: 'confirmTradePassword' },
] as const;

/** Sets or changes the trade password. */
export default function TradePasswordScreen() {
  const t = useWords('settings');
  const info = useUserInfo();
  return (
    <Screen title={t('tradePassword')} parent={paths.security}>
      <p className={css.lead}>{t('tradePasswordText')}</p>
      <StateOf isLoading={info.isPending} error={info.error} onRetry={() => void info.refetch()}>
        {info.data === undefined ? null : <TradePasswordForm isChange={info.data.assetsPwd === 1} />}
      </StateOf>
    </Screen>
  );
}

function TradePasswordForm({ isChange }: { isChange: boolean }) {
  const t = useWords('settings');
  const user = useWords('user');
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
      form={form}
      act={() => save.mutateAsync(tradePasswordPayload(form.values, isChange))}
      onDone={finish}
      isBusy={save.isPending}
      button={shell('save')}
    >
      {FIELDS.filter(({ field }) => isChange || field !== 'oldAssetsPwd').map(({ field, word }) => (
        <PasswordField
          key={field}
          label={t(word)}
          showLabel={user('showPassword')}
          hideLabel={user('hidePassword')}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          value={form.values[field]}
          onChange={(value) => form.set(field, value.replace(/\D/g, ''))}
          onBlur={() => form.leave(field)}
          error={form.errorOf(field)}
        />
      ))}
      <MailedCode form={form} send={() => sendCode.mutateAsync()} />
    </ActForm>
  );
}
