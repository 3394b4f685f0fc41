import { debts } from '@exchange/wire/treasury.ts';
import { TriangleAlert } from 'lucide-react';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { TOTAL_ASSETS_KEYS } from '../balance/balances.ts';
import { formatFigure, withUnit } from '../format/decimals.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import { Banner } from '../ui/parts.tsx';
import css from './debts-note.module.css';

/** Maximum number of debts that the note lists. */
const SHOWN = 20;

/**
 * Shows the user's open debts to the exchange, at most 20: the remaining and the original amount of each, with its coin
 * and cause. A text below says that later deposits of the same coin pay the debts. Renders nothing without an open
 * debt, and for visitors.
 */
export function DebtsNote() {
  const t = useWords('assets');
  const locale = useLocale();
  const isSignedIn = useSession(({ session }) => session !== null);
  const { data } = useRead({
    queryKey: TOTAL_ASSETS_KEYS.use('debts'),
    queryFn: ({ signal }) => call(debts, { status: 'open', pageSize: SHOWN }, { signal }),
    enabled: isSignedIn,
  });
  if (data === undefined || data.list.length === 0) return null;
  const figure = (amount: string, coin: string) =>
    withUnit(formatFigure(amount, locale, 'exact', coin), coin);
  return (
    <div className={css.note}>
      <Banner tone="warning" icon={<TriangleAlert size={18} aria-hidden="true" />}>
        <strong>{t('debtsTitle')}</strong>
        <ul className={css.debts}>
          {data.list.map(({ id, currency, amount, remaining, cause }) => (
            <li key={id}>
              <b>
                {t('debtLine', {
                  remaining: figure(remaining, currency),
                  amount: figure(amount, currency),
                })}
              </b>{' '}
              {t(`debtCause_${cause}`)}
            </li>
          ))}
        </ul>
        <p className={css.next}>{t('debtsNext')}</p>
      </Banner>
    </div>
  );
}
