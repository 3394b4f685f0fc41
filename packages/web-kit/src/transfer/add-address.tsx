import {
  addressProblem,
  findCoinNetwork,
  lossProblem,
  remarkProblem,
  type CoinNetwork,
} from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { addAddress } from '@exchange/wire/withdrawal.ts';
import { sendActionCode } from '../api/action-code.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import type { Draft } from '../form/drafts.ts';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AddressHelpers } from './address-helpers.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, useRoute, type TransferUser, type Route } from './parts.tsx';
import { saveAddress } from './queries.ts';
import type { PaymentText } from './payment-text.ts';
import { destinationOf } from './withdraw-model.ts';
import { NoMemo } from './no-memo.tsx';
import css from './transfer.module.css';

const PROOFS = ['assetsPwd', 'code'] as const;
const EMPTY = { address: '', memo: '', withoutMemo: '', remark: '' };
type Form = typeof EMPTY;
const DRAFT: Draft<Form> = {
  name: 'address',
  fields: ['address', 'memo', 'remark'],
};

interface AddAddressProps {
  readonly person: TransferUser;
  readonly look: OverlayLook;
  /**
   * Initial values of the form for a new address; if absent, the form begins with the stored draft, or is
   * empty.
   */
  readonly first?: Route & Pick<Form, 'address' | 'memo'>;
  readonly onDone: () => void;
}

/** Form that adds an address to the user's address book. */
export function AddAddress({ person, look, first, onDone }: AddAddressProps) {
  const t = useWords('transfer');
  const { route, setRoute } = useRoute(first);
  const terms = findCoinNetwork(route.coin, route.network);
  const typed = { ...EMPTY, address: first?.address ?? '', memo: first?.memo ?? '' };
  const form = useForm(typed, (fields) => problemsOf(fields, terms), first === undefined ? DRAFT : undefined);
  const { memo, withoutMemo } = form.values;
  const entry = { currency: route.coin, network: route.network, ...sentOf(form.values) };
  const field = (name: Exclude<keyof Form, 'withoutMemo'>) => (
    <TextField
      label={t(name)}
      value={form.values[name]}
      onChange={(value) => form.set(name, name === 'remark' ? value : value.trim())}
      onBlur={() => form.leave(name)}
      error={form.errorOf(name)}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <ConfirmForm
      consequence={
        <div className={css.panel}>
          <div>
            <p className={css.label}>{t('coin')}</p>
            <CoinChoice coin={route.coin} look={look} onChange={setRoute} />
          </div>
          <div>
            <p className={css.label}>{t('network')}</p>
            <NetworkChoice
              {...route}
              direction="withdrawal"
              onChange={(network) => setRoute({ ...route, network })}
            />
          </div>
          {field('address')}
          <AddressHelpers terms={terms} onPayment={(payment) => fillIn(form, terms, payment)} />
          {terms?.network.memo === true ? field('memo') : null}
          {terms?.network.memo === true && memo === '' ? (
            <NoMemo
              isConfirmed={withoutMemo === '1'}
              onChange={(isConfirmed) => {
                form.set('withoutMemo', isConfirmed ? '1' : '');
                form.checkField('memo');
              }}
            />
          ) : null}
          {field('remark')}
          <p className={css.note}>{t('newWaits')}</p>
        </div>
      }
      button={t('addAddress')}
      stepUp={PROOFS}
      sendCode={() => sendActionCode(person.email, addAddress, entry)}
      confirms={{ endpoint: addAddress, fields: entry }}
      canSend={form.check}
      {...(person.demoPassword === undefined
        ? {}
        : { passwordHint: t('demoPassword', { password: person.demoPassword }) })}
      check={form.check}
      refuse={form.refuse}
      act={(proof) => saveAddress({ ...entry, ...proof })}
      onDone={() => {
        form.removeDraft();
        notify.success(t('added'));
        onDone();
      }}
    />
  );
}

/** Enters the address of a payment link or pasted text into the form, and its memo if the network uses memos. */
function fillIn(
  form: Pick<ReturnType<typeof useForm<Form>>, 'set' | 'checkField'>,
  terms: CoinNetwork | undefined,
  { address, memo = '' }: PaymentText,
): void {
  form.set('address', address);
  form.set('memo', terms?.network.memo === true ? memo : '');
  form.set('withoutMemo', '');
  form.checkField('address');
}

/**
 * Returns the validation errors of a new address by field; the server uses the same rules. For an unknown
 * network (`terms` is undefined), only an empty address is an error.
 */
function problemsOf(fields: Form, terms: CoinNetwork | undefined): Partial<Record<keyof Form, Refusal>> {
  const { address, remark } = fields;
  if (address === '') return { address: refusal('invalidField', 'l.address_required') };
  if (terms === undefined) return {};
  const destination = destinationOf(fields, terms);
  const fieldsToCheck = {
    address: destination.address,
    ...(destination.memo === undefined ? {} : { memo: destination.memo }),
    ...(remark === '' ? {} : { remark }),
    withoutMemo: destination.withoutMemo,
  };
  const wrong =
    addressProblem(terms, fieldsToCheck) ??
    remarkProblem(terms, remark) ??
    lossProblem(terms.network, destination.address);
  const field = wrong?.parameters['field'];
  if (wrong === undefined) return {};
  return { [field === 'memo' || field === 'remark' ? field : 'address']: wrong };
}

/**
 * Returns the request fields of a new address; empty fields are omitted, and `withoutMemo` is sent only if it
 * is `1` and the memo is empty.
 */
function sentOf({ address, memo, withoutMemo, remark }: Form) {
  return {
    address,
    ...(memo === '' ? {} : { memo }),
    ...(memo === '' && withoutMemo === '1' ? { withoutMemo: '1' as const } : {}),
    ...(remark === '' ? {} : { remark }),
  };
}
