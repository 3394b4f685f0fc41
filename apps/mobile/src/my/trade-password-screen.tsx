import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useSendTradePasswordCode, useSetTradePassword } from '@exchange/web-kit/user/actions.ts';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import {
  INITIAL_TRADE_PASSWORD,
  tradePasswordPayload,
  tradePasswordProblems,
} from '@exchange/web-kit/user/trade-password-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { CodeField } from '@exchange/web-kit/ui/code-field.tsx';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { StateOf } from '../shell/state-of.tsx';
import css from '../user/form.module.css';
import { SendCode } from '../user/send-code.tsx';

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
  const submit = async () => {
    if (!form.check()) return;
    try {
      await save.mutateAsync(tradePasswordPayload(form.values, isChange));
      notify.success(t('tradePasswordSaved'));
      void navigate(paths.security, { replace: true });
    } catch (error) {
      // Reason: refused, or not come through; told at its field or as a notice.
      if (!form.refuse(error)) notify.failure(error);
    }
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
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
      <CodeField
        label={user('code')}
        placeholder={user('codePlaceholder')}
        value={form.values.code}
        onChange={(code) => form.set('code', code)}
        error={form.errorOf('code')}
        resend={<SendCode isReady={() => true} send={() => sendCode.mutateAsync()} />}
      />
      <Button type="submit" size="l" wide busy={save.isPending}>
        {shell('save')}
      </Button>
    </form>
  );
}
