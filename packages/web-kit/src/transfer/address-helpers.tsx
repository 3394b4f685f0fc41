import type { CoinNetwork } from '@exchange/core/network.ts';
import { ClipboardPaste, ScanQrCode } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { isOtherNetwork, paymentText, type PaymentText } from './payment-text.ts';
import { codeInPhoto } from './photo-code.ts';
import css from './address-helpers.module.css';

interface AddressHelpersProps {
  /** The terms of the network for which the address is entered; undefined until known. */
  readonly terms: Pick<CoinNetwork, 'network'> | undefined;
  /**
   * Called with a pasted or scanned payment text, to fill the form. Not called if the text contains no address, or is a
   * payment link for other networks than the chosen one.
   */
  readonly onPayment: (payment: PaymentText) => void;
}

/**
 * Explains the format of the network's addresses. Buttons paste an address, if the browser allows it, and read an
 * address from a photo of a QR code. Either button accepts payment links, and warns if a link is for another network.
 */
export function AddressHelpers({ terms, onPayment }: AddressHelpersProps) {
  const t = useWords('transfer');
  const photo = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const read = (text: string) => {
    const payment = paymentText(text);
    if (payment.address === '') notify.warning(t('noAddressInText'));
    else if (terms !== undefined && isOtherNetwork(payment, terms))
      notify.error(t('otherNetworkLink', { network: terms.network.name }));
    else onPayment(payment);
  };
  const paste = async () => {
    try {
      read(await navigator.clipboard.readText());
    } catch {
      // The user or the browser has denied access to the clipboard; the user can still paste by keyboard.
      notify.warning(t('pasteRefused'));
    }
  };
  const scan = async (file: File | undefined) => {
    if (file === undefined) return;
    setReading(true);
    try {
      const text = await codeInPhoto(file);
      if (text === undefined) notify.warning(t('noCodeInPhoto'));
      else read(text);
    } catch (error) {
      notify.failure(error);
    } finally {
      setReading(false);
    }
  };
  return (
    <div className={css.helpers}>
      {terms === undefined ? null : <p className={css.format}>{t(`format.${terms.network.addressKind}`)}</p>}
      {'clipboard' in navigator && 'readText' in navigator.clipboard ? (
        <Button
          look="secondary"
          size="s"
          icon={<ClipboardPaste size={14} aria-hidden="true" />}
          onClick={() => void paste()}
        >
          {t('paste')}
        </Button>
      ) : null}
      <Button
        look="secondary"
        size="s"
        busy={isReading}
        icon={<ScanQrCode size={14} aria-hidden="true" />}
        onClick={() => photo.current?.click()}
      >
        {t('scanPhoto')}
      </Button>
      <input
        ref={photo}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('scanPhoto')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Empties the file input, so that selecting the same photo again triggers a change event.
          currentTarget.value = '';
          void scan(file);
        }}
      />
    </div>
  );
}
