import { KYC_REASON_WORDS } from '@exchange/wire/words/kyc.ts';
import { BadgeCheck, CircleAlert, Hourglass, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Amount, When } from '../format/numbers.tsx';
import { Remaining, useSecondsLeft } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import css from './kyc.module.css';
import { useVerification, type Verification as Standing } from './queries.ts';
import { VerifyForm } from './verify-form.tsx';
import { countryName } from './verify-model.ts';

interface VerificationProps {
  /**
   * Content that is shown once the user's identity is verified, such as a link back to the previous screen;
   * nothing by default.
   */
  readonly next?: ReactNode;
}

/**
 * Screen of the user's identity verification, in each of its states. Unsaved input is lost when the user leaves the
 * screen.
 */
export function Verification({ next }: VerificationProps) {
  const { data, isPending, error, refetch } = useVerification();
  return (
    <ListBody look="cards" isLoading={isPending} error={error} onRetry={() => void refetch()}>
      {data === undefined ? null : <StateOf key={data.status} verification={data} next={next} />}
    </ListBody>
  );
}

function StateOf({ verification, next }: VerificationProps & { readonly verification: Standing }) {
  const t = useWords('kyc');
  const { status } = verification;
  return (
    <div className={css.screen}>
      {status === 0 ? (
        <>
          <p className={css.lead}>{t('lead')}</p>
          <VerifyForm verification={verification} />
        </>
      ) : null}
      {status === 1 ? <Reviewing verification={verification} /> : null}
      {status === 2 ? <Verified verification={verification} next={next} /> : null}
      {status === 3 ? <Rejected verification={verification} /> : null}
      <aside className={css.side}>
        <Limits verification={verification} />
        {status === 2 ? null : <Privacy days={verification.photosKeptDays} />}
      </aside>
    </div>
  );
}

interface StateProps {
  look: string;
  icon: ReactNode;
  title: string;
  text: string;
  /** True if the message is shown in place of the form that was just submitted. The heading then receives the focus. */
  isAfterForm?: boolean;
  children?: ReactNode;
}

function State({ isAfterForm = false, ...props }: StateProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAfterForm) heading.current?.focus();
  }, [isAfterForm]);
  return (
    <section className={css.state} data-look={props.look} aria-live="polite">
      <span className={css.stateIcon}>{props.icon}</span>
      <h2 ref={heading} tabIndex={-1}>
        {props.title}
      </h2>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}

function Reviewing({ verification }: { readonly verification: Standing }) {
  const t = useWords('kyc');
  return (
    <State
      look="reviewing"
      isAfterForm
      icon={<Hourglass size={28} aria-hidden="true" />}
      title={t('reviewing')}
      text={t(verification.pretended === 1 ? 'reviewingDemo' : 'reviewingText')}
    >
      <Facts verification={verification} />
    </State>
  );
}

function Verified({ verification, next }: VerificationProps & { readonly verification: Standing }) {
  const t = useWords('kyc');
  return (
    <State
      look="verified"
      icon={<BadgeCheck size={28} aria-hidden="true" />}
      title={t('verified')}
      text={t('verifiedText')}
    >
      <Facts verification={verification} />
      {next}
    </State>
  );
}

function Rejected({ verification }: { readonly verification: Standing }) {
  const t = useWords('kyc');
  const locale = useLocale();
  const [isAgain, setAgain] = useState(false);
  const { reasons, note, nextTime = 0 } = verification;
  const isWaiting = useSecondsLeft(nextTime) > 0;
  return (
    <>
      <State
        look="rejected"
        icon={<CircleAlert size={28} aria-hidden="true" />}
        title={t('rejected')}
        text={t('rejectedText')}
      >
        <ul className={css.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{KYC_REASON_WORDS[locale][reason]}</li>
          ))}
        </ul>
        {note === '' ? null : (
          <p className={css.note}>
            <b>{t('note')}:</b> {note}
          </p>
        )}
        {isWaiting ? (
          <p className={css.wait}>
            {t('againIn')} <Remaining until={nextTime} />
          </p>
        ) : isAgain ? null : (
          <Button size="l" onClick={() => setAgain(true)}>
            {t('again')}
          </Button>
        )}
      </State>
      {isAgain && !isWaiting ? <VerifyForm verification={verification} /> : null}
    </>
  );
}

function Facts({ verification }: { readonly verification: Standing }) {
  const t = useWords('kyc');
  const locale = useLocale();
  const { name, idCard, country, submitTime, decideTime } = verification;
  if (name === '') return null;
  const row = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <dl className={css.facts}>
      {row(t('name'), name)}
      {row(t('number'), idCard)}
      {row(t('country'), countryName(country, locale))}
      {submitTime === undefined ? null : row(t('submitted'), <When at={submitTime} />)}
      {decideTime === undefined ? null : row(t('decided'), <When at={decideTime} />)}
    </dl>
  );
}

/**
 * Table that shows whether the user may use the products, and the maximum values in USDT that the user may
 * withdraw within 24 hours and within 30 days: now and, until the user is verified, after verification.
 */
function Limits({ verification: { status, limits, verifiedLimits } }: { readonly verification: Standing }) {
  const t = useWords('kyc');
  const isVerified = status === 2;
  const row = (label: string, now: ReactNode, after: ReactNode) => (
    <tr>
      <th scope="row">{label}</th>
      <td>{now}</td>
      {isVerified ? null : <td>{after}</td>}
    </tr>
  );
  const usdt = (value: string) => <Amount value={value} digits={0} coin="USDT" />;
  return (
    <section className={css.card}>
      <table className={css.limits}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('now')}</th>
            {isVerified ? null : <th scope="col">{t('after')}</th>}
          </tr>
        </thead>
        <tbody>
          {row(t('products'), t(isVerified ? 'open' : 'notOpenYet'), t('open'))}
          {row(t('limitDay'), usdt(limits.day), usdt(verifiedLimits.day))}
          {row(t('limitMonth'), usdt(limits.month), usdt(verifiedLimits.month))}
        </tbody>
      </table>
    </section>
  );
}

function Privacy({ days }: { readonly days: number }) {
  const t = useWords('kyc');
  return (
    <section className={css.card}>
      <h3 className={css.privacy}>
        <ShieldCheck size={18} aria-hidden="true" />
        {t('privacyTitle')}
      </h3>
      <ul className={css.points}>
        <li>{t('privacy1')}</li>
        <li>{t('privacy2')}</li>
        <li>{t('privacy3', { days })}</li>
      </ul>
    </section>
  );
}
