import { durationField } from '@exchange/wire/seconds.ts';
import { useState } from 'react';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { openPosition, type OpenPayload } from './actions.ts';
import {
  useSecondsBalance,
  useSecondsLimits,
  useSecondsTerms,
  type SecondsLimits,
  type SecondsTerms,
} from './queries.ts';
import { ticketFigures, ticketProblem, type TicketFigures, type StakeContext } from './ticket.ts';

/** The selected duration and stake of the seconds contract's ticket, with their consequences. */
export interface TicketInputs {
  readonly terms: SecondsTerms;
  readonly context: StakeContext;
  readonly stake: string;
  readonly setStake: (stake: string) => void;
  readonly choose: (second: number) => void;
  readonly figures: TicketFigures;
  /**
   * Validation error of the stake. Undefined while the stake is valid or empty, and until the user has edited or
   * submitted it.
   */
  readonly error: string | undefined;
}

/** State of the seconds contract's ticket: its inputs, and the submission. */
export interface TicketControl extends TicketInputs {
  readonly limits: SecondsLimits | undefined;
  readonly isBusy: boolean;
  readonly unanswered: Unanswered | undefined;
  readonly needsRisk: boolean;
  readonly open: (direction: 'up' | 'down') => Promise<boolean>;
}

/**
 * State of the order ticket of the seconds contract for a pair; undefined until the terms have loaded, and for a pair
 * that the seconds contract does not offer.
 */
export function useTicket(pair: {
  readonly base: string;
  readonly quote: string;
}): TicketControl | undefined {
  const t = useWords('seconds');
  const terms = useSecondsTerms().data;
  const limits = useSecondsLimits().data;
  const balance = useSecondsBalance(pair.quote);
  const isSignedIn = useSession(({ session }) => session !== null);
  const [chosenSeconds, choose] = useState<number>();
  const [typed, setTyped] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `seconds open ${pair.base}${pair.quote}`,
    title: `${t('title')} ${pair.base}/${pair.quote}`,
    send: openPosition,
    onAnswered: () => {
      setTyped('');
      notify.success('l.c_create_success');
    },
  });
  const duration =
    terms?.durations.find((candidate) => candidate.second === chosenSeconds) ?? terms?.durations[0];
  if (terms === undefined || duration === undefined) return undefined;
  const moment: StakeContext = {
    coin: pair.quote,
    duration,
    feeRate: terms.feeRate,
    maxStake: limits?.maxStake ?? terms.maxStake,
    available: isSignedIn ? balance?.availableCurrency : undefined,
  };
  const stake = typed ?? duration.minimum;
  const problem = ticketProblem(stake, moment);
  const isErrorShown = stake !== '' && (typed !== undefined || isSubmitted);
  const open = async (direction: 'up' | 'down') => {
    setSubmitted(true);
    if (problem !== undefined) {
      notify.error(problem.key === 'l.c_enteropenamt' ? problem.key : refusalText(problem));
      return false;
    }
    const payload = (): OpenPayload => ({
      openAmount: stake,
      baseCoin: pair.base,
      quoteCoin: pair.quote,
      tradeType: direction,
      ...durationField(String(duration.second)),
      version: String(terms.version),
    });
    const intent = [pair.base, pair.quote, stake, duration.second, direction, terms.version];
    return submit(JSON.stringify(intent), payload);
  };
  return {
    terms,
    limits,
    context: moment,
    stake,
    setStake: setTyped,
    isBusy,
    unanswered,
    open,
    choose: (nextSeconds) => {
      choose(nextSeconds);
      // The stake is reset to the minimum stake of the selected duration.
      setTyped(undefined);
      setSubmitted(false);
    },
    figures: ticketFigures(stake, moment),
    error: problem === undefined || !isErrorShown ? undefined : refusalText(problem),
    needsRisk: isSignedIn && limits !== undefined && limits.riskVersion !== terms.riskVersion,
  };
}
