import { Decimal } from '@exchange/core/decimal.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { userInfo } from '@exchange/wire/user.ts';
import { CheckCircle2, ChevronRight } from 'lucide-react';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useSession } from '../session/session-store.ts';
import { rememberStartDone } from './start-done.ts';
import css from './guided-start.module.css';

interface GuidedStartProps {
  readonly account: AccountReads;
  /** The faucet, which credits demo funds in a demo; undefined on an exchange where users deposit coins. */
  readonly faucet: Pick<ComponentProps<typeof DemoFunds>, 'claim' | 'isBusy' | 'nextClaimAt'> | undefined;
  readonly to: Readonly<Record<'deposit' | 'trade' | 'security' | 'verify', string>>;
}

interface Step {
  readonly name: 'funds' | 'trade' | 'security' | 'verify';
  readonly isDone: boolean;
  readonly text: string;
  readonly act: (look: 'primary' | 'secondary') => ReactNode;
}

/**
 * List of a new user's first steps. The completed steps are derived from the account's data, so they are the same on
 * every device.
 */
export function GuidedStart({ account, ...rest }: GuidedStartProps) {
  const { progress, isLoading, error, reload } = startProgress(account);
  return (
    <ListBody isLoading={isLoading} error={error} onRetry={reload} look="cards">
      <Steps progress={progress} {...rest} />
    </ListBody>
  );
}

interface StepsProps extends Omit<GuidedStartProps, 'account'> {
  readonly progress: ReturnType<typeof startProgress>['progress'];
}

function Steps({ to, progress, faucet }: StepsProps) {
  const t = useWords('start');
  const { isFunded, hasTraded, isProtected, isVerified } = progress;
  const link = (path: string, text: string) => (look: 'primary' | 'secondary') => (
    <ButtonLink to={path} look={look} size="m">
      {text}
    </ButtonLink>
  );
  const steps: readonly Step[] = [
    {
      name: 'funds',
      isDone: isFunded,
      text: t(faucet === undefined ? 'fundsLive' : 'fundsDemo'),
      act:
        faucet === undefined
          ? link(to.deposit, t('fundsPress'))
          : (look) => <DemoFunds look={look} {...faucet} />,
    },
    {
      name: 'trade',
      isDone: hasTraded,
      text: t('tradeText'),
      act: link(to.trade, t('tradePress')),
    },
    {
      name: 'security',
      isDone: isProtected,
      text: t('securityText'),
      act: link(to.security, t('securityPress')),
    },
    {
      name: 'verify',
      isDone: isVerified,
      text: t('verifyText'),
      act: link(to.verify, t('verifyPress')),
    },
  ];
  const nextStep = steps.find(({ isDone }) => !isDone);
  return (
    <>
      <p className={css.lead} role="status">
        {nextStep === undefined
          ? t('allDone')
          : t('done', { done: steps.filter(({ isDone }) => isDone).length, of: steps.length })}
      </p>
      <ol className={css.steps}>
        {steps.map((step, index) => (
          <li key={step.name} data-done={step.isDone || undefined}>
            <span className={css.mark}>
              {step.isDone ? (
                <CheckCircle2 size={24} aria-label={t('stepDone')} />
              ) : (
                <span aria-hidden="true">{index + 1}</span>
              )}
            </span>
            <div className={css.words}>
              <h2>
                {t(step.name === 'funds' && faucet === undefined ? 'fundsTitleLive' : `${step.name}Title`)}
              </h2>
              <p>{step.text}</p>
            </div>
            {step.isDone ? null : (
              <div className={css.act}>{step.act(step === nextStep ? 'primary' : 'secondary')}</div>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

interface StartNoteProps {
  readonly account: AccountReads;
  /** Path of the screen that lists the first steps. */
  readonly to: string;
}

/**
 * Link to the screen of the first steps that shows how many are completed. Renders nothing while that is unknown, and
 * when all steps are completed, which is then stored on this device.
 */
export function StartNote({ account, to }: StartNoteProps) {
  const t = useWords('start');
  const { progress, isLoading, error } = startProgress(account);
  const done = Object.values(progress).filter(Boolean).length;
  const stepCount = Object.keys(progress).length;
  const isDone = !isLoading && error === null && done === stepCount;
  const userId = useSession(({ session }) => session?.userId);
  useEffect(() => {
    if (isDone && userId !== undefined) rememberStartDone(userId);
  }, [isDone, userId]);
  if (isLoading || error !== null || isDone) return null;
  return (
    <Link className={css.note} to={to}>
      <span>
        <b>{t('title')}</b>
        <small>{t('done', { done, of: stepCount })}</small>
      </span>
      <progress value={done} max={stepCount} aria-label={t('title')} />
      <ChevronRight size={16} aria-hidden="true" />
    </Link>
  );
}

interface DemoFundsProps {
  readonly look: 'primary' | 'secondary';
  readonly claim: () => Promise<void>;
  readonly isBusy: boolean;
  readonly nextClaimAt: number | undefined;
}

function DemoFunds({ look, claim, isBusy, nextClaimAt }: DemoFundsProps) {
  const t = useWords('start');
  return (
    <Button
      look={look}
      size="m"
      busy={isBusy}
      disabled={nextClaimAt !== undefined}
      onClick={() => void claim()}
    >
      {t('fundsDemoPress')}
    </Button>
  );
}

interface Read<Data> {
  readonly data: Data | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/**
 * Queries of the account's data from which it follows which first steps are completed. The apps pass their own queries.
 */
interface AccountReads {
  readonly overview: Read<{ readonly total: string }>;
  readonly fills: {
    readonly rows: readonly unknown[];
    readonly isLoading: boolean;
    readonly error: Error | null;
    readonly reload: () => unknown;
  };
  readonly info: Read<Pick<DataOf<typeof userInfo>, 'googleBind' | 'kycStatus'>>;
}

const VERIFIED = 2;

/** Returns which of a new user's first steps are completed, and the loading state of the account's data. */
function startProgress({ overview, fills, info }: AccountReads) {
  return {
    progress: {
      isFunded: Decimal.parse(overview.data?.total ?? '0').isPositive(),
      hasTraded: fills.rows.length > 0,
      isProtected: info.data?.googleBind === 1,
      isVerified: info.data?.kycStatus === VERIFIED,
    },
    isLoading: overview.isPending || fills.isLoading || info.isPending,
    error: overview.error ?? fills.error ?? info.error,
    reload: () => void Promise.all([overview.refetch(), fills.reload(), info.refetch()]),
  };
}
