import { Decimal } from '@exchange/core/decimal.ts';
import { refusal } from '@exchange/core/refusal.ts';
import { SUB_ACCOUNT_NAME_LENGTH, SUB_ACCOUNT_NOTE_LENGTH } from '@exchange/wire/sub-account.ts';
import { ArrowDownUp } from 'lucide-react';
import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { useBalances } from '../balance/balances.ts';
import { AmountField } from '../form/amount-field.tsx';
import { decimalProblem } from '../form/decimal-text.ts';
import { SubmitForm } from '../form/submit-form.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount, When } from '../format/numbers.tsx';
import { refusalText, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { IconButton } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { Banner } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { problemsOf } from './forms.ts';
import {
  archive,
  create,
  rename,
  transfer,
  useSubAccountTransfers,
  type SubAccount,
} from './sub-account-actions.ts';
import css from './sub-accounts.module.css';

/** Maximum number of decimals of an amount in the transfer form, equal to that of the server's ledger. */
const PLACES = 18;
/** Value of the option that means the main account. */
const MAIN = '';

interface NamingFormProps {
  /** The sub-account whose name and note are changed; undefined if a new one is created. */
  readonly account: SubAccount | undefined;
  readonly onDone: () => void;
}

/** Form for the name and the note of a new or an existing sub-account. */
export function NamingForm({ account, onDone }: NamingFormProps) {
  const t = useWords('subaccount');
  const form = useForm({ name: account?.name ?? '', note: account?.note ?? '' }, ({ name }) =>
    problemsOf<{ name: string }>({
      name: name.trim() === '' ? refusal('invalidField', 'l.field_required', { field: 'name' }) : undefined,
    }),
  );
  const { name, note } = form.values;
  const { act, isBusy, unanswered } = useNaming(account);
  return (
    <SubmitForm
      form={form}
      act={() => act(JSON.stringify([name, note]), () => ({ name: name.trim(), note: note.trim() }))}
      onDone={onDone}
      isBusy={isBusy}
      button={account === undefined ? t('create') : t('save')}
      className={css.form}
    >
      <UnansweredNote unanswered={unanswered} />
      <TextField
        label={t('name')}
        value={name}
        onChange={(value) => form.set('name', value)}
        onBlur={() => form.leave('name')}
        error={form.errorOf('name')}
        maxLength={SUB_ACCOUNT_NAME_LENGTH}
        autoComplete="off"
      />
      <TextField
        label={t('note')}
        value={note}
        onChange={(value) => form.set('note', value)}
        error={form.errorOf('note')}
        maxLength={SUB_ACCOUNT_NOTE_LENGTH}
        autoComplete="off"
      />
    </SubmitForm>
  );
}

function useNaming(account: SubAccount | undefined) {
  const t = useWords('subaccount');
  return useKeyedSubmit<{ readonly name: string; readonly note: string }, { readonly id: string }>({
    form: `sub-account ${account?.id ?? 'new'}`,
    title: account === undefined ? t('create') : t('rename'),
    send: ({ payload, ...submission }) =>
      account === undefined
        ? create({ ...submission, payload })
        : rename({ ...submission, payload: { id: account.id, ...payload } }),
    onAnswered: () => notify.success(account === undefined ? t('created') : t('saved')),
  });
}

interface ArchiveFormProps {
  readonly account: SubAccount;
  readonly onDone: () => void;
}

/** Form that archives a sub-account; possible only if its balances are empty. */
export function ArchiveForm({ account, onDone }: ArchiveFormProps) {
  const t = useWords('subaccount');
  const form = useForm({}, () => ({}));
  const { act, isBusy, unanswered } = useKeyedSubmit({
    form: `archive sub-account ${account.id}`,
    title: `${t('archive')}: ${account.name}`,
    send: archive,
    onAnswered: () => notify.success(t('archived')),
  });
  const hasCoins = account.balances.length > 0;
  return (
    <SubmitForm
      form={form}
      act={() => act(account.id, () => ({ id: account.id }))}
      onDone={onDone}
      isBusy={isBusy}
      button={t('archive')}
      className={css.form}
    >
      <p className={css.lead}>{t('archiveText')}</p>
      {hasCoins ? <Banner tone="warning">{t('archiveFirst')}</Banner> : null}
      <UnansweredNote unanswered={unanswered} />
    </SubmitForm>
  );
}

interface TransferFormProps {
  /** The user's sub-accounts without archived ones. */
  readonly accounts: readonly SubAccount[];
  /** The sub-account that is initially selected as the receiver of the transfer; if undefined, the first one. */
  readonly account: SubAccount | undefined;
  readonly onDone: () => void;
}

/**
 * Form that transfers an amount of one coin between two accounts of the user: the main account and the sub-accounts.
 */
export function TransferForm({ accounts, account, onDone }: TransferFormProps) {
  const t = useWords('subaccount');
  const [from, setFrom] = useState(MAIN);
  const [to, setTo] = useState(account?.id ?? accounts[0]?.id ?? MAIN);
  const [wantedCoin, setCoin] = useState('USDT');
  const [amount, setAmount] = useState('');
  const coins = useAvailable(accounts, from);
  const coin = coins.has(wantedCoin) ? wantedCoin : ([...coins.keys()][0] ?? wantedCoin);
  const available = coins.get(coin);
  const problem = amountProblem(t('amount'), amount, available);
  const isTooMuch =
    problem === undefined &&
    available !== undefined &&
    Decimal.parse(amount).isMore(Decimal.parse(available));
  const { act, isBusy, unanswered } = useKeyedSubmit({
    form: 'sub-account transfer',
    title: t('transferTitle'),
    send: transfer,
    onAnswered: () => notify.success(t('transferred')),
  });
  const form = { check: () => problem === undefined && !isTooMuch && from !== to, refuse: () => false };
  const options = [
    { value: MAIN, label: t('main') },
    ...accounts.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const swap = () => {
    setFrom(to);
    setTo(from);
  };
  const fields = {
    ...(from === MAIN ? {} : { from }),
    ...(to === MAIN ? {} : { to }),
    coin,
    amount,
  };
  const error = isTooMuch ? t('tooMuch') : problem === undefined ? undefined : refusalText(problem);
  return (
    <SubmitForm
      form={form}
      act={() => act(JSON.stringify(fields), () => fields)}
      onDone={onDone}
      isBusy={isBusy}
      button={t('transfer')}
      className={css.form}
    >
      <div className={css.route}>
        <label>
          <span>{t('from')}</span>
          <Select label={t('from')} value={from} onChange={setFrom} options={withoutOther(options, to)} />
        </label>
        <IconButton label={t('swap')} onClick={swap}>
          <ArrowDownUp size={18} aria-hidden="true" />
        </IconButton>
        <label>
          <span>{t('to')}</span>
          <Select label={t('to')} value={to} onChange={setTo} options={withoutOther(options, from)} />
        </label>
      </div>
      {coins.size === 0 ? (
        <Banner tone="warning">{t('nothing')}</Banner>
      ) : (
        <label className={css.field}>
          <span>{t('coin')}</span>
          <Select
            label={t('coin')}
            value={coin}
            onChange={setCoin}
            options={[...coins.keys()].map((code) => ({ value: code, label: code }))}
          />
        </label>
      )}
      <AmountField
        label={t('amount')}
        coin={coin}
        value={amount}
        onChange={setAmount}
        places={PLACES}
        available={available}
        error={amount === '' ? undefined : error}
      />
      <p className={css.quiet}>{t('free')}</p>
      <UnansweredNote unanswered={unanswered} />
    </SubmitForm>
  );
}

/**
 * Returns the accounts that can be selected as sender (or receiver) of a transfer: all except the selected
 * receiver (or sender).
 */
function withoutOther(
  options: readonly { readonly value: string; readonly label: string }[],
  other: string,
): readonly { readonly value: string; readonly label: string }[] {
  return options.filter(({ value }) => value !== other);
}

/** The available amounts of an account by coin; coins without an available amount are omitted. */
function useAvailable(accounts: readonly SubAccount[], account: string): ReadonlyMap<string, string> {
  const main = useBalances();
  const balances =
    account === MAIN
      ? (main.data?.list.map(({ currency, availableCurrency }) => [currency, availableCurrency] as const) ??
        [])
      : (accounts
          .find(({ id }) => id === account)
          ?.balances.map(({ currency, available }) => [currency, available] as const) ?? []);
  return new Map(balances.filter(([, available]) => available !== '0'));
}

function amountProblem(label: string, amount: string, available: string | undefined) {
  const problem = decimalProblem(label, amount, PLACES);
  if (problem !== undefined) return problem;
  if (amount === '' || available === undefined || !Decimal.parse(amount).isPositive())
    return refusal('invalidField', 'l.field_required', { field: 'amount' });
  return undefined;
}

/** List of the transfers between all accounts of the user, newest first. */
export function TransferHistory({ accounts }: { readonly accounts: readonly SubAccount[] }) {
  const t = useWords('subaccount');
  const transfers = useSubAccountTransfers();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => (id === MAIN ? t('main') : (names.get(id) ?? t('unknownAccount')));
  return (
    <ListBody
      isLoading={transfers.isLoading}
      error={transfers.error}
      onRetry={() => void transfers.reload()}
      isEmpty={transfers.rows.length === 0}
      empty={t('historyNone')}
    >
      <ul className={css.history}>
        {transfers.rows.map(({ id, from, to, currency, amount, time }) => (
          <li key={id}>
            <span>
              {nameOf(from)} → {nameOf(to)}
            </span>
            <Amount value={amount} kind="sum" coin={currency} />
            <When at={time} look="dated" className={css.quiet} />
          </li>
        ))}
      </ul>
      <ListEnd list={transfers} />
    </ListBody>
  );
}
