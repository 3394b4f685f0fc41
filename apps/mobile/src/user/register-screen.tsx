import { SubmitForm } from '@exchange/web-kit/form/submit-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useMailIsShown } from '@exchange/web-kit/server/server-info.ts';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';
import { useRegister, useSendCode } from '@exchange/web-kit/user/actions.ts';
import { EmailAndCode } from '@exchange/web-kit/user/code-fields.tsx';
import { Consent, useRegisterForm } from '@exchange/web-kit/user/consent.tsx';
import { registerPayload } from '@exchange/web-kit/user/forms.ts';
import { FirstPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { DesktopOffer } from '../shell/desktop-offer.tsx';
import { Screen } from '../shell/screen.tsx';
import css from './form.module.css';

export default function RegisterScreen() {
  const t = useWords('user');
  const shell = useWords('shell');
  const showsMail = useMailIsShown();
  return (
    <Screen title={t('registerTitle')}>
      <DesktopOffer />
      <RegisterForm />
      <p className={css.foot} style={{ marginTop: 16 }}>
        <span>
          {t('haveAccount')}{' '}
          <Link to={paths.login} replace>
            {shell('login')}
          </Link>
        </span>
      </p>
      {showsMail ? (
        <p className={css.note}>
          <span>{t('demoMail')}</span>
          <a className={css.mail} href="/dev/mail" target="_blank" rel="noreferrer">
            {t('openMail')}
          </a>
        </p>
      ) : null}
    </Screen>
  );
}

function RegisterForm() {
  const t = useWords('user');
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { form, texts } = useRegisterForm(query.get('code') ?? '');
  const register = useRegister();
  const sendCode = useSendCode('register');
  const enter = () => {
    notify.success(t('registered'));
    void navigate(paths.start, { replace: true });
  };
  return (
    <SubmitForm
      className={css.form}
      form={form}
      act={() => register.mutateAsync(registerPayload(form.values))}
      onDone={enter}
      isBusy={register.isPending}
      button={t('registerButton')}
    >
      <EmailAndCode form={form} send={sendCode.mutateAsync} hint={t('unchangeable')} />
      <FirstPasswords form={form} />
      <TextField
        label={t('invitationCode')}
        name="invitation"
        autoCapitalize="characters"
        value={form.values.invitationCode}
        onChange={(invitationCode) => form.set('invitationCode', invitationCode)}
        error={form.errorOf('invitationCode')}
      />
      <div className={css.agree}>
        <Consent
          form={form}
          texts={texts}
          terms={<LegalLink page="protocol">{t('agreeTerms')}</LegalLink>}
          privacy={<LegalLink page="policy">{t('agreePrivacy')}</LegalLink>}
        />
      </div>
    </SubmitForm>
  );
}
