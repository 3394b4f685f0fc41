import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { API_KEY_ADDRESSES_MAX, API_KEYS_MAX } from '@exchange/wire/api-key.ts';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { sendActionCode } from '../api/action-code.ts';
import { serverNow } from '../clock.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { CopyButton, ShortCode } from '../form/copy-button.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { When } from '../format/numbers.tsx';
import { useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { API_KEYS_HELP } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/choice.tsx';
import { Badge, Banner, EmptyState } from '../ui/parts.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import {
  discardCreatedKey,
  KEY_LIFETIMES,
  keyEndpoint,
  makeApiKey,
  newKeyFields,
  storeCreatedKey,
  useApiKeys,
  useCreatedKey,
  useRevokeApiKeys,
  type ApiKey,
  type CreatedKey,
  type KeyLifetime,
  type KeyOwner,
} from './api-key-actions.ts';
import { problemsOf } from './forms.ts';
import css from './security.module.css';

interface ApiKeysProps {
  readonly email: string;
  /** The sub-account whose API keys are shown; undefined for the main account. */
  readonly owner?: KeyOwner | undefined;
  /**
   * Called with true when a secret is displayed; with false when the user has confirmed that it is saved, and when it
   * is no longer displayed.
   */
  readonly onSecret: (isUnconfirmed: boolean) => void;
}

/**
 * The API keys of an account: the list, the form for a new key, and the secret of a new key, which is shown only once.
 */
export function ApiKeys({ email, owner, onSecret }: ApiKeysProps) {
  const [isCreating, setCreating] = useState(false);
  const { key: created } = useCreatedKey();
  if (created !== undefined)
    return (
      <Secret
        created={created}
        onSecret={onSecret}
        onDone={() => {
          setCreating(false);
          discardCreatedKey();
        }}
      />
    );
  if (isCreating) return <NewKey email={email} owner={owner} onBack={() => setCreating(false)} />;
  return <KeyList owner={owner} onCreate={() => setCreating(true)} />;
}

const Requests = lazyPart('api-key-requests', () => import('./api-key-requests.tsx'));

/** Interval in milliseconds at which displayed API keys are checked for expiry. */
const EXPIRY_CHECKED_MS = 30_000;

interface KeyListProps extends Pick<ApiKeysProps, 'owner'> {
  readonly onCreate: () => void;
}

function KeyList({ owner, onCreate }: KeyListProps) {
  const t = useWords('security');
  const keys = useApiKeys(owner);
  const revoke = useRevokeApiKeys(owner);
  const now = useNow(EXPIRY_CHECKED_MS);
  const list = keys.data ?? [];
  const count = list.filter((key) => !isExpired(key, now)).length;
  const isFull = count >= API_KEYS_MAX;
  const revokeAll = (): void =>
    revoke.mutate(undefined, {
      onSuccess: () => notify.success(t('keysRevoked')),
      onError: notify.failure,
    });
  return (
    <div className={css.form}>
      <div className={css.text}>
        <p>{t('keysLong')}</p>
        <Link to={API_KEYS_HELP} className={css.guide}>
          {t('keysGuide')}
        </Link>
      </div>
      <ListBody
        look="cards"
        skeletonRows={2}
        isLoading={keys.isPending}
        error={keys.error}
        onRetry={() => void keys.refetch()}
      >
        {list.length === 0 ? (
          <EmptyState text={t('keysNone')} />
        ) : (
          <p className={css.text}>{t('keysCount', { count, limit: API_KEYS_MAX })}</p>
        )}
        <ul className={css.keys}>
          {list.map((key) => (
            <KeyRow key={key.id} apiKey={key} owner={owner} now={now} />
          ))}
        </ul>
        {list.length < 2 ? null : (
          <TwoSteps
            label={t('keysRevokeAll')}
            question={t('keysRevokeAllSure')}
            isBusy={revoke.isPending}
            onConfirm={revokeAll}
          />
        )}
      </ListBody>
      {isFull ? <Banner tone="warning">{t('keysFull', { limit: API_KEYS_MAX })}</Banner> : null}
      <Button size="l" wide disabled={isFull} onClick={onCreate}>
        {t('keyCreate')}
      </Button>
    </div>
  );
}

function isExpired({ expireTime }: ApiKey, now: number): boolean {
  return expireTime !== 0 && expireTime <= now;
}

const KIND_NAMES = { hmac: 'HMAC', ed25519: 'Ed25519' } as const satisfies Record<ApiKey['kind'], string>;

interface KeyRowProps extends Pick<ApiKeysProps, 'owner'> {
  readonly apiKey: ApiKey;
  readonly now: number;
}

function KeyRow({ apiKey, owner, now }: KeyRowProps) {
  const t = useWords('security');
  const revoke = useRevokeApiKeys(owner);
  const [hasLog, setHasLog] = useState(false);
  const { id, name, key, kind, trade, transfer, withdrawalLimit, addresses, createTime, expireTime } = apiKey;
  const isReadOnly = trade === 0 && transfer === 0 && withdrawalLimit === undefined;
  const revokeKey = (): void =>
    revoke.mutate(id, { onSuccess: () => notify.success(t('keyRevoked')), onError: notify.failure });
  return (
    <li>
      <div className={css.keyHead}>
        <b>{name}</b>
        {isReadOnly ? <Badge tone="neutral">{t('keyReads')}</Badge> : null}
        {trade === 0 ? null : <Badge tone="warning">{t('keyTrades')}</Badge>}
        {transfer === 0 ? null : <Badge tone="warning">{t('keyTransfers')}</Badge>}
        {withdrawalLimit === undefined ? null : <Badge tone="warning">{t('keyWithdraws')}</Badge>}
        <Badge tone="neutral">{KIND_NAMES[kind]}</Badge>
        {isExpired(apiKey, now) ? <Badge tone="bad">{t('keyExpired')}</Badge> : null}
      </div>
      <ShortCode text={key} copyLabel={t('keyCopy')} />
      <p>
        {t('keyCreated')} <When at={createTime} />
      </p>
      {expireTime === 0 ? null : (
        <p>
          {t('keyExpires')} <When at={expireTime} />
        </p>
      )}
      <p>
        <LastUse apiKey={apiKey} now={now} />
      </p>
      <WithdrawalTerms apiKey={apiKey} now={now} />
      <p>{addresses.length === 0 ? t('keyAnywhere') : t('keyFrom', { addresses: addresses.join(', ') })}</p>
      <div className={css.actions}>
        <Button
          look="secondary"
          size="s"
          aria-expanded={hasLog}
          aria-label={`${t(hasLog ? 'keyLogHide' : 'keyLog')}: ${name}`}
          onClick={() => setHasLog(!hasLog)}
        >
          {t(hasLog ? 'keyLogHide' : 'keyLog')}
        </Button>
        <TwoSteps
          label={t('keyRevoke')}
          question={t('keyRevokeSure')}
          spoken={`${t('keyRevoke')}: ${name}`}
          isBusy={revoke.isPending}
          onConfirm={revokeKey}
        />
      </div>
      {hasLog ? <Requests id={id} owner={owner} /> : null}
    </li>
  );
}

/**
 * Text about the withdrawal limit of an API key, and about the time from which it may withdraw if there is a waiting
 * time; renders nothing for a key without that permission.
 */
function WithdrawalTerms({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }) {
  const t = useWords('security');
  const { withdrawalLimit, withdrawsFrom } = apiKey;
  if (withdrawalLimit === undefined) return null;
  return (
    <>
      <p>{t('keyWithdrawsUpTo', { limit: withdrawalLimit })}</p>
      {withdrawsFrom <= now ? null : (
        <p>
          {t('keyWithdrawsFrom')} <When at={withdrawsFrom} />
        </p>
      )}
    </>
  );
}

/**
 * Text about the time and IP address of an API key's last use. For an unused HMAC key that has not expired, it also
 * says what to do if the secret was not saved.
 */
function LastUse({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }) {
  const t = useWords('security');
  const { kind, lastUsedTime, lastUsedAddress } = apiKey;
  if (lastUsedTime === 0)
    return t(kind === 'hmac' && !isExpired(apiKey, now) ? 'keyUnusedSecret' : 'keyUnused');
  return (
    <>
      {t('keyUsed', { address: lastUsedAddress })} · <When at={lastUsedTime} />
    </>
  );
}

interface TwoStepsProps {
  readonly label: string;
  readonly question: string;
  readonly spoken?: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}

/** A button that, when pressed, is replaced by a question; the action runs when the user confirms it. */
function TwoSteps({ label, question, spoken, isBusy, onConfirm }: TwoStepsProps) {
  const shell = useWords('shell');
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <div className={css.actions}>
        <Button look="secondary" size="s" aria-label={spoken} onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
    );
  return (
    <div className={css.actions} role="group" aria-label={question}>
      <span className={css.text}>{question}</span>
      <Button look="danger" size="s" busy={isBusy} onClick={onConfirm}>
        {label}
      </Button>
      <Button look="secondary" size="s" onClick={() => setAsking(false)}>
        {shell('cancel')}
      </Button>
    </div>
  );
}

const EMPTY = { name: '', addresses: '', withdrawalLimit: '', publicKey: '' };

function requiredIn(field: keyof typeof EMPTY, value: string): Refusal | undefined {
  return value.trim() === '' ? refusal('invalidField', 'l.field_required', { field }) : undefined;
}

/** Returns a refusal if the typed withdrawal limit is not a positive number; the server checks it too. */
function limitProblem(value: string): Refusal | undefined {
  const isNumber = Decimal.tryParse(value.trim())?.isPositive() === true;
  return isNumber ? undefined : refusal('invalidField', 'l.field_positive', { field: 'withdrawalLimit' });
}

const CODE = ['code'] as const;
const PASSWORD_AND_CODE = ['assetsPwd', 'code'] as const;

interface NewKeyProps extends Pick<ApiKeysProps, 'email' | 'owner'> {
  readonly onBack: () => void;
}

function NewKey({ email, owner, onBack }: NewKeyProps) {
  const t = useWords('security');
  const shell = useWords('shell');
  const [mayTrade, setMayTrade] = useState(false);
  const [mayTransfer, setMayTransfer] = useState(false);
  const [mayWithdraw, setMayWithdraw] = useState(false);
  const [lifetime, setLifetime] = useState<KeyLifetime>('0');
  const [hasOwnPair, setHasOwnPair] = useState(false);
  const [openedAt] = useState(() => Math.floor(serverNow()));
  const form = useForm(EMPTY, ({ name, addresses, withdrawalLimit, publicKey }) =>
    problemsOf<typeof EMPTY>({
      name: requiredIn('name', name),
      addresses: mayWithdraw ? requiredIn('addresses', addresses) : undefined,
      withdrawalLimit: mayWithdraw ? limitProblem(withdrawalLimit) : undefined,
      publicKey: hasOwnPair ? requiredIn('publicKey', publicKey) : undefined,
    }),
  );
  const { name, addresses, withdrawalLimit, publicKey } = form.values;
  const fields = newKeyFields({
    name,
    addresses,
    owner,
    mayTrade,
    mayTransfer,
    withdrawalLimit: mayWithdraw ? withdrawalLimit : undefined,
    lifetime,
    openedAt,
    publicKey: hasOwnPair ? publicKey : '',
  });
  const { act, unanswered } = useNewKey(owner);
  return (
    <ConfirmForm
      consequence={
        <>
          <p className={css.text}>{t('keyLimits', { limit: API_KEYS_MAX })}</p>
          <UnansweredNote unanswered={unanswered} />
          <TextField
            label={t('keyName')}
            hint={t('keyNameHint')}
            maxLength={30}
            autoComplete="off"
            value={name}
            onChange={(value) => form.set('name', value)}
            onBlur={() => form.leave('name')}
            error={form.errorOf('name')}
          />
          <div className={css.choice}>
            <Checkbox label={t('keyMayTrade')} checked={mayTrade} onChange={setMayTrade} />
            <p>{t('keyMayTradeText')}</p>
          </div>
          {owner !== undefined ? null : (
            <div className={css.choice}>
              <Checkbox
                label={t('keyMayTransfer')}
                checked={mayTransfer && !mayWithdraw}
                disabled={mayWithdraw}
                onChange={setMayTransfer}
              />
              <p>{t('keyMayTransferText')}</p>
            </div>
          )}
          {owner !== undefined ? null : (
            <div className={css.choice}>
              <Checkbox label={t('keyMayWithdraw')} checked={mayWithdraw} onChange={setMayWithdraw} />
              <p>{t('keyMayWithdrawText')}</p>
            </div>
          )}
          {!mayWithdraw ? null : (
            <TextField
              label={t('keyWithdrawalLimit')}
              maxLength={30}
              autoComplete="off"
              inputMode="decimal"
              value={withdrawalLimit}
              onChange={(value) => form.set('withdrawalLimit', value)}
              onBlur={() => form.leave('withdrawalLimit')}
              error={form.errorOf('withdrawalLimit')}
            />
          )}
          <TextField
            label={t(mayWithdraw ? 'keyAddressesNeeded' : 'keyAddresses')}
            hint={t(mayWithdraw ? 'keyAddressesMost' : 'keyAddressesHint', { limit: API_KEY_ADDRESSES_MAX })}
            maxLength={500}
            autoComplete="off"
            inputMode="text"
            value={addresses}
            onChange={(value) => form.set('addresses', value)}
            onBlur={() => form.leave('addresses')}
            error={form.errorOf('addresses')}
          />
          <div className={css.lifetime}>
            <span aria-hidden="true">{t('keyLifetime')}</span>
            <Select
              label={t('keyLifetime')}
              value={lifetime}
              onChange={setLifetime}
              options={KEY_LIFETIMES.map((days) => ({
                value: days,
                label: days === '0' ? t('keyForever') : t('keyDays', { days }),
              }))}
            />
          </div>
          <Checkbox label={t('keyOwnPair')} checked={hasOwnPair} onChange={setHasOwnPair} />
          {!hasOwnPair ? null : (
            <TextArea
              label={t('keyPublic')}
              rows={4}
              maxLength={500}
              value={publicKey}
              onChange={(value) => form.set('publicKey', value)}
              error={form.errorOf('publicKey')}
            />
          )}
          {!mayTrade || mayWithdraw || addresses.trim() !== '' ? null : (
            <Banner tone="warning">{t('keyNoAddresses')}</Banner>
          )}
        </>
      }
      button={t('keyCreate')}
      back={{ label: shell('back'), onPress: onBack }}
      stepUp={mayWithdraw ? PASSWORD_AND_CODE : CODE}
      sendCode={() => sendActionCode(email, keyEndpoint(fields), fields)}
      confirms={{ endpoint: keyEndpoint(fields), fields }}
      canSend={form.check}
      check={form.check}
      refuse={form.refuse}
      act={(proof) => act(JSON.stringify(fields), () => Object.assign({}, fields, proof))}
      onDone={() => undefined}
    />
  );
}

/**
 * Hook whose submission requests a new API key. The response is stored outside the form; if the form was
 * closed before the response arrived, the user is notified where the key is shown.
 */
function useNewKey(owner: KeyOwner | undefined) {
  const t = useWords('security');
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useKeyedSubmit({
    form: owner === undefined ? 'api key' : `api key ${owner.id}`,
    title: t('keyCreate'),
    send: makeApiKey,
    onAnswered: (created) => {
      if (!isMounted.current) notify.success(t('keyWaiting', { name: created.name }));
      storeCreatedKey(created);
    },
  });
}

interface SecretProps extends Pick<ApiKeysProps, 'onSecret'> {
  readonly created: CreatedKey;
  readonly onDone: () => void;
}

/**
 * Shows a new API key, with its secret if it has one. While a secret is shown, the user can close the panel only after
 * confirming that the secret is saved.
 */
function Secret({ created, onSecret, onDone }: SecretProps) {
  const t = useWords('security');
  const { key, kind, secret } = created;
  // The secret of an HMAC key is empty if the request was repeated long after the key was created; the server then no
  // longer returns the secret.
  const isLost = kind === 'hmac' && secret === '';
  const [isSaved, setSaved] = useState(secret === '');
  useEffect(() => {
    onSecret(!isSaved);
    return () => onSecret(false);
  }, [isSaved, onSecret]);
  return (
    <div className={css.form}>
      {isLost ? <Banner tone="warning">{t('keySecretGone')}</Banner> : null}
      {secret === '' ? null : <Banner tone="warning">{t('keySecretOnce')}</Banner>}
      <div className={css.key}>
        <span>{t('keyPublicHalf')}</span>
        <code>{key}</code>
        <CopyButton text={key} label={t('keyCopy')} />
      </div>
      {secret === '' ? null : (
        <>
          <div className={css.key}>
            <span>{t('keySecret')}</span>
            <code>{secret}</code>
            <CopyButton text={secret} label={t('keySecretCopy')} />
          </div>
          <Checkbox label={t('keySecretSaved')} checked={isSaved} onChange={setSaved} />
        </>
      )}
      <Button size="l" wide disabled={!isSaved} onClick={onDone}>
        {t('done')}
      </Button>
    </div>
  );
}
