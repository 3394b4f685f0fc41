import { Download, Share2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { CopyButton } from '../form/copy-button.tsx';
import { GroupedCode } from '../format/grouped-code.tsx';
import { QrCode } from '../format/qr-code.tsx';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import css from './deposit-address.module.css';

interface AddressProps {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly qr: string;
  readonly coin: string;
  /** Name of the network, as shown to users. */
  readonly network: string;
}

/**
 * The deposit address as a QR code and as text, with warnings. If a deposit needs a memo, the memo is shown first, and
 * the address only after the user has confirmed to enter the memo: wallets ask for a memo last and send without one.
 */
export function DepositAddress({ address, memo, qr, coin, network }: AddressProps) {
  const t = useWords('transfer');
  // The confirmation applies to one address and memo, so it ends when the user selects another coin or network.
  const destination = `${address} ${memo ?? ''}`;
  const [confirmed, setConfirmed] = useState('');
  const isConfirmed = confirmed === destination;
  const isShown = memo === undefined || isConfirmed;
  const lines = [`${coin} · ${network}`, address, ...(memo === undefined ? [] : [`${t('memo')}: ${memo}`])];
  return (
    <section className={css.frame} aria-label={t('depositAddress')}>
      <p className={css.only} role="note">
        <TriangleAlert size={18} aria-hidden="true" />
        {t('onlyOn', { coin, network })}
      </p>
      {memo === undefined ? null : (
        <div className={css.memo}>
          <span className={css.label}>{t('memo')}</span>
          <div className={css.memoRow}>
            <code>{memo}</code>
            <CopyButton text={memo} label={t('copyMemo')} />
          </div>
          <p role="note">
            <TriangleAlert size={18} aria-hidden="true" />
            {t('memoNeeded')}
          </p>
          <div className={css.confirmation}>
            <Checkbox
              label={t('memoAck')}
              checked={isConfirmed}
              onChange={(isChecked) => setConfirmed(isChecked ? destination : '')}
            />
          </div>
        </div>
      )}
      {isShown ? null : <p className={css.hidden}>{t('memoAckHint')}</p>}
      <div className={css.address} hidden={!isShown}>
        <QrCode className={css.qr} text={qr} label={t('qr', { coin, network })} />
        <div className={css.text}>
          <span className={css.label}>{t('address')}</span>
          <GroupedCode text={address} />
          <p className={css.hint}>{t('compareHint')}</p>
          <div className={css.buttons}>
            <CopyButton text={address} label={t('copyAddress')} />
            <Button
              look="secondary"
              size="s"
              icon={<Download size={14} aria-hidden="true" />}
              onClick={() => savePicture(qr, lines, `${coin}-${network}`)}
            >
              {t('savePicture')}
            </Button>
            {'share' in navigator ? (
              <Button
                look="secondary"
                size="s"
                icon={<Share2 size={14} aria-hidden="true" />}
                onClick={() => share(lines.join('\n'))}
              >
                {t('share')}
              </Button>
            ) : null}
          </div>
        </div>
      </div>
    </section>
  );
}

function share(text: string): void {
  // The promise of the browser's share function is also rejected when the user closes the share sheet, which
  // is not an error.
  navigator.share({ text }).catch(() => undefined);
}

const QUIET_CELLS = 2;
const WIDTH = 640;
const LINE = 34;
const MARGIN = 24;
const FONT = '22px ui-monospace, Menlo, Consolas, monospace';

/** Saves a picture with the QR code of a text and the given lines below the code. */
function savePicture(text: string, lines: readonly string[], name: string): void {
  const { data, size } = encode(text, { border: QUIET_CELLS });
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.font = FONT;
  const rows = lines.flatMap((line) => wrapLine(line, (part) => pen.measureText(part).width));
  canvas.width = WIDTH;
  canvas.height = WIDTH + rows.length * LINE + MARGIN;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  // The font is set again, because changing the size of a canvas resets its font.
  pen.font = FONT;
  pen.textAlign = 'center';
  rows.forEach((row, at) => pen.fillText(row, WIDTH / 2, WIDTH + (at + 0.5) * LINE));
  pen.scale(WIDTH / size, WIDTH / size);
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && pen.fillRect(x, y, 1, 1)));
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = `${name}.png`;
  link.click();
}

/** Splits a line into parts that are not wider than the picture without its margins. */
function wrapLine(line: string, widthOf: (part: string) => number): string[] {
  const parts = [''];
  for (const letter of line) {
    const lastPart = parts.at(-1)!;
    if (widthOf(lastPart + letter) > WIDTH - 2 * MARGIN) parts.push(letter);
    else parts[parts.length - 1] = lastPart + letter;
  }
  return parts;
}
