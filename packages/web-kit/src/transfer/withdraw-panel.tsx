import {
  addressProblem,
  arrivalOf,
  findCoinNetwork,
  mostWithdrawable,
  withdrawalProblem,
} from '@exchange/core/network.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { AmountField } from '../form/amount-field.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import type { StepUp } from '../form/step-up.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount } from '../format/numbers.tsx';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Select } from '../ui/choice.tsx';
import { Banner } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RouteChoice, type Person } from './parts.tsx';
import {
  mailWithdrawalCode,
  useAddresses,
  useWithdrawalConfig,
  withdraw,
  type WithdrawalPayload,
} from './queries.ts';
import { useRoute } from './use-route.ts';
import css from './transfer.module.css';

const CLOCK_MS = 10_000;
const PROOFS = ['assetsPwd', 'code'] as const;
const EMPTY = { amount: '', address: '', memo: '', remark: '' };
type Form = typeof EMPTY;

interface PanelProps {
  readonly person: Person;
  /** Where everybody reads how long withdrawals took. */
  readonly timesPath: string;
}

/** Sends coins out: where to, how much, what arrives, and the proofs that it is wanted. */
export function WithdrawPanel({ person, timesPath }: PanelProps) {
  const t = useWords('transfer');
  const { route, onChange } = useRoute();
  const [round, setRound] = useState(0);
  return (
    <div className={css.panel}>
      <RouteChoice {...route} onChange={onChange} />
      <WithdrawForm
        key={`${route.coin} ${route.network} ${round}`}
        {...route}
        person={person}
        onDone={() => {
          notify.success(t('requested'));
          setRound(round + 1);
        }}
      />
      <Link className={css.link} to={timesPath}>
        {t('timesLink')}
      </Link>
    </div>
  );
}

interface FormProps {
  readonly coin: string;
  readonly network: string;
  readonly person: Person;
  readonly onDone: () => void;
}

function WithdrawForm({ coin, network, person, onDone }: FormProps) {
  const t = useWords('transfer');
  const model = useWithdrawForm(coin, network);
  const { form, config, most, terms } = model;
  if (config === undefined || terms === undefined) return null;
  const consequence = (
    <div className={css.panel}>
      <Bars config={config} />
      <Place coin={coin} network={network} model={model} />
      <AmountField
        label={t('amount')}
        coin={coin}
        value={form.values.amount}
        onChange={(value) => form.set('amount', value)}
        places={config.precision}
        available={config.available}
        most={most}
        error={form.errorOf('amount')}
      />
      <TextField
        label={t('remark')}
        value={form.values.remark}
        onChange={(value) => form.set('remark', value)}
        error={form.errorOf('remark')}
        maxLength={60}
      />
      <Facts coin={coin} config={config} amount={form.values.amount} terms={terms} />
      <p className={css.note}>{t('promise')}</p>
      <UnansweredNote unanswered={model.unanswered} />
    </div>
  );
  return (
    <ConfirmForm
      consequence={consequence}
      button={t('withdraw')}
      stepUp={PROOFS}
      sendCode={model.sendCode}
      canSend={form.check}
      {...(person.demoPassword === undefined
        ? {}
        : { passwordHint: t('demoPassword', { password: person.demoPassword }) })}
      isIdle={config.paused === 1 || config.holdUntil > 0}
      check={form.check}
      refuse={form.refuse}
      act={model.act}
      onDone={onDone}
    />
  );
}

type Model = ReturnType<typeof useWithdrawForm>;
type Config = NonNullable<Model['config']>;

/** What stands in the way, or narrows it. */
function Bars({ config }: { readonly config: Config }) {
  const t = useWords('transfer');
  return (
    <>
      {config.paused === 1 ? <Banner tone="warning">{t('closed')}</Banner> : null}
      {config.holdUntil > 0 ? (
        <Banner tone="warning">
          {t('hold')} <Remaining until={config.holdUntil} />
        </Banner>
      ) : null}
      {config.whitelistOnly === 1 ? <Banner>{t('whitelistOn')}</Banner> : null}
    </>
  );
}

/** Where to: from the address book, or typed. */
function Place({
  coin,
  network,
  model,
}: {
  readonly coin: string;
  readonly network: string;
  readonly model: Model;
}) {
  const t = useWords('transfer');
  const { form, terms } = model;
  const book =
    useAddresses().data?.list.filter((one) => one.currency === coin && one.network === network) ?? [];
  return (
    <>
      {book.length === 0 ? null : (
        <Select
          label={t('fromBook')}
          className={css.select}
          value={book.find(({ address }) => address === form.values.address)?.id ?? ''}
          onChange={(id) => {
            const kept = book.find((one) => one.id === id);
            form.set('address', kept?.address ?? '');
            form.set('memo', kept?.memo ?? '');
          }}
          options={[
            { value: '', label: t('fromBook') },
            ...book.map(({ id, address, remark }) => ({
              value: id,
              label: `${remark ?? ''} ${address}`.trim(),
            })),
          ]}
        />
      )}
      <TextField
        label={t('address')}
        value={form.values.address}
        onChange={(value) => form.set('address', value.trim())}
        onBlur={() => form.leave('address')}
        error={form.errorOf('address')}
        autoComplete="off"
        spellCheck={false}
      />
      {terms?.network.memo !== true ? null : (
        <TextField
          label={t('memo')}
          value={form.values.memo}
          onChange={(value) => form.set('memo', value.trim())}
          onBlur={() => form.leave('memo')}
          error={form.errorOf('memo')}
          autoComplete="off"
        />
      )}
    </>
  );
}

interface FactsProps {
  readonly coin: string;
  readonly config: Config;
  readonly amount: string;
  readonly terms: NonNullable<Model['terms']>;
}

/** Limits, the fee and what arrives. */
function Facts({ coin, config, amount, terms }: FactsProps) {
  const t = useWords('transfer');
  const number = Decimal.tryParse(amount) ?? Decimal.zero;
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t('limits')}</dt>
        <dd>
          <Amount value={config.min} /> – <Amount value={config.max} coin={coin} />
        </dd>
      </div>
      <div>
        <dt>{t('fee')}</dt>
        <dd>
          <Amount value={config.fee} coin={coin} />
        </dd>
      </div>
      <div>
        <dt>{t('dayLimit')}</dt>
        <dd>
          <Amount value={config.dayUsed} digits={2} /> /{' '}
          <Amount value={config.dayLimit} digits={2} coin="USDT" />
        </dd>
      </div>
      <div>
        <dt>{t('monthLimit')}</dt>
        <dd>
          <Amount value={config.monthUsed} digits={2} /> /{' '}
          <Amount value={config.monthLimit} digits={2} coin="USDT" />
        </dd>
      </div>
      <div>
        <dt>{t('arrival')}</dt>
        <dd>
          <b>
            <Amount value={arrivalOf(terms, number).toString()} coin={coin} />
          </b>
        </dd>
      </div>
    </dl>
  );
}

function useWithdrawForm(coin: string, network: string) {
  const config = useWithdrawalConfig(coin, network).data;
  const now = instant(Math.floor(useNow(CLOCK_MS)));
  const terms = findCoinNetwork(coin, network);
  const state =
    config === undefined
      ? undefined
      : {
          available: Decimal.parse(config.available),
          dayUsed: Decimal.parse(config.dayUsed),
          monthUsed: Decimal.parse(config.monthUsed),
          price: config.price === undefined ? undefined : Decimal.parse(config.price),
          holdUntil: instant(config.holdUntil),
          limits: {
            day: Decimal.parse(config.dayLimit),
            month: Decimal.parse(config.monthLimit),
            auto: Decimal.parse(config.autoLimit),
          },
        };
  const problems = ({ amount, address, memo, remark }: Form): Partial<Record<keyof Form, Refusal>> => {
    if (terms === undefined || state === undefined) return {};
    const found: Partial<Record<keyof Form, Refusal>> = {};
    const given = { address, ...(memo === '' ? {} : { memo }), ...(remark === '' ? {} : { remark }) };
    const wrong =
      address === '' ? refusal('invalidField', 'l.address_required') : addressProblem(terms, given);
    const field = wrong?.parameters['field'];
    if (wrong !== undefined) found[field === 'memo' || field === 'remark' ? field : 'address'] = wrong;
    const number = Decimal.tryParse(amount);
    const bad =
      number === undefined
        ? refusal('invalidField', 'l.amount_required')
        : withdrawalProblem(terms, number, state, now);
    if (bad !== undefined) found.amount = bad;
    return found;
  };
  const form = useForm(EMPTY, problems);
  const refusedWith = useRef<readonly Error[]>([]);
  const { submit, unanswered } = useKeyedSubmit({
    form: `transfer withdraw ${coin} ${network}`,
    send: withdraw,
    onAnswered: () => undefined,
    refuse: (error) => {
      refusedWith.current = [error as Error];
      return true;
    },
  });
  const place = () => {
    const { amount, address, memo } = form.values;
    return { currency: coin, network, amount, address, ...(memo === '' ? {} : { memo }) };
  };
  const act = async (proof: Partial<StepUp>): Promise<boolean> => {
    refusedWith.current = [];
    const { amount, address, memo, remark } = form.values;
    const payload = (): WithdrawalPayload => ({
      ...place(),
      ...(remark === '' ? {} : { remark }),
      ...proof,
    });
    const isDone = await submit(JSON.stringify([coin, network, amount, address, memo]), payload);
    const [refused] = refusedWith.current;
    if (refused !== undefined) throw refused;
    return isDone;
  };
  const most =
    terms === undefined || state === undefined ? undefined : mostWithdrawable(terms, state).toString();
  return { form, config, terms, most, act, unanswered, sendCode: () => mailWithdrawalCode(place()) };
}
