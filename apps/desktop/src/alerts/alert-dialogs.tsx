import { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { AlertForm } from './alert-form.tsx';
import { AlertList } from './alert-list.tsx';
import classes from './alerts.module.css';

const PAIR_WIDTH_PX = 480;
const ALL_WIDTH_PX = 520;

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
      width={PAIR_WIDTH_PX}
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

/** All alerts that watch, of every pair. */
export function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords('alerts');
  const tShell = useWords('shell');
  return (
    <Dialog isOpen onClose={onClose} width={ALL_WIDTH_PX} title={t('title')} closeLabel={tShell('close')}>
      <MemberGate text={t('signIn')}>
        <AlertList empty={t('none')} />
      </MemberGate>
    </Dialog>
  );
}

interface MemberGateProps {
  /** Why one has to log in. */
  readonly text: string;
  readonly children: ReactNode;
}

/** What only members have; visitors are led to the login and back. */
function MemberGate({ text, children }: MemberGateProps) {
  const tShell = useWords('shell');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn) return children;
  const action = <ButtonLink to={loginPathFor(pathname + search)}>{tShell('login')}</ButtonLink>;
  return <EmptyState text={text} action={action} />;
}
