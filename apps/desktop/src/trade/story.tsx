import type { TicketSummary } from '@exchange/web-kit/spot/ticket-summary.ts';
import type { Ticket, TicketPair } from '@exchange/web-kit/spot/ticket.ts';
import { useTriggerSentence } from '@exchange/web-kit/spot/trigger-sentence.ts';
import { useMarketEstimate, useThinBookSentence } from '@exchange/web-kit/spot/use-market-estimate.ts';
import classes from './ticket.module.css';

interface StoryProps {
  readonly ticket: Ticket;
  readonly summary: TicketSummary;
  readonly pair: TicketPair;
}

/** When an order that waits does what, and that one at market is for more than the book shows. */
export function Story({ ticket, summary, pair }: StoryProps) {
  const sentence = useTriggerSentence(ticket, summary, pair);
  const thinBook = useThinBookSentence(useMarketEstimate(ticket, pair), pair);
  return (
    <p className={classes.story} data-kind={ticket.type}>
      {sentence ?? thinBook}
    </p>
  );
}
