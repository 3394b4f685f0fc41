import { SubmitForm } from '../form/submit-form.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { useForgetPassword, useSendForgetCode } from './actions.ts';
import { EmailAndCode } from './code-fields.tsx';
import { forgetPayload, forgetProblems, initialForget, SIGN_IN_DRAFT } from './forms.ts';
import { FirstPasswords } from './password-fields.tsx';

interface ResetPasswordProps {
  readonly className: string | undefined;
  readonly onDone: () => void;
}

/** Form that sets a new login password with an email code sent to the account's address. */
export function ResetPassword({ className, onDone }: ResetPasswordProps) {
  const t = useWords('user');
  const lastEmail = useSession((state) => state.lastEmail);
  const form = useForm(initialForget(lastEmail), forgetProblems, SIGN_IN_DRAFT);
  const sendCode = useSendForgetCode();
  const forget = useForgetPassword();
  const finish = () => {
    notify.success(t('passwordReset'));
    onDone();
  };
  return (
    <SubmitForm
      className={className}
      form={form}
      act={() => forget.mutateAsync(forgetPayload(form.values))}
      onDone={finish}
      isBusy={forget.isPending}
      button={t('resetButton')}
    >
      <EmailAndCode form={form} send={sendCode.mutateAsync} />
      <FirstPasswords form={form} replaces />
    </SubmitForm>
  );
}
