import { useState } from 'react';
import { setAntiPhishing, unbindGoogle, updateEmail } from '@exchange/wire/user.ts';
import { sendActionCode } from '../api/action-code.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { codeProblem } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { TextField } from '../ui/text-field.tsx';
import { emailProblem, phraseProblem, problemsOf } from './forms.ts';
import { freezeUser, moveEmail, setPhrase, unbindAuthenticator } from './protection.ts';
import type { UserInfo } from './queries.ts';
import css from './security.module.css';

interface FormProps {
  readonly info: UserInfo;
  readonly onDone: () => void;
}

const CODE = ['code'] as const;
const ALL = ['assetsPwd', 'code'] as const;

/**
 * Form that removes the authenticator app from the account; confirmed by email code and authenticator or recovery code,
 * or by a passkey.
 */
export function UnbindAuthenticator({ info, onDone }: FormProps) {
  const t = useWords('security');
  return (
    <ConfirmForm
      consequence={<p className={css.text}>{t('unbindText')}</p>}
      button={t('unbindButton')}
      look="danger"
      stepUp={CODE}
      takesRecovery
      sendCode={() => sendActionCode(info.email, unbindGoogle)}
      confirms={{ endpoint: unbindGoogle }}
      act={(proof) => unbindAuthenticator(proof)}
      onDone={() => {
        notify.success(t('unbound'));
        onDone();
      }}
    />
  );
}

/** Form for the anti-phishing phrase, a text that the exchange includes in its mails to the account's address. */
export function AntiPhishing({ info, onDone }: FormProps) {
  const t = useWords('security');
  const form = useForm({ text: info.antiPhishing }, ({ text }) =>
    problemsOf<{ text: string }>({ text: phraseProblem(text) }),
  );
  return (
    <ConfirmForm
      consequence={
        <>
          <p className={css.text}>{t('phishingLong')}</p>
          <TextField
            label={t('phrase')}
            value={form.values.text}
            onChange={(text) => form.set('text', text)}
            onBlur={() => form.leave('text')}
            error={form.errorOf('text')}
            hint={t('phraseHint')}
            maxLength={20}
            autoComplete="off"
          />
        </>
      }
      button={t('savePhrase')}
      stepUp={CODE}
      sendCode={() => sendActionCode(info.email, setAntiPhishing, form.values)}
      confirms={{ endpoint: setAntiPhishing, fields: form.values }}
      canSend={form.check}
      check={form.check}
      refuse={form.refuse}
      act={(proof) => setPhrase({ text: form.values.text, ...proof })}
      onDone={() => {
        notify.success(t('phraseSaved'));
        onDone();
      }}
    />
  );
}

const NEW_ADDRESS = { email: '', newCode: '' };

/**
 * Form that changes the account's email address; confirmed by a code sent to the new address, the trade password, and
 * either the account's codes (email and, if bound, authenticator) or a passkey.
 */
export function ChangeEmail({ info, onDone }: FormProps) {
  const t = useWords('security');
  const form = useForm(NEW_ADDRESS, ({ email, newCode }) =>
    problemsOf<typeof NEW_ADDRESS>({ email: emailProblem(email), newCode: codeProblem(newCode) }),
  );
  // Adapts the form's field `newCode` to the code input component, which expects a field named `code`.
  const newCode = {
    values: { code: form.values.newCode },
    set: (_: 'code', value: string) => form.set('newCode', value),
    leave: () => form.leave('newCode'),
    errorOf: () => form.errorOf('newCode'),
    checkField: () => form.checkField('newCode'),
  };
  return (
    <ConfirmForm
      consequence={
        <>
          <p className={css.text}>{t('emailLong', { email: info.email })}</p>
          <TextField
            label={t('newEmail')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            value={form.values.email}
            onChange={(email) => form.set('email', email)}
            onBlur={() => form.leave('email')}
            error={form.errorOf('email')}
          />
          <MailedCode
            form={newCode}
            label={t('newCode')}
            send={() => sendActionCode(form.values.email, updateEmail, form.values)}
            isReady={() => form.checkField('email')}
          />
        </>
      }
      button={t('changeEmail')}
      stepUp={ALL}
      codeLabel={t('oldCode')}
      sendCode={() => sendActionCode(info.email, updateEmail, form.values)}
      confirms={{ endpoint: updateEmail, fields: form.values }}
      canSend={() => form.checkField('email')}
      check={form.check}
      refuse={form.refuse}
      act={(proof) => moveEmail({ ...form.values, ...proof })}
      onDone={() => {
        notify.success(t('emailChanged'));
        onDone();
      }}
    />
  );
}

/** Form that freezes the user's account; afterwards only customer service can unfreeze it. */
export function FreezeAccount({ onDone }: Pick<FormProps, 'onDone'>) {
  const t = useWords('security');
  const [reason, setReason] = useState('');
  return (
    <ConfirmForm
      consequence={
        <>
          <ul className={css.consequences}>
            <li>{t('freezeSessions')}</li>
            <li>{t('freezeMoney')}</li>
            <li>{t('freezeBack')}</li>
          </ul>
          <TextField label={t('freezeReason')} value={reason} onChange={setReason} maxLength={200} />
        </>
      }
      button={t('freezeButton')}
      look="danger"
      act={() => freezeUser(reason)}
      onDone={() => {
        notify.success(t('frozen'));
        onDone();
      }}
    />
  );
}
