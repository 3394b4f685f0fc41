import { type Decimal, least } from '@exchange/core/decimal.ts';
import { Amount, Percent } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLongestTexts } from '@exchange/web-kit/spot/longest-texts.ts';
import {
  type FillEstimate,
  figuresOf,
  hasImpact,
  useImpactText,
} from '@exchange/web-kit/spot/fill-estimate.ts';
import type { TicketSummary } from '@exchange/web-kit/spot/ticket-summary.ts';
import type { Ticket, TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import css from './ticket.module.css';

interface ConsequenceProps {
  ticket: Ticket;
  summary: TicketSummary;
  estimate: FillEstimate | undefined;
  moment: TicketMarket;
}

/**
 * Lines above the submit button of the ticket: available balance, greatest possible amount, reserved funds, fee rate,
 * fee and proceeds of the order; for a market or limit order also the estimated average price and the price impact.
 */
export function Consequence({ ticket, summary, estimate, moment }: ConsequenceProps) {
  const { pair } = moment;
  const longest = useLongestTexts(ticket, moment);
  // Every amount except the available balance reserves the width of its longest usual text. The user's balance does not
  // limit that width, because the user may type an amount above the balance.
  const figure = longest.base.length > longest.quote.length ? longest.base : longest.quote;
  const t = useWords('trade');
  const tMobile = useWords('mobile-trade');
  const isBuy = summary.receivedCoin === pair.base;
  const { fee, received } = figuresOf(ticket, estimate, summary);
  const impact = useImpactText(ticket, moment, estimate);
  return (
    <dl className={css.facts}>
      <Fact name={t('available')} value={summary.available} coin={summary.spentCoin} />
      <Fact
        name={t(isBuy ? 'maxBuy' : 'maxSell')}
        value={summary.maxAmount && least(summary.maxAmount, pair.filters.maxAmount)}
        longest={figure}
        coin={pair.base}
      />
      {hasImpact(ticket) && (
        <>
          <Fact
            name={t('averagePrice')}
            value={estimate?.averagePrice}
            places={pair.priceDigits}
            coin={pair.quote}
            longest={`${longest.price} ${pair.quote}`}
          />
          <div className={css.fact}>
            <dt>{t('impact')}</dt>
            <dd data-longest={longest.impact}>{impact ?? '–'}</dd>
          </div>
        </>
      )}
      <Fact name={t('held')} value={summary.held} longest={figure} coin={summary.spentCoin} />
      <div className={css.fact}>
        <dt>
          <Link to={paths.fees}>{tMobile(summary.role === 'maker' ? 'makerRate' : 'takerRate')}</Link>
        </dt>
        <dd>
          <Percent value={summary.feeRate.toString()} />
        </dd>
      </div>
      <Fact name={t('fee')} kind="fee" value={fee} longest={figure} coin={summary.receivedCoin} />
      <Fact name={t('youReceive')} value={received} longest={figure} coin={summary.receivedCoin} />
    </dl>
  );
}

interface FactProps {
  name: string;
  value: Decimal | undefined;
  /**
   * The longest text that the amount usually has; its line reserves this width, so that nothing shifts while the user
   * types.
   */
  longest?: string | undefined;
  coin: string;
  kind?: 'sum' | 'fee';
  places?: number;
}

function Fact({ name, value, longest, coin, kind = 'sum', places }: FactProps) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd data-longest={longest}>
        <Amount value={value?.toString()} kind={kind} digits={places} coin={coin} />
      </dd>
    </div>
  );
}
