import { SubmitForm } from '@exchange/web-kit/form/submit-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';
import { useRegister, useSendCode } from '@exchange/web-kit/user/actions.ts';
import { EmailAndCode } from '@exchange/web-kit/user/code-fields.tsx';
import { Consent, useRegisterForm } from '@exchange/web-kit/user/consent.tsx';
import { FirstPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { registerPayload } from '@exchange/web-kit/user/forms.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { DemoLogin } from './demo-login.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Registration screen; an invitation link (`?code=`) fills in the invitation code. */
export default function RegisterScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const isDemo = useIsDemo();
  const enterAt = (path: string) => (): void => {
    notify.success(t('registered'));
    void navigate(path, { replace: true });
  };
  return (
    <LoginFrame
      title={t('registerTitle')}
      aside={isDemo ? <DemoLogin onEntered={enterAt(paths.home)} /> : undefined}
    >
      <RegisterForm onEnter={enterAt(paths.start)} />
      <p className={classes.links}>
        <span>
          {t('haveAccount')}{' '}
          <Link to={paths.login} replace>
            {t('loginButton')}
          </Link>
        </span>
      </p>
    </LoginFrame>
  );
}

function RegisterForm({ onEnter }: { readonly onEnter: () => void }) {
  const t = useWords('user');
  const [search] = useSearchParams();
  const { form, texts } = useRegisterForm(search.get('code') ?? '');
  const sendCode = useSendCode('register');
  const register = useRegister();
  return (
    <SubmitForm
      className={classes.form}
      form={form}
      act={() => register.mutateAsync(registerPayload(form.values))}
      onDone={onEnter}
      isBusy={register.isPending}
      button={t('registerButton')}
    >
      <EmailAndCode form={form} send={sendCode.mutateAsync} hint={t('unchangeable')} />
      <FirstPasswords form={form} />
      <TextField
        label={t('invitationCode')}
        name="invitation"
        autoComplete="off"
        maxLength={20}
        value={form.values.invitationCode}
        onChange={(invitationCode) => form.set('invitationCode', invitationCode)}
        onBlur={() => form.leave('invitationCode')}
        error={form.errorOf('invitationCode')}
      />
      <Consent
        form={form}
        texts={texts}
        terms={<LegalLink page="protocol">{t('agreeTerms')}</LegalLink>}
        privacy={<LegalLink page="policy">{t('agreePrivacy')}</LegalLink>}
      />
    </SubmitForm>
  );
}
