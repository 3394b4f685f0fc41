import tool from '../style/tool.module.css';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { alertLine } from '@exchange/web-kit/market/alert-form.ts';
import { type Alert, useAlertSentence, useAlerts, useRemoveAlert } from '@exchange/web-kit/market/alerts.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { tradePath } from '../paths.ts';
import classes from './alerts.module.css';

interface AlertListProps {
  /** Only this pair's; all of them when left out. */
  readonly symbol?: string;
  readonly empty: string;
}

/** The alerts that watch, each with its end. */
export function AlertList({ symbol, empty }: AlertListProps) {
  const t = useWords('alerts');
  const tDesk = useWords('desktop-market');
  const alerts = useAlerts(symbol);
  const all = useAlerts().data;
  return (
    <>
      <div className={classes.head}>
        <h3>{tDesk('alert.yours')}</h3>
        {all !== undefined && <span>{t('count', { count: all.list.length, limit: all.limit })}</span>}
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
  const line = alertLine(alert, pair, locale);
  const name = `${pair.base}/${pair.quote}`;
  const press = (): void =>
    remove.mutate(alert.id, { onSuccess: () => notify.success(t('removed')), onError: notify.failure });
  return (
    <li className={classes.alert}>
      <span>
        {hasPair && <Link to={tradePath(pair)}>{name}</Link>} {sentenceOf(line)}
        <small>
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
        onClick={press}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </li>
  );
}
