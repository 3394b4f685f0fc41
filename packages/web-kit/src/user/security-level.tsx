import { CircleCheck, CirclePlus } from 'lucide-react';
import { serverNow } from '../clock.ts';
import { formatTime, formatTimeWithOffset } from '../format/format.ts';
import { Remaining } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { holdSentence, type UserInfo } from './queries.ts';
import css from './security.module.css';

const LEVELS = 6;
const SEGMENTS = Array.from({ length: LEVELS }, (_, n) => n + 1);

/** The security level of the account, with the protections that are active and those that are missing. */
export function SecurityLevel({ info }: { readonly info: UserInfo }) {
  const t = useWords('security');
  const settings = useWords('settings');
  const grade = info.securityLevel;
  const points = [
    { name: 'pointEmail', worth: 1, isDone: true },
    { name: 'pointTradePassword', worth: 1, isDone: info.assetsPwd === 1 },
    { name: 'pointIdentity', worth: 1, isDone: info.kycStatus === 2 },
    { name: 'pointAuthenticator', worth: 2, isDone: info.googleBind === 1 || info.passkeys > 0 },
    { name: 'pointWhitelist', worth: 1, isDone: info.whitelist === 1 },
  ] as const;
  return (
    <section className={css.card} aria-label={settings('securityLevel')}>
      <div className={css.level}>
        <div>
          <h2>{settings('securityLevel')}</h2>
          <p className={css.grade} data-grade={grade}>
            {settings(grade)}
          </p>
          <div
            className={css.meter}
            data-grade={grade}
            role="meter"
            aria-label={settings('securityLevel')}
            aria-valuemin={0}
            aria-valuemax={LEVELS}
            aria-valuenow={info.security}
          >
            {SEGMENTS.map((segment) => (
              <i key={segment} data-on={segment <= info.security || undefined} />
            ))}
          </div>
          <p className={css.text}>{t('levelHint', { points: info.security, most: LEVELS })}</p>
        </div>
        <ul className={css.points}>
          {points.map(({ name, worth, isDone }) => (
            <li key={name} data-done={isDone || undefined}>
              {isDone ? (
                <CircleCheck size={18} aria-hidden="true" />
              ) : (
                <CirclePlus size={18} aria-hidden="true" />
              )}
              {t(name)}
              <small>{isDone ? t('pointDone', { worth }) : t('pointWorth', { worth })}</small>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Countdown to the end of a withdrawal hold, with its reason; renders nothing while withdrawals are not on hold. */
export function HoldNote({ info }: { readonly info: UserInfo }) {
  const t = useWords('settings');
  const locale = useLocale();
  if (info.holdUntil <= serverNow()) return null;
  return (
    <Banner tone="warning">
      <div className={css.hold}>
        <span title={formatTimeWithOffset(info.holdUntil, locale)}>
          {t(holdSentence(info), { time: formatTime(info.holdUntil, locale) })}
        </span>
        <Remaining until={info.holdUntil} />
      </div>
    </Banner>
  );
}
