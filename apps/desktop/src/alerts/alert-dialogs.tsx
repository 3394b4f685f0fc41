import { Decimal } from '@exchange/core/decimal.ts';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { AlertOrderText } from '@exchange/web-kit/market/alert-fields.tsx';
import { alertLine } from '@exchange/web-kit/market/alert-form.ts';
import { AlertSoundSwitch } from '@exchange/web-kit/market/alert-sound-switch.tsx';
import {
  type Alert,
  useAlerts,
  useAlertSentence,
  useRemoveAlert,
  useCrossedWords,
} from '@exchange/web-kit/market/alerts.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import tool from '../style/tool.module.css';
import { AlertForm } from './alert-form.tsx';
import classes from './alerts.module.css';

const PAIR_WIDTH_PX = 480;
const ALL_WIDTH_PX = 520;

interface AlertDialogProps {
  readonly pair: MarketPair;
  readonly onClose: () => void;
}

/** Dialog with a form for a new price alert of a pair; the pair's active alerts are listed below the form. */
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
          <AlertSoundSwitch className={classes.sound} />
        </section>
      </MemberGate>
    </Dialog>
  );
}

/** Dialog with the user's active price alerts of all pairs. */
export function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords('alerts');
  const tShell = useWords('shell');
  return (
    <Dialog isOpen onClose={onClose} width={ALL_WIDTH_PX} title={t('title')} closeLabel={tShell('close')}>
      <MemberGate text={t('signIn')}>
        <AlertList empty={t('none')} />
        <AlertSoundSwitch className={classes.sound} />
      </MemberGate>
    </Dialog>
  );
}

interface MemberGateProps {
  /** Text that explains to visitors why they have to log in. */
  readonly text: string;
  readonly children: ReactNode;
}

/**
 * Shows its children to signed-in users; visitors see a link to the login, which opens the current screen again after
 * the login.
 */
function MemberGate({ text, children }: MemberGateProps) {
  const tShell = useWords('shell');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn) return children;
  const action = <ButtonLink to={loginPathFor(pathname + search)}>{tShell('login')}</ButtonLink>;
  return <EmptyState text={text} action={action} />;
}

interface AlertListProps {
  readonly symbol?: string;
  readonly empty: string;
}

/** The user's active price alerts of a pair, or without `symbol` of all pairs, each with a button that deletes it. */
function AlertList({ symbol, empty }: AlertListProps) {
  const t = useWords('alerts');
  const tDesk = useWords('desktop-market');
  const alerts = useAlerts(symbol);
  const allAlerts = useAlerts().data;
  return (
    <>
      <div className={classes.head}>
        <h3>{tDesk('alert.yours')}</h3>
        {allAlerts !== undefined && (
          <span>{t('count', { count: allAlerts.list.length, limit: allAlerts.limit })}</span>
        )}
      </div>
      <ListBody
        isLoading={alerts.isPending}
        error={alerts.error}
        onRetry={() => void alerts.refetch()}
        isEmpty={alerts.data?.list.length === 0}
        empty={empty}
        skeletonRows={2}
      >
        <ul>
          {alerts.data?.list.map((alert) => (
            <AlertRow key={alert.id} alert={alert} hasPair={symbol === undefined} />
          ))}
        </ul>
      </ListBody>
    </>
  );
}

function AlertRow({ alert, hasPair }: { readonly alert: Alert; readonly hasPair: boolean }) {
  const t = useWords('alerts');
  const locale = useLocale();
  const digitsOf = useDigits();
  const sentenceOf = useAlertSentence();
  const remove = useRemoveAlert();
  const pair = {
    base: alert.baseCoin,
    quote: alert.quoteCoin,
    priceDigits: digitsOf(alert.symbol).price,
  };
  const line = alertLine(alert, pair, locale, useCrossedWords());
  const name = `${pair.base}/${pair.quote}`;
  const deleteAlert = (): void =>
    remove.mutate(alert.id, { onSuccess: () => notify.success(t('removed')), onError: notify.failure });
  return (
    <li className={classes.alert}>
      <span>
        {hasPair && <Link to={tradePath(pair)}>{name}</Link>} {sentenceOf(line)}
        <AlertOrderText alert={alert} priceDigits={pair.priceDigits} />
        <small>
          {alert.source === 'index' ? `${t('sourceIndex')} · ` : null}
          {t(alert.repeat === 1 ? 'repeat' : 'once')} ·{' '}
          {alert.channels.map((channel) => t(channel)).join(', ')} ·{' '}
          {alert.toldTime > 0 ? (
            <>
              {t('lastNotified')} <When at={alert.toldTime} look="minute" />
            </>
          ) : (
            <>
              {t('created')} <When at={alert.createTime} look="minute" />
            </>
          )}
        </small>
      </span>
      <button
        type="button"
        className={`${tool.tool} ${classes.remove}`}
        aria-label={t('removeFor', { pair: name })}
        title={t('remove')}
        disabled={remove.isPending}
        onClick={deleteAlert}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </li>
  );
}
