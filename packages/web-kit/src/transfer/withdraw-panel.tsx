import { TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { FormAlert } from '../form/act-form.tsx';
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
import { CoinChoice, hasNetworks, useRoute, type Choice, type Person } from './parts.tsx';
import type { WithdrawalConfig, WithdrawalRow } from './queries.ts';
import css from './transfer.module.css';
import { useWithdraw, type WithdrawControl } from './use-withdraw.ts';
import { WithdrawAmount } from './withdraw-amount.tsx';
import { NOTHING_TYPED } from './withdraw-model.ts';
import { WithdrawPlace } from './withdraw-place.tsx';
import { WithdrawReview } from './withdraw-review.tsx';
import { WithdrawalStatus } from './withdrawal-status.tsx';

interface PanelProps {
  readonly person: Person;
  /** What about the person stands in the way. */
  readonly bars: readonly Bar[];
  /** The coin at first, by its ticker. */
  readonly first?: string | undefined;
  /** Where everybody reads how long withdrawals took. */
  readonly timesPath: string;
  readonly look: OverlayLook;
  readonly ways: CoinWays;
}

/** Sends coins out: where to and how much, then a review with the proofs that it is wanted, then how it goes on. */
export function WithdrawPanel(props: PanelProps) {
  const t = useWords('transfer');
  const [sent, setSent] = useState<WithdrawalRow>();
  return (
    <div className={css.panel} data-in-order>
      {sent === undefined ? (
        <WithdrawForm {...props} onSent={setSent} />
      ) : (
        <WithdrawalStatus asked={sent} onAgain={() => setSent(undefined)} />
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
  const inTheWay = useInTheWay(bars, config.data);
  const canContinue = inTheWay.length === 0 && moment !== undefined;
  const { isReviewed, failure, clearFailure, review, closeReview } = useReview(control, canContinue);
  const choose = (next: Choice) => {
    clearFailure();
    setRoute(next);
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
        <CoinWithoutNetwork coin={route.coin} of="withdrawal" ways={ways} />
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
          // What is sent from a dialog over this form is not this form's.
          if (event.target !== event.currentTarget) return;
          void review();
        }}
      >
        <BarList bars={inTheWay} />
        <Steps>
          <Step title={t('coin')}>
            <CoinChoice coin={route.coin} look={look} onChange={choose} />
          </Step>
          <Step title={t('network')}>
            <NetworkChoice {...route} of="withdrawal" onChange={(network) => choose({ ...route, network })} />
          </Step>
          {moment === undefined || config.data === undefined ? (
            <NotKnown config={config} />
          ) : (
            <>
              <WithdrawPlace {...route} control={control} moment={moment} person={person} look={look} />
              <WithdrawAmount coin={route.coin} control={control} moment={moment} config={config.data} />
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

/** Opens the review with the server's figures; a refusal of these stays in the form until the next try or change. */
function useReview({ form, fetchQuote }: WithdrawControl, canContinue: boolean) {
  const [isReviewed, setReviewed] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isFetching = useRef(false);
  const clearFailure = (): void => setFailure(undefined);
  const review = async (): Promise<void> => {
    clearFailure();
    if (isFetching.current || !canContinue || !form.check()) return;
    // The button stays as it is: one that rests would lose the focus, to which the dialog returns.
    isFetching.current = true;
    try {
      await fetchQuote();
      setReviewed(true);
    } catch (error) {
      // Reason: refused, or not come through; shown at its field or above the button.
      if (!(error instanceof SessionChanged) && !form.refuse(error)) setFailure(failureText(error));
    } finally {
      isFetching.current = false;
    }
  };
  return { isReviewed, failure, clearFailure, review, closeReview: () => setReviewed(false) };
}

/** Where the rest of the form will be. */
function NotKnown({ config }: Pick<WithdrawControl, 'config'>) {
  const t = useWords('transfer');
  return (
    <Step title={t('withdrawTo')}>
      {config.error === null ? (
        <div aria-busy="true">
          <Skeleton height={240} radius="var(--radius-m)" />
        </div>
      ) : (
        <LoadFailed error={config.error} onRetry={() => void config.refetch()} />
      )}
    </Step>
  );
}

/** All that keeps this withdrawal from being asked for: of the person, and of the network. */
function useInTheWay(bars: readonly Bar[], config: WithdrawalConfig | undefined): readonly Bar[] {
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
    ...(config.paused === 1 ? [{ key: 'paused', text: t('closed') }] : []),
  ];
}

/** Something that stands in the way of withdrawing. */
interface Bar {
  readonly key: string;
  readonly text: string;
  /** When it ends by itself, in milliseconds UTC. */
  readonly until?: number;
  /** Where the person takes it away. */
  readonly way?: { readonly to: string; readonly label: string };
}

/** All that stands in the way, each counted down or with the way past it. */
function BarList({ bars }: { readonly bars: readonly Bar[] }) {
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
