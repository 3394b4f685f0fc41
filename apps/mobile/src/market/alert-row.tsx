import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { AlertOrderText } from '@exchange/web-kit/market/alert-fields.tsx';
import { alertLine } from '@exchange/web-kit/market/alert-form.ts';
import {
  type Alert,
  useAlertSentence,
  useRemoveAlert,
  useCrossedWords,
} from '@exchange/web-kit/market/alerts.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Trash2 } from 'lucide-react';
import css from './alert-sheet.module.css';

interface AlertRowProps {
  alert: Alert;
  priceDigits: number;
  isNamed?: boolean;
}

/**
 * A list row with an active price alert: its condition, its order, whether it repeats, its channels of notification,
 * the last notification, and a button that deletes it.
 */
export function AlertRow({ alert, priceDigits, isNamed = false }: AlertRowProps) {
  const t = useWords('alerts');
  const locale = useLocale();
  const sentenceOf = useAlertSentence();
  const remove = useRemoveAlert();
  const name = `${alert.baseCoin}/${alert.quoteCoin}`;
  const line = alertLine(
    alert,
    { base: alert.baseCoin, quote: alert.quoteCoin, priceDigits },
    locale,
    useCrossedWords(),
  );
  const deleteAlert = async () => {
    try {
      await remove.mutateAsync(alert.id);
      notify.success(t('removed'));
    } catch (error) {
      // The deletion failed because the alert has fired meanwhile, or because the request failed. The notification says
      // why, and the list shows the alerts that are still active.
      notify.failure(error);
    }
  };
  return (
    <li className={css.row}>
      <div className={css.rowText}>
        {isNamed ? <b>{name}</b> : null}
        <span className={css.line}>{sentenceOf(line)}</span>
        <AlertOrderText alert={alert} priceDigits={priceDigits} />
        <small>
          {alert.source === 'index' ? `${t('sourceIndex')} · ` : null}
          {t(alert.repeat === 1 ? 'repeat' : 'once')} ·{' '}
          {alert.channels.map((channel) => t(channel)).join(', ')}
          {alert.toldTime === 0 ? null : (
            <>
              {' '}
              · {t('lastNotified')} <When at={alert.toldTime} look="minute" />
            </>
          )}
        </small>
      </div>
      <IconButton
        label={t('removeFor', { pair: name })}
        className={css.remove}
        disabled={remove.isPending}
        onClick={() => void deleteAlert()}
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
