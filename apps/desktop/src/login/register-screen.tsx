import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';
import { useRegister, useSendCode } from '@exchange/web-kit/user/actions.ts';
import { initialRegister, registerPayload, registerProblems } from '@exchange/web-kit/user/register-form.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { paths } from '../paths.ts';
import { DemoDoor } from './demo-door.tsx';
import { EmailField, MailedCodeField, SecretField } from '../forms/fields.tsx';
import { useSentForm } from '../forms/use-sent-form.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Opens an account; an invitation link (`?code=`) brings its code along. */
export default function RegisterScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const isDemo = useIsDemo();
  const sendCode = useSendCode('register');
  const register = useRegister();

  const enter = (): void => {
    notify.success(t('registered'));
    void navigate(paths.home, { replace: true });
  };
  const invited = initialRegister(search.get('code') ?? '');
  const { form, field, checkField, submit } = useSentForm(invited, registerProblems, (filled, fail) =>
    register.mutate(registerPayload(filled), { onSuccess: enter, onError: fail }),
  );
  const agree = field('agree');
  const invitation = field('invitationCode');

  return (
    <LoginFrame title={t('registerTitle')} aside={isDemo ? <DemoDoor onEntered={enter} /> : undefined}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <EmailField {...field('email')} />
        <MailedCodeField
          {...field('code')}
          isReady={() => checkField('email')}
          onSend={() => sendCode.mutateAsync(form.email)}
        />
        <SecretField label={t('password')} hint={t('passwordHint')} isNew {...field('password')} />
        <SecretField label={t('confirmPassword')} isNew {...field('confirmPassword')} />
        <TextField
          label={t('invitationCode')}
          autoComplete="off"
          maxLength={20}
          value={invitation.value}
          onChange={invitation.onChange}
        />
        <Checkbox
          checked={agree.value}
          onChange={agree.onChange}
          error={agree.error}
          label={
            <>
              {t('agreeStart')} <LegalLink page="protocol">{t('agreeTerms')}</LegalLink> {t('agreeAnd')}{' '}
              <LegalLink page="policy">{t('agreePrivacy')}</LegalLink>
            </>
          }
        />
        <Button type="submit" size="l" wide busy={register.isPending}>
          {t('registerButton')}
        </Button>
        <p className={classes.hint}>{t('unchangeable')}</p>
      </form>
      <p className={classes.links}>
        <span>
          {t('haveAccount')} <Link to={paths.login.login}>{t('loginButton')}</Link>
        </span>
      </p>
    </LoginFrame>
  );
}
