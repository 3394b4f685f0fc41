import { chosen } from '@exchange/wire/seconds.ts';
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
import { ticketFigures, ticketProblem, type TicketFigures, type TicketMoment } from './ticket.ts';

/** The ticket on screen: what is chosen, what it would bring, and the deed. */
export interface TicketControl {
  readonly terms: SecondsTerms;
  readonly limits: SecondsLimits | undefined;
  readonly moment: TicketMoment;
  readonly stake: string;
  readonly setStake: (stake: string) => void;
  readonly choose: (second: number) => void;
  readonly figures: TicketFigures;
  /** What is wrong with the stake once it was changed or submitted; undefined before that and while it is empty. */
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly unanswered: Unanswered | undefined;
  readonly needsRisk: boolean;
  readonly open: (direction: 'up' | 'down') => Promise<boolean>;
}

/** The state of the ticket of one pair; undefined until the configuration is there, or where there is none. */
export function useTicket(pair: {
  readonly base: string;
  readonly quote: string;
}): TicketControl | undefined {
  const t = useWords('seconds');
  const terms = useSecondsTerms().data;
  const limits = useSecondsLimits().data;
  const balance = useSecondsBalance(pair.quote);
  const isSignedIn = useSession(({ session }) => session !== null);
  const [second, choose] = useState<number>();
  const [typed, setStake] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `seconds open ${pair.base}${pair.quote}`,
    title: `${t('title')} ${pair.base}/${pair.quote}`,
    send: openPosition,
    onAnswered: () => {
      setStake('');
      notify.success('l.c_create_success');
    },
  });
  const duration = terms?.durations.find((one) => one.second === second) ?? terms?.durations[0];
  if (terms === undefined || duration === undefined) return undefined;
  const moment: TicketMoment = {
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
      ...chosen(String(duration.second)),
      version: String(terms.version),
    });
    const intent = [pair.base, pair.quote, stake, duration.second, direction, terms.version];
    return submit(JSON.stringify(intent), payload);
  };
  return {
    terms,
    limits,
    moment,
    stake,
    setStake,
    isBusy,
    unanswered,
    open,
    choose: (next) => {
      choose(next);
      // The configuration's rule: the amount begins at the minimum.
      setStake(undefined);
      setSubmitted(false);
    },
    figures: ticketFigures(stake, moment),
    error: problem === undefined || !isErrorShown ? undefined : refusalText(problem),
    needsRisk: isSignedIn && limits !== undefined && limits.riskVersion !== terms.riskVersion,
  };
}
