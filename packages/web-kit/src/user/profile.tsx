import { maskEmail } from '@exchange/core/mask.ts';
import { refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { SubmitForm } from '../form/submit-form.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { UploadField } from '../form/upload-field.tsx';
import { useForm } from '../form/use-form.ts';
import { useUpload } from '../form/use-upload.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { saveProfile, useAvatar } from './protection.ts';
import type { UserInfo } from './queries.ts';
import css from './security.module.css';

const NICKNAME = /^[A-Za-z][A-Za-z0-9]{7,24}$/;

/**
 * The user's avatar; without a picture, the first letter of the nickname, or of the email address for a user
 * without a nickname.
 */
export function Avatar({ info }: { readonly info: Pick<UserInfo, 'icon' | 'nickname' | 'email'> }) {
  const picture = useAvatar(info.icon);
  const name = info.nickname === '' ? info.email : info.nickname;
  return (
    <span className={css.avatar} aria-hidden="true">
      {picture === undefined ? name.slice(0, 1).toUpperCase() : <img src={picture} alt="" />}
    </span>
  );
}

interface ProfileCardProps {
  readonly info: UserInfo;
  readonly onEdit: () => void;
}

export function ProfileCard({ info, onEdit }: ProfileCardProps) {
  const t = useWords('security');
  const settings = useWords('settings');
  return (
    <section className={css.card} aria-label={settings('profile')}>
      <div className={css.profile}>
        <Avatar info={info} />
        <div className={css.who}>
          <h2>{info.nickname === '' ? maskEmail(info.email) : info.nickname}</h2>
          <dl className={css.facts}>
            <div>
              <dt>{settings('email')}</dt>
              <dd>{maskEmail(info.email)}</dd>
            </div>
            <div>
              <dt>{settings('uid')}</dt>
              <dd>{info.uid}</dd>
            </div>
            <div>
              <dt>{settings('activity')}</dt>
              <dd>{settings(info.activity)}</dd>
            </div>
            <div>
              <dt>{settings('invitation')}</dt>
              <dd>{info.invitationCode}</dd>
            </div>
          </dl>
          {info.remark === '' ? null : <p className={css.remark}>{info.remark}</p>}
        </div>
        <div className={css.actions}>
          <CopyButton text={info.uid} label={settings('copyUid')} />
          <Button look="secondary" size="s" onClick={onEdit}>
            {t('editProfile')}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Form for the user's nickname, remark and avatar. */
export function ProfileForm({ info, onDone }: { readonly info: UserInfo; readonly onDone: () => void }) {
  const t = useWords('security');
  const settings = useWords('settings');
  const shell = useWords('shell');
  const [isBusy, setBusy] = useState(false);
  const picture = useUpload('avatar');
  const form = useForm({ nickname: info.nickname, remark: info.remark }, ({ nickname }) =>
    nickname === '' || NICKNAME.test(nickname)
      ? {}
      : { nickname: refusal('invalidField', 'l.nickname_format', { field: 'nickname' }) },
  );
  const act = async () => {
    const { nickname, remark } = form.values;
    setBusy(true);
    try {
      await saveProfile({
        nickname: nickname === info.nickname ? null : nickname,
        // A space is sent for an emptied remark, because the server ignores empty fields.
        remark: remark === info.remark ? null : remark || ' ',
        icon: picture.state.status === 'done' ? picture.state.id : null,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <SubmitForm
      className={css.form}
      form={form}
      act={act}
      onDone={() => {
        notify.success(t('profileSaved'));
        onDone();
      }}
      isBusy={isBusy || picture.isUnderWay}
      button={shell('save')}
    >
      <UploadField label={t('picture')} hint={t('pictureHint')} control={picture} />
      <TextField
        label={settings('nickname')}
        value={form.values.nickname}
        onChange={(nickname) => form.set('nickname', nickname)}
        onBlur={() => form.leave('nickname')}
        error={form.errorOf('nickname')}
        hint={t('nicknameHint')}
        maxLength={25}
        autoComplete="nickname"
      />
      <TextField
        label={t('remark')}
        value={form.values.remark}
        onChange={(remark) => form.set('remark', remark)}
        error={form.errorOf('remark')}
        hint={t('remarkHint')}
        maxLength={100}
        autoComplete="off"
      />
    </SubmitForm>
  );
}
