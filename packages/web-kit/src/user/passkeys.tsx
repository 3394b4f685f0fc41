import { PASSKEY_NAME_LENGTH, PASSKEYS_MAX } from '@exchange/core/passkeys.ts';
import { addPasskey, removePasskey } from '@exchange/wire/user.ts';
import { refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { sendActionCode } from '../api/action-code.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { SubmitForm } from '../form/submit-form.tsx';
import { useForm } from '../form/use-form.ts';
import { When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { usePasskeyDomain, usePasskeysWork } from '../form/passkeys-work.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Badge, Banner, EmptyState } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { problemsOf } from './forms.ts';
import { changePasskeyName, deletePasskey, makePasskey } from './protection.ts';
import { usePasskeys, type Passkey, type UserInfo } from './queries.ts';
import css from './security.module.css';

interface PasskeysProps {
  readonly info: UserInfo;
}

type View = 'list' | 'add' | { readonly removes: Passkey };

/** The passkeys of the account: their list, the form that adds a passkey, and the form that removes one. */
export function Passkeys({ info }: PasskeysProps) {
  const [view, setView] = useState<View>('list');
  const showList = (): void => setView('list');
  if (view === 'add') return <NewPasskey info={info} onBack={showList} />;
  if (view !== 'list') return <Removal info={info} passkey={view.removes} onBack={showList} />;
  return <PasskeyList onAdd={() => setView('add')} onRemove={(passkey) => setView({ removes: passkey })} />;
}

interface PasskeyListProps {
  readonly onAdd: () => void;
  readonly onRemove: (passkey: Passkey) => void;
}

function PasskeyList({ onAdd, onRemove }: PasskeyListProps) {
  const t = useWords('security');
  const passkeys = usePasskeys();
  const works = usePasskeysWork();
  const domain = usePasskeyDomain();
  const list = passkeys.data ?? [];
  const isFull = list.length >= PASSKEYS_MAX;
  return (
    <div className={css.form}>
      <p className={css.text}>{t('passkeysLong')}</p>
      <ListBody
        look="cards"
        skeletonRows={2}
        isLoading={passkeys.isPending}
        error={passkeys.error}
        onRetry={() => void passkeys.refetch()}
      >
        {list.length === 0 ? <EmptyState text={t('passkeysNone')} /> : null}
        <ul className={css.keys}>
          {list.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => onRemove(passkey)} />
          ))}
        </ul>
      </ListBody>
      {isFull ? <Banner tone="warning">{t('passkeysFull', { limit: PASSKEYS_MAX })}</Banner> : null}
      {works || domain === undefined ? null : (
        <Banner tone="warning">{t('passkeysElsewhere', { domain })}</Banner>
      )}
      <Button size="l" wide disabled={isFull || !works} onClick={onAdd}>
        {t('passkeyAdd')}
      </Button>
    </div>
  );
}

const KINDS = {
  synced: 'passkeySynced',
  device: 'passkeyDevice',
  key: 'passkeyKey',
} as const satisfies Record<Passkey['kind'], string>;

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly onRemove: () => void;
}

function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const t = useWords('security');
  const [isRenaming, setRenaming] = useState(false);
  const { name, kind, createTime, lastTime } = passkey;
  if (isRenaming) return <Renaming passkey={passkey} onDone={() => setRenaming(false)} />;
  return (
    <li>
      <div className={css.keyHead}>
        <b>{name}</b>
        <Badge tone="neutral">{t(KINDS[kind])}</Badge>
      </div>
      <p>
        {t('keyCreated')} <When at={createTime} />
      </p>
      <p>
        {lastTime === 0 ? (
          t('passkeyUnused')
        ) : (
          <>
            {t('passkeyUsed')} <When at={lastTime} />
          </>
        )}
      </p>
      <div className={css.actions}>
        <Button
          look="secondary"
          size="s"
          aria-label={`${t('passkeyRename')}: ${name}`}
          onClick={() => setRenaming(true)}
        >
          {t('passkeyRename')}
        </Button>
        <Button look="secondary" size="s" aria-label={`${t('removeIt')}: ${name}`} onClick={onRemove}>
          {t('removeIt')}
        </Button>
      </div>
    </li>
  );
}

/** State of the field for the name of a passkey, with its validation error. */
function useName(first: string) {
  return useForm({ name: first }, ({ name }) =>
    problemsOf<{ name: string }>({
      name: name.trim() === '' ? refusal('invalidField', 'l.field_required', { field: 'name' }) : undefined,
    }),
  );
}

function NameField({ form }: { readonly form: ReturnType<typeof useName> }) {
  const t = useWords('security');
  return (
    <TextField
      label={t('keyName')}
      hint={t('passkeyNameHint')}
      maxLength={PASSKEY_NAME_LENGTH}
      autoComplete="off"
      value={form.values.name}
      onChange={(name) => form.set('name', name)}
      onBlur={() => form.leave('name')}
      error={form.errorOf('name')}
    />
  );
}

function Renaming({ passkey, onDone }: { readonly passkey: Passkey; readonly onDone: () => void }) {
  const t = useWords('security');
  const shell = useWords('shell');
  const form = useName(passkey.name);
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await changePasskeyName({ id: passkey.id, name: form.values.name.trim() });
    } finally {
      setBusy(false);
    }
  };
  return (
    <li>
      <SubmitForm
        className={css.form}
        form={form}
        act={act}
        onDone={() => {
          notify.success(t('passkeyRenamed'));
          onDone();
        }}
        isBusy={isBusy}
        button={shell('save')}
      >
        <NameField form={form} />
      </SubmitForm>
      <div className={css.actions}>
        <Button look="quiet" size="s" onClick={onDone}>
          {shell('cancel')}
        </Button>
      </div>
    </li>
  );
}

const CODE = ['code'] as const;

interface FormProps extends PasskeysProps {
  readonly onBack: () => void;
}

/**
 * Form that adds a passkey. The user enters a name and confirms; then the device asks for a fingerprint, a face or a
 * PIN.
 */
function NewPasskey({ info, onBack }: FormProps) {
  const t = useWords('security');
  const shell = useWords('shell');
  const form = useName('');
  const fields = { name: form.values.name.trim() };
  return (
    <ConfirmForm
      consequence={
        <>
          <p className={css.text}>{t('passkeyAddText')}</p>
          <NameField form={form} />
        </>
      }
      button={t('passkeyAdd')}
      stepUp={CODE}
      sendCode={() => sendActionCode(info.email, addPasskey, fields)}
      confirms={{ endpoint: addPasskey, fields }}
      canSend={form.check}
      check={form.check}
      refuse={form.refuse}
      act={(proof) => makePasskey({ name: fields.name, ...proof })}
      onDone={() => {
        notify.success(t('passkeyAdded'));
        onBack();
      }}
      back={{ label: shell('back'), onPress: onBack }}
    />
  );
}

/**
 * Form that removes a passkey. If the account has no other passkey and no authenticator app, the user must also check a
 * box.
 */
function Removal({ info, passkey, onBack }: FormProps & { readonly passkey: Passkey }) {
  const t = useWords('security');
  const shell = useWords('shell');
  const [isSure, setSure] = useState(false);
  const isLast = info.passkeys <= 1 && info.googleBind === 0;
  const fields = { id: passkey.id, isLast: isLast ? '1' : '0' } as const;
  return (
    <ConfirmForm
      consequence={
        <>
          <p className={css.text}>{t('passkeyRemoveText', { name: passkey.name })}</p>
          {isLast ? (
            <>
              <Banner tone="warning">{t('passkeyLastText')}</Banner>
              <Checkbox label={t('passkeyLastSure')} checked={isSure} onChange={setSure} />
            </>
          ) : null}
        </>
      }
      button={t('passkeyRemove')}
      look="danger"
      isIdle={isLast && !isSure}
      stepUp={CODE}
      sendCode={() => sendActionCode(info.email, removePasskey, fields)}
      confirms={{ endpoint: removePasskey, fields }}
      act={(proof) => deletePasskey({ ...fields, ...proof })}
      onDone={() => {
        notify.success(t('passkeyRemoved'));
        onBack();
      }}
      back={{ label: shell('back'), onPress: onBack }}
    />
  );
}
