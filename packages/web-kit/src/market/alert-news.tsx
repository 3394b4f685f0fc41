import { Decimal } from '@exchange/core/decimal.ts';
import type { AlertMessage } from '@exchange/wire/feed.ts';
import { useEffect } from 'react';
import { useTopic } from '../feed/feed.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { allowSoundAtFirstPress, hasAlertSound, playAlertSound } from './alert-sound.ts';
import { refetchAlerts } from './alerts.ts';

const decimalsOf = (price: string) => price.split('.')[1]?.length ?? 0;

/** Shows the user's price alerts on every screen when they trigger, and plays a sound if enabled. */
export default function AlertNews() {
  const t = useWords('alerts');
  const locale = useLocale();
  useEffect(allowSoundAtFirstPress, []);

  const sentenceOf = ({
    baseCoin,
    quoteCoin,
    condition,
    source,
    price,
    from,
    lastPrice,
  }: AlertMessage[number]) => {
    const digits = decimalsOf(lastPrice);
    const hasRisen = !Decimal.parse(lastPrice).isLess(Decimal.parse(from));
    const parameters = {
      pair:
        source === 'index' ? t('indexOf', { pair: `${baseCoin}/${quoteCoin}` }) : `${baseCoin}/${quoteCoin}`,
      unit: quoteCoin,
      last: formatPrice(lastPrice, locale, digits),
      limit: condition === 'pct' ? formatDecimal(price, locale) : formatPrice(price, locale, digits),
    };
    if (condition === 'pct') return t(hasRisen ? 'triggered.pctUp' : 'triggered.pctDown', parameters);
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
