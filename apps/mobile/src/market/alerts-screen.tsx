import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { AlertSoundSwitch } from '@exchange/web-kit/market/alert-sound-switch.tsx';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { Bell } from 'lucide-react';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import { AlertRow } from './alert-row.tsx';
import css from './alert-sheet.module.css';

/** Screen with the user's price alerts of all pairs; new alerts are created on the screen of their pair. */
export default function AlertsScreen() {
  const t = useWords('alerts');
  const market = useWords('market');
  const digitsOf = useDigits();
  const alerts = useAlerts();
  const list = alerts.data?.list ?? [];
  return (
    <Screen
      title={t('title')}
      parent={paths.my}
      end={
        list.length === 0 ? null : (
          <span className={css.count}>
            {t('count', { count: list.length, limit: alerts.data?.limit ?? 0 })}
          </span>
        )
      }
    >
      <ListBody
        look="cards"
        isLoading={alerts.isPending}
        error={alerts.error}
        onRetry={() => void alerts.refetch()}
        skeletonRows={4}
      >
        {list.length === 0 ? (
          <EmptyState
            icon={<Bell size={22} />}
            text={t('none')}
            action={
              <ButtonLink to={paths.market} look="secondary">
                {market('title')}
              </ButtonLink>
            }
          />
        ) : (
          <>
            <ul>
              {list.map((alert) => (
                <AlertRow key={alert.id} alert={alert} priceDigits={digitsOf(alert.symbol).price} isNamed />
              ))}
            </ul>
            <p className={css.hint}>{t('watchOnly')}</p>
          </>
        )}
      </ListBody>
      <AlertSoundSwitch className={css.sound} />
    </Screen>
  );
}
