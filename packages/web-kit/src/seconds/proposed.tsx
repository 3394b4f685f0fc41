import { SECONDS_COIN } from '@exchange/core/seconds.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { secondsFullConfig } from '@exchange/wire/seconds.ts';
import { useState } from 'react';
import { refusalText, useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { termsOf } from './queries.ts';
import { ticketFigures, ticketProblem, type StakeContext } from './ticket.ts';
import { TicketPanel } from './ticket-panel.tsx';

/**
 * Preview for operators: the ticket of the seconds contract under proposed terms. Duration and stake can be changed, so
 * that the figures of each stake can be read; no position can be opened.
 */
export function ProposedSeconds({ shown }: { readonly shown: DataOf<typeof secondsFullConfig> }) {
  const t = useWords('seconds');
  const terms = termsOf(shown, shown.feeRate);
  const [chosenSeconds, choose] = useState<number>();
  const [typed, setStake] = useState<string>();
  const duration = terms.durations.find(({ second }) => second === chosenSeconds) ?? terms.durations[0];
  if (duration === undefined) return null;
  const context: StakeContext = {
    coin: SECONDS_COIN,
    duration,
    feeRate: terms.feeRate,
    maxStake: terms.maxStake,
    available: undefined,
  };
  const stake = typed ?? duration.minimum;
  const problem = ticketProblem(stake, context);
  const control = {
    terms,
    context,
    stake,
    setStake,
    choose: (second: number) => {
      choose(second);
      setStake(undefined);
    },
    figures: ticketFigures(stake, context),
    error: problem === undefined || stake === '' ? undefined : refusalText(problem),
  };
  return (
    <section aria-label={t('title')}>
      {terms.open === 0 && <Banner tone="warning">{t('closed')}</Banner>}
      <TicketPanel control={control} onTransfer={undefined} />
    </section>
  );
}
