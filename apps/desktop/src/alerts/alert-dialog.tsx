import { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import classes from './alerts.module.css';
import { AlertForm } from './alert-form.tsx';
import { AlertList } from './alert-list.tsx';
import { MemberGate } from './member-gate.tsx';

const WIDTH_PX = 480;

interface AlertDialogProps {
  readonly pair: MarketPair;
  readonly onClose: () => void;
}

/** Sets a price alert for a pair, above those that already watch it. */
export function AlertDialog({ pair, onClose }: AlertDialogProps) {
  const t = useWords('alerts');
  const tShell = useWords('shell');
  const last = useLastPrice(pair.symbol);
  const name = `${pair.base}/${pair.quote}`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={WIDTH_PX}
      title={t('addFor', { pair: name })}
      closeLabel={tShell('close')}
    >
      <MemberGate text={t('signIn')}>
        <AlertForm pair={pair} last={last === undefined ? undefined : Decimal.tryParse(last)} />
        <section className={classes.list}>
          <AlertList symbol={pair.symbol} empty={t('noneFor', { pair: name })} />
        </section>
      </MemberGate>
    </Dialog>
  );
}
