import { addressProblem, findCoinNetwork } from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { TextField } from '../ui/text-field.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, useRoute, type Person, type Route } from './parts.tsx';
import { keepAddress, mailCode } from './queries.ts';
import css from './transfer.module.css';

const PROOFS = ['assetsPwd', 'code'] as const;
const EMPTY = { address: '', memo: '', remark: '' };
type Form = typeof EMPTY;

interface AddAddressProps {
  readonly person: Person;
  readonly look: OverlayLook;
  /** What is known of it already. */
  readonly first?: Route & Pick<Form, 'address' | 'memo'>;
  readonly onDone: () => void;
}

/** Keeps one more address in the book. */
export function AddAddress({ person, look, first, onDone }: AddAddressProps) {
  const t = useWords('transfer');
  const { route, setRoute } = useRoute(first);
  const terms = findCoinNetwork(route.coin, route.network);
  const typed = { ...EMPTY, address: first?.address ?? '', memo: first?.memo ?? '' };
  const form = useForm(typed, ({ address, memo, remark }): Partial<Record<keyof Form, Refusal>> => {
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
          <div>
            <p className={css.label}>{t('coin')}</p>
            <CoinChoice coin={route.coin} look={look} onChange={setRoute} />
          </div>
          <div>
            <p className={css.label}>{t('network')}</p>
            <NetworkChoice
              {...route}
              of="withdrawal"
              onChange={(network) => setRoute({ ...route, network })}
            />
          </div>
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
        onDone();
      }}
    />
  );
}
