import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { TicketSummary } from '@exchange/web-kit/spot/ticket-summary.ts';
import type { Ticket, TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { useLongestTexts } from '@exchange/web-kit/spot/longest-texts.ts';
import { useTriggerSentence } from '@exchange/web-kit/spot/order-words.ts';
import {
  figuresOf,
  hasImpact,
  useImpactText,
  useFillEstimate,
  useThinBookSentence,
} from '@exchange/web-kit/spot/fill-estimate.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import classes from './ticket.module.css';

interface ConsequenceProps {
  readonly ticket: Ticket;
  readonly summary: TicketSummary;
  readonly moment: TicketMarket;
  /** Expiry of a GTT order in milliseconds UTC; undefined for other orders. */
  readonly expireAt: number | undefined;
}

/**
 * Shows, before the user places an order, its reserved funds, fee and proceeds, for a market or limit order also the
 * estimated average price and price impact, and the time at which it expires. Below them it states when a conditional
 * order triggers, or warns that a market order exceeds the visible order book.
 */
export function Consequence({ ticket, summary, moment, expireAt }: ConsequenceProps) {
  const { pair } = moment;
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  const rate = (fraction: { toString(): string }): string => formatPercent(fraction.toString(), locale);
  const rates = { maker: rate(pair.makerFee), taker: rate(pair.takerFee) };
  const estimate = useFillEstimate(ticket, moment);
  const { fee, received } = figuresOf(ticket, estimate, summary);
  const impact = useImpactText(ticket, moment, estimate);
  const thinBook = useThinBookSentence(ticket, estimate, pair);
  const sentence = useTriggerSentence(ticket, summary, pair);
  const longest = useLongestTexts(ticket, moment);
  // The buy side and the sell side of the ticket reserve the width of the same, longest figure, so that their lines
  // align.
  const figure = longest.base.length > longest.quote.length ? longest.base : longest.quote;
  return (
    <>
      <dl className={classes.consequence}>
        {hasImpact(ticket) && (
          <>
            <Row name={t('averagePrice')} hint={t('estimate')} longest={longest.price}>
              <Price value={estimate?.averagePrice.toString()} digits={pair.priceDigits} />
            </Row>
            <Row name={t('impact')} hint={t('impactHint')} longest={longest.impact}>
              {impact ?? '–'}
            </Row>
          </>
        )}
        <Row name={t('held')} hint={tDesk('ticket.reservedHint')} longest={figure}>
          <Amount value={summary.held?.toString()} kind="sum" coin={summary.spentCoin} />
        </Row>
        <Row
          name={<Link to={paths.fees}>{tDesk('ticket.fee', { rate: rate(summary.feeRate) })}</Link>}
          hint={tDesk('ticket.feeHint', rates)}
          longest={figure}
        >
          <Amount value={fee?.toString()} kind="fee" coin={summary.receivedCoin} />
        </Row>
        <Row
          name={tDesk(summary.isEstimate ? 'ticket.receiveAbout' : 'ticket.receive')}
          hint={summary.isEstimate ? t('estimate') : undefined}
          longest={figure}
        >
          <Amount value={received?.toString()} kind="sum" coin={summary.receivedCoin} />
        </Row>
        {expireAt !== undefined && (
          <Row name={t('expires')}>
            <When at={expireAt} look="minute" />
          </Row>
        )}
      </dl>
      <p className={classes.story} data-kind={ticket.type} data-longest={longest.sentence}>
        <span>{sentence ?? thinBook}</span>
      </p>
    </>
  );
}

interface RowProps {
  readonly name: ReactNode;
  readonly hint?: string | undefined;
  readonly longest?: string;
  readonly children: ReactNode;
}

function Row({ name, hint, longest, children }: RowProps) {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd data-longest={longest}>{children}</dd>
    </div>
  );
}
