import { Decimal } from '@exchange/core/decimal.ts';
import {
  ALERT_WINDOW_NAMES,
  ALERT_WINDOWS,
  averageName,
  crossedNames,
  isCross,
  TIMER_NAMES,
} from '@exchange/core/price-alert.ts';
import type { RefusalKey } from '@exchange/core/refusal.ts';
import type { AlertMessage } from '@exchange/wire/feed.ts';
import { useEffect } from 'react';
import { useTopic } from '../feed/feed.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { refusalText, useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { alertOrderLine, averageOfAlert } from './alert-form.ts';
import { allowSoundAtFirstPress, hasAlertSound, playAlertSound } from './alert-sound.ts';
import { refetchAlerts, useAlertSentence, useCrossedWords } from './alerts.ts';

const decimalsOf = (price: string) => price.split('.')[1]?.length ?? 0;

/**
 * Shows a notification for each price alert of the user that triggers, and for the outcome of an alert's order, on
 * whichever screen the user is. Plays a sound too if the user has enabled it on this device.
 */
export default function AlertNews() {
  const t = useWords('alerts');
  const locale = useLocale();
  const orderSentence = useAlertSentence();
  const crossedWords = useCrossedWords();
  useEffect(allowSoundAtFirstPress, []);

  const sentenceOf = (alert: AlertMessage[number]) => {
    const { baseCoin, quoteCoin, condition, source, price, from, lastPrice, order, outcome } = alert;
    const digits = decimalsOf(lastPrice);
    const name = `${baseCoin}/${quoteCoin}`;
    if (outcome !== undefined && order !== null && order !== undefined) {
      const { orderType: type, tradeType } = order;
      const side = tradeType === 1 ? ('buy' as const) : ('sell' as const);
      const pair = { base: baseCoin, quote: quoteCoin, priceDigits: digits };
      const line = orderSentence(
        alertOrderLine({ side, type, price: order.price, amount: order.amount }, pair, locale),
      );
      if ('orderId' in outcome) return t('order.placed', { pair: name, line });
      const reason = refusalText({ key: outcome.errKey as RefusalKey, parameters: outcome.data });
      return t('order.refused', { pair: name, line, reason });
    }
    const hasRisen = !Decimal.parse(lastPrice).isLess(Decimal.parse(from));
    const isPercent = condition === 'pct' || condition === 'move';
    const parameters = {
      pair: source === 'index' ? t('indexOf', { pair: name }) : name,
      unit: quoteCoin,
      last: formatPrice(lastPrice, locale, digits),
      limit: isPercent ? formatDecimal(price, locale) : formatPrice(price, locale, digits),
    };
    if (condition === 'pct') return t(hasRisen ? 'triggered.pctUp' : 'triggered.pctDown', parameters);
    if (condition === 'move') {
      const minutes = ALERT_WINDOWS.find((window) => window === alert.windowMinutes) ?? 5;
      const window = ALERT_WINDOW_NAMES[minutes];
      return t(hasRisen ? 'triggered.moveUp' : 'triggered.moveDown', { ...parameters, window });
    }
    if (isCross(condition)) {
      const terms = averageOfAlert(alert);
      const interval = TIMER_NAMES[terms.timer];
      if (terms.kind === 'ma' || terms.kind === 'ema')
        return t(`triggered.${condition}`, { ...parameters, average: averageName(terms), interval });
      const key = condition === 'crossUp' ? 'triggered.indicatorUp' : 'triggered.indicatorDown';
      return t(key, { ...parameters, ...crossedNames(terms, crossedWords), interval });
    }
    return t(`triggered.${condition}`, parameters);
  };
  useTopic('alert', ({ type, data }) => {
    const alerts = data as AlertMessage;
    if (type === 'snapshot' || alerts.length === 0) return;
    for (const alert of alerts) notify.alert(sentenceOf(alert));
    if (hasAlertSound()) void playAlertSound();
    refetchAlerts();
  });
  return null;
}
