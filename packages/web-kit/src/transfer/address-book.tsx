import { addressProblem, findCoinNetwork } from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { useForm } from '../form/use-form.ts';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Banner } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RouteChoice, type Person } from './parts.tsx';
import {
  dropAddress,
  keepAddress,
  mailCode,
  switchWhitelist,
  useAddresses,
  type AddressRow,
} from './queries.ts';
import { useRoute } from './use-route.ts';
import css from './transfer.module.css';

const PROOFS = ['assetsPwd', 'code'] as const;
const PASSWORD = ['assetsPwd'] as const;
type Mode = 'none' | 'add' | 'whitelist' | AddressRow;

/** Addresses to withdraw to: what there is, one more, one less, and whether only these. */
export function AddressBook({ person }: { readonly person: Person }) {
  const t = useWords('transfer');
  const book = useAddresses();
  const [mode, setMode] = useState<Mode>('none');
  const close = () => setMode('none');
  const hint =
    person.demoPassword === undefined
      ? {}
      : { passwordHint: t('demoPassword', { password: person.demoPassword }) };
  const back = { label: t('back'), onPress: close };
  const sendCode = () => mailCode(person.email);
  const isOn = book.data?.whitelistOnly === 1;
  if (mode === 'add') return <AddForm person={person} onClose={close} />;
  if (mode === 'whitelist')
    return (
      <ConfirmForm
        consequence={<p className={css.note}>{t(isOn ? 'whitelistOffText' : 'whitelistOnText')}</p>}
        button={t(isOn ? 'turnOff' : 'turnOn')}
        stepUp={PROOFS}
        sendCode={sendCode}
        {...hint}
        act={(proof) => switchWhitelist({ on: isOn ? '0' : '1', ...proof })}
        onDone={close}
        back={back}
      />
    );
  if (mode !== 'none')
    return (
      <ConfirmForm
        consequence={<p className={css.note}>{t('removeText', { address: mode.address })}</p>}
        button={t('remove')}
        look="danger"
        stepUp={PASSWORD}
        {...hint}
        act={(proof) => dropAddress({ id: mode.id, ...proof })}
        onDone={close}
        back={back}
      />
    );
  return (
    <div className={css.panel}>
      <Banner
        end={
          <Button look="secondary" size="s" onClick={() => setMode('whitelist')}>
            {t(isOn ? 'turnOff' : 'turnOn')}
          </Button>
        }
      >
        {t(isOn ? 'whitelistOn' : 'whitelistOffNow')}
      </Banner>
      <div className={css.buttons}>
        <Button onClick={() => setMode('add')}>{t('addAddress')}</Button>
      </div>
      <ListBody
        isLoading={book.isPending}
        error={book.error}
        onRetry={() => void book.refetch()}
        isEmpty={book.data?.list.length === 0}
        empty={t('noAddresses')}
      >
        {book.data?.list.map((row) => (
          <Kept key={row.id} row={row} onRemove={() => setMode(row)} />
        ))}
      </ListBody>
    </div>
  );
}

function Kept({ row, onRemove }: { readonly row: AddressRow; readonly onRemove: () => void }) {
  const t = useWords('transfer');
  const now = useNow();
  return (
    <article className={css.row}>
      <b>{row.remark ?? row.currency}</b>
      <span className={css.end}>
        {row.activeTime > now ? (
          <Badge tone="warning">
            {t('activeIn')}&nbsp;
            <Remaining until={row.activeTime} />
          </Badge>
        ) : null}
        <Button look="quiet" size="s" onClick={onRemove}>
          {t('remove')}
        </Button>
      </span>
      <small>
        {row.currency} · {row.network}
        {row.memo === undefined ? '' : ` · ${t('memo')} ${row.memo}`}
      </small>
      <span className={css.mono}>{row.address}</span>
    </article>
  );
}

const EMPTY = { address: '', memo: '', remark: '' };
type Form = typeof EMPTY;

function AddForm({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const t = useWords('transfer');
  const { route, onChange } = useRoute();
  const terms = findCoinNetwork(route.coin, route.network);
  const form = useForm(EMPTY, ({ address, memo, remark }): Partial<Record<keyof Form, Refusal>> => {
    if (address === '') return { address: refusal('invalidField', 'l.address_required') };
    const given = { address, ...(memo === '' ? {} : { memo }), ...(remark === '' ? {} : { remark }) };
    const wrong = terms === undefined ? undefined : addressProblem(terms, given);
    const field = wrong?.parameters['field'];
    if (wrong === undefined) return {};
    return { [field === 'memo' || field === 'remark' ? field : 'address']: wrong };
  });
  const { address, memo, remark } = form.values;
  const field = (name: keyof Form) => (
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
          <RouteChoice {...route} onChange={onChange} />
          {field('address')}
          {terms?.network.memo === true ? field('memo') : null}
          {field('remark')}
          <p className={css.note}>{t('newWaits')}</p>
        </div>
      }
      button={t('addAddress')}
      stepUp={PROOFS}
      sendCode={() => mailCode(person.email)}
      {...(person.demoPassword === undefined
        ? {}
        : { passwordHint: t('demoPassword', { password: person.demoPassword }) })}
      check={form.check}
      refuse={form.refuse}
      act={(proof) =>
        keepAddress({
          ...{ currency: route.coin, network: route.network, address },
          ...(memo === '' ? {} : { memo }),
          ...(remark === '' ? {} : { remark }),
          ...proof,
        })
      }
      onDone={() => {
        notify.success(t('added'));
        onClose();
      }}
      back={{ label: t('back'), onPress: onClose }}
    />
  );
}
