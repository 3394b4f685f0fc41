import type { Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { refusalText } from '../i18n/words.ts';
import type { SecondsTerms } from './queries.ts';
import { ticketFigures, ticketProblem, type StakeContext, type TicketFigures } from './ticket.ts';

/**
 * The selected terms (for a duration) and the stake of the seconds contract's ticket, the functions that
 * change them, and the calculated figures and the error of the stake.
 */
export interface TicketInputs {
  readonly terms: SecondsTerms;
  readonly context: StakeContext;
  readonly stake: string;
  readonly setStake: (stake: string) => void;
  readonly choose: (second: number) => void;
  readonly figures: TicketFigures;
  /**
   * Error text of the stake. Undefined if the stake is valid or empty, and until the user has edited the stake or tried
   * to open a position.
   */
  readonly error: string | undefined;
}

/** The user's account for a ticket of the seconds contract; amounts are plain text in `coin`. */
interface StakeAccount {
  readonly coin: string;
  /** The user's own maximum stake; if undefined, the maximum stake of the terms applies. */
  readonly maxStake: string | undefined;
  /** Available balance of the seconds account; undefined until it has loaded, and for visitors. */
  readonly available: string | undefined;
}

/**
 * The inputs of a ticket, the reason why its position cannot be opened, and a function that shows this
 * reason.
 */
interface SubmittedInputs extends TicketInputs {
  /** Why a position cannot be opened with this stake; undefined if it can. */
  readonly problem: Refusal | undefined;
  /**
   * Makes `error` show the problem of the stake even if the user has not edited it; called when the user tries to open
   * a position.
   */
  readonly showProblem: () => void;
}

/**
 * State of a ticket's duration and stake under `terms`; undefined until the terms have loaded, and while they
 * contain no duration.
 */
export function useTicketInputs(
  terms: SecondsTerms | undefined,
  { coin, maxStake, available }: StakeAccount,
): SubmittedInputs | undefined {
  const [chosenSeconds, choose] = useState<number>();
  const [typed, setTyped] = useState<string>();
  const [isProblemShown, setProblemShown] = useState(false);
  const duration =
    terms?.durations.find((candidate) => candidate.second === chosenSeconds) ?? terms?.durations[0];
  if (terms === undefined || duration === undefined) return undefined;
  const context: StakeContext = {
    coin,
    duration,
    feeRate: terms.feeRate,
    maxStake: maxStake ?? terms.maxStake,
    available,
  };
  const stake = typed ?? duration.minimum;
  const problem = ticketProblem(stake, context);
  const isErrorShown = stake !== '' && (typed !== undefined || isProblemShown);
  return {
    terms,
    context,
    stake,
    setStake: setTyped,
    choose: (nextSeconds) => {
      choose(nextSeconds);
      // The stake is reset to the minimum stake of the selected duration.
      setTyped(undefined);
      setProblemShown(false);
    },
    figures: ticketFigures(stake, context),
    error: problem === undefined || !isErrorShown ? undefined : refusalText(problem),
    problem,
    showProblem: () => setProblemShown(true),
  };
}
