import type { Decimal } from '@exchange/core/decimal.ts';
import { ASSET_DIGITS, formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketEstimate } from '@exchange/web-kit/spot/market-estimate.ts';
import type { TicketSummary } from '@exchange/web-kit/spot/ticket-summary.ts';
import type { Ticket, TicketPair } from '@exchange/web-kit/spot/ticket.ts';
import css from './ticket.module.css';

interface ConsequenceProps {
  ticket: Ticket;
  summary: TicketSummary;
  estimate: MarketEstimate | undefined;
  pair: TicketPair;
}

/** What is available, what the order sets aside, costs and brings: before the button is pressed. */
export function Consequence({ ticket, summary, estimate, pair }: ConsequenceProps) {
  const t = useWords('trade');
  const own = useWords('mobile-trade');
  const locale = useLocale();
  const isBuy = summary.receivedCoin === pair.base;
  const rate = formatPercent(summary.feeRate.toString(), locale);
  const { fee, received } = estimate ?? summary;
  return (
    <dl className={css.facts}>
      <Fact name={t('available')} value={summary.available} coin={summary.spentCoin} />
      <Fact name={t(isBuy ? 'maxBuy' : 'maxSell')} value={summary.maxAmount} coin={pair.base} />
      {ticket.type === 'market' && (
        <Fact
          name={t('averagePrice')}
          value={estimate?.averagePrice}
          places={pair.priceDigits}
          coin={pair.quote}
        />
      )}
      <Fact name={t('held')} value={summary.held} coin={summary.spentCoin} />
      <Fact
        name={own(summary.role === 'maker' ? 'feeMaker' : 'feeTaker', { rate })}
        value={fee}
        coin={summary.receivedCoin}
      />
      <Fact name={t('youReceive')} value={received} coin={summary.receivedCoin} />
    </dl>
  );
}

interface FactProps {
  name: string;
  value: Decimal | undefined;
  coin: string;
  /** Decimals; without them, all that the coin has. */
  places?: number;
}

function Fact({ name, value, coin, places = ASSET_DIGITS }: FactProps) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>
        <Amount value={value?.toString()} digits={places} coin={coin} />
      </dd>
    </div>
  );
}
