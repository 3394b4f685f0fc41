import { Download, Share2, TriangleAlert } from 'lucide-react';
import { CopyButton } from '../form/copy-button.tsx';
import { GroupedCode } from '../format/grouped-code.tsx';
import { QrCode } from '../format/qr-code.tsx';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { savePicture } from './address-picture.ts';
import css from './deposit-address.module.css';

interface AddressProps {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly qr: string;
  readonly coin: string;
  /** The network by its name. */
  readonly network: string;
}

/** Where to send to, as a code to scan and as text to compare, with what must not go wrong. */
export function DepositAddress({ address, memo, qr, coin, network }: AddressProps) {
  const t = useWords('transfer');
  const lines = [`${coin} · ${network}`, address, ...(memo === undefined ? [] : [`${t('memo')}: ${memo}`])];
  return (
    <section className={css.frame} aria-label={t('depositAddress')}>
      <p className={css.only} role="note">
        <TriangleAlert size={18} aria-hidden="true" />
        {t('onlyOn', { coin, network })}
      </p>
      <div className={css.address}>
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
        </div>
      )}
    </section>
  );
}

function share(text: string): void {
  // Reason: the person thought better of it, which is told as an error.
  navigator.share({ text }).catch(() => undefined);
}
