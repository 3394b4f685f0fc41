import { durationField } from '@exchange/wire/seconds.ts';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { openPosition, type OpenPayload } from './actions.ts';
import { useSecondsBalance, useSecondsLimits, useSecondsTerms, type SecondsLimits } from './queries.ts';
import { type TicketInputs, useTicketInputs } from './ticket-inputs.ts';

/** State of the seconds contract's ticket: its inputs, and the submission. */
export interface TicketControl extends TicketInputs {
  readonly limits: SecondsLimits | undefined;
  readonly isBusy: boolean;
  readonly unanswered: Unanswered | undefined;
  readonly needsRisk: boolean;
  readonly open: (direction: 'up' | 'down') => Promise<boolean>;
}

/**
 * State of the order ticket of the seconds contract for a pair; undefined until the terms have loaded, and
 * while they contain no duration.
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
  const inputs = useTicketInputs(terms, {
    coin: pair.quote,
    maxStake: limits?.maxStake,
    available: isSignedIn ? balance?.availableCurrency : undefined,
  });
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `seconds open ${pair.base}${pair.quote}`,
    title: `${t('title')} ${pair.base}/${pair.quote}`,
    send: openPosition,
    onAnswered: () => {
      inputs?.setStake('');
      notify.success('l.c_create_success');
    },
  });
  if (terms === undefined || inputs === undefined) return undefined;
  const { stake, problem, context } = inputs;
  const { duration } = context;
  const open = async (direction: 'up' | 'down') => {
    inputs.showProblem();
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
    ...inputs,
    limits,
    isBusy,
    unanswered,
    open,
    needsRisk: isSignedIn && limits !== undefined && limits.riskVersion !== terms.riskVersion,
  };
}
