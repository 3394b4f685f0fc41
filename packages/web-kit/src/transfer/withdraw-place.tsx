import { BookUser, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Remaining } from '../format/remaining.tsx';
import { shortenCode } from '../format/grouped-code.tsx';
import { useWords } from '../i18n/words.ts';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { Picker } from '../ui/picker.tsx';
import { Step } from '../ui/steps.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AddAddress } from './add-address.tsx';
import { AddressHelpers } from './address-helpers.tsx';
import { NoMemo } from './no-memo.tsx';
import type { TransferUser, Route } from './parts.tsx';
import type { AddressRow } from './queries.ts';
import type { WithdrawControl } from './use-withdraw.ts';
import {
  isValidDestination,
  bookEntryOf,
  type WithdrawFields,
  type WithdrawContext,
} from './withdraw-model.ts';
import css from './withdraw.module.css';

/** If an input event adds at least this many characters, the text counts as pasted and is validated immediately. */
const PASTE_LENGTH = 4;
const BOOK_PX = 420;
const DIALOG_PX = 480;

interface PlaceProps extends Route {
  readonly control: WithdrawControl;
  readonly moment: WithdrawContext;
  readonly person: TransferUser;
  readonly look: OverlayLook;
}

/**
 * Inputs of a withdrawal's address, of the memo if the network has one, and of the remark. The user selects the address
 * from the address book or types it; a pasted address is validated immediately.
 */
export function WithdrawPlace({ coin, network, control, moment, person, look }: PlaceProps) {
  const t = useWords('transfer');
  const { form, book } = control;
  const field = (name: 'memo' | 'remark') => (
    <TextField
      label={t(name)}
      value={form.values[name]}
      onChange={(value) => form.set(name, name === 'memo' ? value.trim() : value)}
      onBlur={() => form.leave(name)}
      error={form.errorOf(name)}
      autoComplete="off"
      maxLength={60}
    />
  );
  return (
    <Step
      title={t('withdrawTo')}
      end={book.length === 0 ? null : <BookPicker control={control} now={moment.now} look={look} />}
    >
      {moment.isListedOnly ? <p className={css.listed}>{t('whitelistOn')}</p> : null}
      <div>
        <TextField
          label={t('address')}
          placeholder={t('addressPlaceholder')}
          value={form.values.address}
          onChange={(value) => {
            const isPasted = value.length - form.values.address.length >= PASTE_LENGTH;
            form.set('address', value.trim());
            if (isPasted) form.checkField('address');
          }}
          onBlur={() => form.leave('address')}
          error={form.errorOf('address')}
          autoComplete="off"
          spellCheck={false}
        />
        <AddressHelpers
          terms={moment.terms}
          onPayment={({ address, memo, amount }) => {
            form.set('address', address);
            if (moment.terms.network.memo) form.set('memo', memo ?? '');
            form.set('withoutMemo', '');
            if (amount !== undefined) form.set('amount', amount);
            form.checkField('address');
          }}
        />
        <AddressNote
          coin={coin}
          network={network}
          moment={moment}
          person={person}
          look={look}
          fields={form.values}
        />
      </div>
      {moment.terms.network.memo ? field('memo') : null}
      {moment.terms.network.memo && form.values.memo === '' ? (
        <NoMemo
          isConfirmed={form.values.withoutMemo === '1'}
          onChange={(isConfirmed) => {
            form.set('withoutMemo', isConfirmed ? '1' : '');
            form.checkField('memo');
          }}
        />
      ) : null}
      {field('remark')}
    </Step>
  );
}

interface AddressNoteProps extends Omit<PlaceProps, 'control'> {
  readonly fields: WithdrawFields;
}

/** Note below a valid address: its label in the address book, or a button that adds it to the address book. */
function AddressNote({ coin, network, moment, person, look, fields }: AddressNoteProps) {
  const t = useWords('transfer');
  const shell = useWords('shell');
  const [isAdding, setAdding] = useState(false);
  if (!isValidDestination(fields, moment.terms)) return null;
  const bookEntry = bookEntryOf(fields, moment.book);
  return (
    <div className={css.checked}>
      <p className={css.valid}>
        <CircleCheck size={14} aria-hidden="true" />
        {bookEntry === undefined
          ? t('addressValid', { network: moment.terms.network.name })
          : t('addressKept', { label: bookEntry.remark ?? shortenCode(bookEntry.address) })}
      </p>
      {bookEntry !== undefined ? null : (
        <>
          <p className={css.hint}>
            {t('newIsReviewed')}{' '}
            <button type="button" className={css.action} onClick={() => setAdding(true)}>
              {t('saveToBook')}
            </button>
          </p>
          <Over
            isOpen={isAdding}
            onClose={() => setAdding(false)}
            title={t('addAddress')}
            closeLabel={shell('close')}
            look={look}
            width={DIALOG_PX}
          >
            <AddAddress
              person={person}
              look={look}
              first={{ coin, network, address: fields.address, memo: fields.memo }}
              onDone={() => setAdding(false)}
            />
          </Over>
        </>
      )}
    </div>
  );
}

interface BookPickerProps {
  readonly control: WithdrawControl;
  readonly now: number;
  readonly look: OverlayLook;
}

/**
 * Input for an address book entry of this coin and network; entries in their waiting period are shown, but cannot be
 * selected.
 */
function BookPicker({ control: { form, book }, now, look }: BookPickerProps) {
  const t = useWords('transfer');
  const shell = useWords('shell');
  const fillFromBook = (id: string) => {
    const bookEntry = book.find((entry) => entry.id === id);
    form.set('address', bookEntry?.address ?? '');
    form.set('memo', bookEntry?.memo ?? '');
    form.set('withoutMemo', '');
  };
  return (
    <Picker
      label={t('addressTitle')}
      className={css.book}
      face={
        <>
          <BookUser size={16} aria-hidden="true" /> {t('addressTitle')}
        </>
      }
      look={look}
      width={BOOK_PX}
      closeLabel={shell('close')}
      searchLabel={t('searchAddress')}
      emptyText={t('noAddressFound')}
      value={bookEntryOf(form.values, book)?.id}
      onChange={fillFromBook}
      choices={book.map((entry) => ({
        key: entry.id,
        text: `${entry.remark ?? ''} ${entry.address}`,
        isDisabled: entry.activeTime > now,
        row: <BookRow kept={entry} now={now} />,
      }))}
    />
  );
}

function BookRow({ kept, now }: { readonly kept: AddressRow; readonly now: number }) {
  const t = useWords('transfer');
  return (
    <span className={css.kept}>
      <b>{kept.remark ?? kept.currency}</b>
      <code title={kept.address}>{shortenCode(kept.address)}</code>
      {kept.activeTime > now ? (
        <Badge tone="warning">
          {t('activeIn')}&nbsp;
          <Remaining until={kept.activeTime} />
        </Badge>
      ) : null}
    </span>
  );
}
