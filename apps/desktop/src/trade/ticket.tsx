import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDepth, useIndexPrice, useTickerPart } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useBalance } from '@exchange/web-kit/spot/queries.ts';
import type { TicketMoment } from '@exchange/web-kit/spot/ticket-form.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useMemo } from 'react';
import { PairAssets } from './pair-assets.tsx';
import type { TakenPrice } from './taken-price.ts';
import { TicketForm } from './ticket-form.tsx';
import classes from './ticket.module.css';

interface TicketProps {
  readonly pair: MarketPair;
  readonly type: OrderType;
  readonly onTypeChange: (type: OrderType) => void;
  readonly taken: TakenPrice | undefined;
}

/** The order ticket: limit or market, buy and sell side by side. */
export function Ticket({ pair, type, onTypeChange, taken }: TicketProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  const moment = useMoment(pair);
  const rate = (fraction: Decimal): string => formatPercent(fraction.toString(), locale);

  return (
    <section className={classes.ticket} aria-label={tDesk('ticket.title')}>
      <div className={classes.head}>
        <Tabs
          label={tDesk('ticket.title')}
          look="text"
          value={type}
          onChange={onTypeChange}
          options={[
            { value: 'limit', label: t('limit') },
            { value: 'market', label: t('market') },
          ]}
        />
        <span className={classes.rates}>
          {tDesk('ticket.feeEither', { maker: rate(pair.makerFee), taker: rate(pair.takerFee) })}
        </span>
      </div>
      <div className={classes.forms}>
        <TicketForm key={`buy ${type}`} side="buy" type={type} moment={moment} taken={taken} />
        <TicketForm key={`sell ${type}`} side="sell" type={type} moment={moment} taken={taken} />
      </div>
      <PairAssets pair={pair} />
    </section>
  );
}

/** What the ticket has to know of the market and the balances, now. */
function useMoment(pair: MarketPair): TicketMoment {
  const { bids, asks } = useDepth(pair.symbol, { rows: 1 });
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const index = useIndexPrice(pair.symbol);
  const base = useBalance(pair.base)?.availableCurrency;
  const quote = useBalance(pair.quote)?.availableCurrency;
  const bestBid = bids[0]?.price;
  const bestAsk = asks[0]?.price;
  return useMemo(
    () => ({
      pair,
      bestBid: decimal(bestBid),
      bestAsk: decimal(bestAsk),
      reference: decimal(index ?? last),
      baseAvailable: decimal(base),
      quoteAvailable: decimal(quote),
    }),
    [pair, bestBid, bestAsk, index, last, base, quote],
  );
}

function decimal(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : Decimal.tryParse(text);
}
