import type { CoinNetwork } from '@exchange/core/network.ts';
import { ClipboardPaste, ScanQrCode } from 'lucide-react';
import { useRef } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { isOtherNetwork, paymentText, type PaymentText } from './payment-text.ts';
import css from './address-helpers.module.css';

/** What the browsers that read codes offer; the type library does not know it yet. */
interface CodeReader {
  readonly detect: (picture: ImageBitmap) => Promise<readonly { readonly rawValue: string }[]>;
}
type CodeReaderClass = new (options: { readonly formats: readonly string[] }) => CodeReader;

function codeReaderClass(): CodeReaderClass | undefined {
  return (globalThis as { readonly BarcodeDetector?: CodeReaderClass }).BarcodeDetector;
}

interface AddressHelpersProps {
  /** The coin and network that the address must be of; undefined until they are known. */
  readonly terms: Pick<CoinNetwork, 'network'> | undefined;
  /** Fills in what a text asks to pay; called only for texts of the chosen network, or of none. */
  readonly onPayment: (payment: PaymentText) => void;
}

/**
 * Buttons beside an address: paste it, or read it from a photo of its QR code. Both understand payment links, and say
 * so where a link is for another network. A browser that cannot do one of the two shows no button for it.
 */
export function AddressHelpers({ terms, onPayment }: AddressHelpersProps) {
  const t = useWords('transfer');
  const photo = useRef<HTMLInputElement>(null);
  const Reader = codeReaderClass();
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
      // Reason: the person or the browser refused the clipboard; the keyboard still pastes.
      notify.warning(t('pasteRefused'));
    }
  };
  const scan = async (file: File | undefined) => {
    if (file === undefined || Reader === undefined) return;
    const text = await codeIn(file, Reader);
    if (text === undefined) notify.warning(t('noCodeInPhoto'));
    else read(text);
  };
  return (
    <div className={css.helpers}>
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
      {Reader === undefined ? null : (
        <>
          <Button
            look="secondary"
            size="s"
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
              // The same photo can then be chosen again.
              currentTarget.value = '';
              void scan(file);
            }}
          />
        </>
      )}
    </div>
  );
}

/** The text of the QR code on a photo; undefined where the photo has none or cannot be opened. */
async function codeIn(file: Blob, Reader: CodeReaderClass): Promise<string | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    try {
      const [code] = await new Reader({ formats: ['qr_code'] }).detect(bitmap);
      return code?.rawValue;
    } finally {
      bitmap.close();
    }
  } catch {
    // Reason: no photo that the browser opens, or a reader that the device does not have after all.
    return undefined;
  }
}
