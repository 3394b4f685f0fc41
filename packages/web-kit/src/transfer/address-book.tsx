import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { removeAddress, setWhitelist } from '@exchange/wire/withdrawal.ts';
import { sendActionCode } from '../api/action-code.ts';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { Remaining } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { AddAddress } from './add-address.tsx';
import { AddressCards, AddressTable } from './address-lists.tsx';
import css from './address-book.module.css';
import type { TransferUser } from './parts.tsx';
import { deleteAddress, switchWhitelist, useAddresses, type AddressRow } from './queries.ts';

const PROOFS = ['assetsPwd', 'code'] as const;
const DIALOG_PX = 480;
type BookAction = 'add' | 'whitelist' | AddressRow;

interface BookProps {
  readonly person: TransferUser;
  /** `table` lists the addresses in a table, for wide screens; `cards` as cards, for phones. */
  readonly list: 'table' | 'cards';
  readonly look: OverlayLook;
}

/**
 * The user's address book for withdrawals: list of the addresses, buttons to add and remove an address, and the switch
 * that allows withdrawals only to these addresses.
 */
export function AddressBook({ person, list, look }: BookProps) {
  const t = useWords('transfer');
  const shell = useWords('shell');
  const book = useAddresses();
  const [action, setAction] = useState<BookAction>();
  const close = () => setAction(undefined);
  const isOn = book.data?.whitelistOnly === 1;
  const rows = book.data?.list ?? [];
  const add = (
    <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAction('add')}>
      {t('addAddress')}
    </Button>
  );
  return (
    <div className={css.book}>
      <section className={css.whitelist} aria-label={t('whitelist')}>
        <div>
          <h2>{t('whitelist')}</h2>
          <p>{t(isOn ? 'whitelistOn' : 'whitelistOffNow')}</p>
          {book.data?.whitelistOffTime === undefined ? null : (
            <p>
              {t('whitelistEnds')} <Remaining until={book.data.whitelistOffTime} />
            </p>
          )}
        </div>
        <Button
          look="secondary"
          size="s"
          disabled={book.data === undefined}
          onClick={() => setAction('whitelist')}
        >
          {t(isOn ? 'turnOff' : 'turnOn')}
        </Button>
      </section>
      <section className={css.kept} aria-label={t('addressTitle')}>
        <header>
          <h2>{t('kept', { count: rows.length, most: book.data?.most ?? '–' })}</h2>
          {add}
        </header>
        <ListBody
          isLoading={book.isPending}
          error={book.error}
          onRetry={() => void book.refetch()}
          isEmpty={rows.length === 0}
          empty={t('noAddresses')}
        >
          {list === 'table' ? (
            <AddressTable rows={rows} onRemove={setAction} />
          ) : (
            <AddressCards rows={rows} onRemove={setAction} />
          )}
        </ListBody>
      </section>
      <Over
        isOpen={action !== undefined}
        onClose={close}
        title={t(titleOf(action))}
        closeLabel={shell('close')}
        look={look}
        width={DIALOG_PX}
      >
        {action === 'add' ? <AddAddress person={person} look={look} onDone={close} /> : null}
        {action === 'whitelist' ? <Whitelist person={person} isOn={isOn} onDone={close} /> : null}
        {typeof action === 'object' ? <Removal person={person} row={action} onDone={close} /> : null}
      </Over>
    </div>
  );
}

function titleOf(action: BookAction | undefined) {
  return action === 'whitelist' ? 'whitelist' : typeof action === 'object' ? 'removeTitle' : 'addAddress';
}

interface BookFormProps {
  readonly person: TransferUser;
  readonly onDone: () => void;
}

function Whitelist({ person, isOn, onDone }: BookFormProps & { readonly isOn: boolean }) {
  const t = useWords('transfer');
  const on = isOn ? '0' : '1';
  return (
    <ConfirmForm
      consequence={<p className={css.text}>{t(isOn ? 'whitelistOffText' : 'whitelistOnText')}</p>}
      button={t(isOn ? 'turnOff' : 'turnOn')}
      stepUp={PROOFS}
      sendCode={() => sendActionCode(person.email, setWhitelist, { on })}
      confirms={{ endpoint: setWhitelist, fields: { on } }}
      {...useHint(person)}
      act={(proof) => switchWhitelist({ on, ...proof })}
      onDone={onDone}
    />
  );
}

function Removal({ person, row, onDone }: BookFormProps & { readonly row: AddressRow }) {
  const t = useWords('transfer');
  return (
    <ConfirmForm
      consequence={
        <p className={css.text}>
          {t('removeText', {
            address: row.address,
            currency: row.currency,
            network: row.network,
          })}
        </p>
      }
      button={t('remove')}
      look="danger"
      stepUp={PROOFS}
      sendCode={() => sendActionCode(person.email, removeAddress, { id: row.id })}
      confirms={{ endpoint: removeAddress, fields: { id: row.id } }}
      {...useHint(person)}
      act={(proof) => deleteAddress({ id: row.id, ...proof })}
      onDone={onDone}
    />
  );
}

/**
 * Returns the property `passwordHint` with the trade password of the shared demo account; for all other users
 * an object without it.
 */
function useHint({ demoPassword }: TransferUser): { passwordHint?: ReactNode } {
  const t = useWords('transfer');
  return demoPassword === undefined ? {} : { passwordHint: t('demoPassword', { password: demoPassword }) };
}
