import type { Decimal } from '@exchange/core/decimal.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { formatPercent, tellingDigits } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { TicketPair, TicketSummary } from '@exchange/web-kit/spot/ticket-form.ts';
import css from './ticket.module.css';

/** What is available, what the order takes, what it brings, and what it costs: before the button is pressed. */
export function Consequence({ summary, pair }: { summary: TicketSummary; pair: TicketPair | MarketPair }) {
  const t = useWords('trade');
  const locale = useLocale();
  const isBuy = summary.receivedCoin === pair.base;
  const rate = formatPercent(summary.feeRate.toString(), locale);
  return (
    <dl className={css.facts}>
      <Fact
        name={t('available')}
        value={summary.available}
        digits={tellingDigits(
          summary.available?.toString() ?? '',
          isBuy ? pair.priceDigits : pair.amountDigits,
        )}
        coin={summary.spentCoin}
      />
      <Fact name={t(isBuy ? 'maxBuy' : 'maxSell')} value={summary.maxAmount} coin={pair.base} />
      <Fact name={t('estimatedFee', { rate })} value={summary.fee} coin={summary.receivedCoin} />
      <Fact name={t('youReceive')} value={summary.received} coin={summary.receivedCoin} />
    </dl>
  );
}

interface FactProps {
  name: string;
  value: Decimal | undefined;
  coin: string;
  /** Exactly this many decimals; the amounts of the order itself are shown in full. */
  digits?: number;
}

function Fact({ name, value, coin, digits }: FactProps) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>
        <Amount value={value?.toString()} digits={digits} coin={coin} />
      </dd>
    </div>
  );
}
