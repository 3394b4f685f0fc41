import { TriangleAlert } from 'lucide-react';
import { hasNetworks } from '@exchange/core/network.ts';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { FormAlert } from '../form/submit-form.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { Remaining } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { failureText } from '../notify.ts';
import { SessionChanged } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Skeleton } from '../ui/parts.tsx';
import { Step, Steps } from '../ui/steps.tsx';
import { CoinWithoutNetwork, type CoinWays } from './coin-without-network.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, PauseNote, useRoute, type Choice, type TransferUser } from './parts.tsx';
import type { WithdrawalConfig, WithdrawalRow } from './queries.ts';
import css from './transfer.module.css';
import { useWithdraw, type WithdrawControl } from './use-withdraw.ts';
import { WithdrawAmount } from './withdraw-amount.tsx';
import { NOTHING_TYPED } from './withdraw-model.ts';
import { WithdrawPlace } from './withdraw-place.tsx';
import { WithdrawRecipient } from './withdraw-recipient.tsx';
import { WithdrawReview } from './withdraw-review.tsx';
import { WithdrawalStatus } from './withdrawal-status.tsx';

interface PanelProps {
  readonly person: TransferUser;
  /** Reasons that concern the user and prevent a withdrawal, such as a missing trade password. */
  readonly bars: readonly Obstacle[];
  /** Code of the coin that is selected initially; by default `USDT`. */
  readonly first?: string | undefined;
  /** Path of the page with the statistics of withdrawal times. */
  readonly timesPath: string;
  readonly look: OverlayLook;
  readonly ways: CoinWays;
}

/**
 * Withdrawal screen: first destination and amount, then a review with step-up proofs, then the status of the
 * withdrawal.
 */
export function WithdrawPanel(props: PanelProps) {
  const t = useWords('transfer');
  const [sentRow, setSentRow] = useState<WithdrawalRow>();
  return (
    <div className={css.panel} data-in-order>
      {sentRow === undefined ? (
        <WithdrawForm {...props} onSent={setSentRow} />
      ) : (
        <WithdrawalStatus request={sentRow} onAgain={() => setSentRow(undefined)} />
      )}
      <Link className={css.link} to={props.timesPath}>
        {t('timesLink')}
      </Link>
    </div>
  );
}

interface FormProps extends PanelProps {
  readonly onSent: (row: WithdrawalRow) => void;
}

function WithdrawForm({ person, bars, first, look, ways, onSent }: FormProps) {
  const t = useWords('transfer');
  const { route, setRoute } = useRoute(first === undefined ? undefined : { coin: first });
  const control = useWithdraw(route, onSent);
  const { config, form, moment } = control;
  const inTheWay = useObstacles(bars, config.data, route.network);
  const canContinue = inTheWay.length === 0 && moment !== undefined;
  const { isReviewed, failure, clearFailure, review, closeReview } = useReview(control, canContinue);
  const choose = (nextRoute: Choice) => {
    clearFailure();
    setRoute(nextRoute);
    form.reset(NOTHING_TYPED);
  };
  if (!hasNetworks(route.coin))
    return (
      <>
        <Steps>
          <Step title={t('coin')}>
            <CoinChoice coin={route.coin} look={look} onChange={choose} />
          </Step>
        </Steps>
        <CoinWithoutNetwork coin={route.coin} direction="withdrawal" ways={ways} />
      </>
    );
  return (
    <>
      <form
        className={css.panel}
        data-in-order
        noValidate
        onChange={clearFailure}
        onSubmit={(event) => {
          event.preventDefault();
          // Ignores submit events of dialogs within this form, which bubble up to it.
          if (event.target !== event.currentTarget) return;
          void review();
        }}
      >
        <ObstacleList bars={inTheWay} />
        <Steps>
          <Step title={t('coin')}>
            <CoinChoice coin={route.coin} look={look} onChange={choose} />
          </Step>
          <Step title={t('network')}>
            <NetworkChoice
              {...route}
              direction="withdrawal"
              onChange={(network) => choose({ ...route, network })}
            />
            <PauseNote {...route} direction="withdrawal" />
          </Step>
          {moment === undefined || config.data === undefined ? (
            <FormPlaceholder config={config} isBusy={route.network !== ''} />
          ) : (
            <>
              <WithdrawPlace {...route} control={control} moment={moment} person={person} look={look} />
              <WithdrawAmount {...route} control={control} moment={moment} config={config.data} />
              <WithdrawRecipient control={control} moment={moment} />
            </>
          )}
        </Steps>
        <UnansweredNote unanswered={control.unanswered} />
        <FormAlert text={failure} />
        <Button type="submit" size="l" wide disabled={!canContinue}>
          {t('continue')}
        </Button>
      </form>
      {moment === undefined || control.quote === undefined ? null : (
        <WithdrawReview
          isOpen={isReviewed}
          onClose={closeReview}
          control={control}
          moment={moment}
          person={person}
          look={look}
          quote={control.quote}
        />
      )}
    </>
  );
}

/**
 * Opens the review of a withdrawal with the server's figures. If the server refuses, the refusal stays visible in the
 * form until the user tries again or changes a value.
 */
function useReview({ form, fetchQuote }: WithdrawControl, canContinue: boolean) {
  const [isReviewed, setReviewed] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isFetching = useRef(false);
  const clearFailure = (): void => setFailure(undefined);
  const review = async (): Promise<void> => {
    clearFailure();
    if (isFetching.current || !canContinue || !form.check()) return;
    // The button that opens the review is not disabled during the request: it would lose the focus, which
    // returns to it when the dialog closes.
    isFetching.current = true;
    try {
      await fetchQuote();
      setReviewed(true);
    } catch (error) {
      // The request for the server's figures was refused or failed; the error is shown at its field,
      // otherwise above the button.
      if (!(error instanceof SessionChanged) && !form.refuse(error)) setFailure(failureText(error));
    } finally {
      isFetching.current = false;
    }
  };
  return { isReviewed, failure, clearFailure, review, closeReview: () => setReviewed(false) };
}

/**
 * Placeholder shown while the data for the rest of the form is loading; if loading fails, the error and a
 * button that tries again.
 */
function FormPlaceholder({ config, isBusy }: Pick<WithdrawControl, 'config'> & { readonly isBusy: boolean }) {
  const t = useWords('transfer');
  return (
    <Step title={t('withdrawTo')}>
      {config.error === null ? (
        // `isBusy` is false for a coin without a network, because nothing is fetched then.
        <div aria-busy={isBusy}>
          <Skeleton height={240} radius="var(--radius-m)" />
        </div>
      ) : (
        <LoadFailed error={config.error} onRetry={() => void config.refetch()} />
      )}
    </Step>
  );
}

/**
 * All obstacles to this withdrawal: those of the user (`bars`), and those that the server reports for this coin and
 * network (`config`). A hold of the user's withdrawals is in both. It is listed once: if `bars` contains an obstacle
 * with an end, the hold of `config` is omitted.
 */
function useObstacles(
  bars: readonly Obstacle[],
  config: WithdrawalConfig | undefined,
  network: string,
): readonly Obstacle[] {
  const t = useWords('transfer');
  if (config === undefined) return bars;
  const isTold = bars.some(({ until }) => until !== undefined);
  return [
    ...bars,
    ...(config.holdUntil > 0 && !isTold ? [{ key: 'hold', text: t('hold'), until: config.holdUntil }] : []),
    ...(config.nextRequestTime > 0
      ? [
          {
            key: 'requests',
            text: t('requestsUsedUp', { limit: config.requestLimit }),
            until: config.nextRequestTime,
          },
        ]
      : []),
    ...(config.paused === 1
      ? [
          {
            key: 'paused',
            text: config.pause === undefined ? t('closed') : t('pausedWithdrawals', { network }),
          },
        ]
      : []),
  ];
}

interface Obstacle {
  readonly key: string;
  readonly text: string;
  /** Time at which the obstacle ends without an action of the user, in milliseconds UTC; undefined if unknown. */
  readonly until?: number;
  /**
   * Link to the screen on which the user can remove the obstacle; absent for an obstacle that the user cannot
   * remove.
   */
  readonly way?: { readonly to: string; readonly label: string };
}

/**
 * List of the obstacles; each with a countdown to its end or a link to the screen on which it can be removed, if it has
 * one.
 */
function ObstacleList({ bars }: { readonly bars: readonly Obstacle[] }) {
  const t = useWords('transfer');
  if (bars.length === 0) return null;
  return (
    <section className={css.bars} aria-label={t('bars')}>
      <h2>
        <TriangleAlert size={16} aria-hidden="true" />
        {t('bars')}
      </h2>
      <ul>
        {bars.map(({ key, text, until, way }) => (
          <li key={key}>
            <span>{text}</span>
            {until === undefined ? null : <Remaining until={until} className={css.left} />}
            {way === undefined ? null : <Link to={way.to}>{way.label}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
