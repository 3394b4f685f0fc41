import { Decimal } from '@exchange/core/decimal.ts';
import { useDepth, useIndexPrice, useTickerPart } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useBalances } from '@exchange/web-kit/spot/queries.ts';
import type { TicketMoment } from '@exchange/web-kit/spot/ticket-form.ts';
import { useMemo } from 'react';

/** What the ticket knows of the market and of the balances, live. */
export function useMoment(pair: MarketPair): TicketMoment {
  const { bids, asks } = useDepth(pair.symbol, { rows: 1 });
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const index = useIndexPrice(pair.symbol);
  const balances = useBalances().data?.list;
  const bid = bids[0]?.price;
  const ask = asks[0]?.price;
  return useMemo(() => {
    // A coin that was never held has no row: nothing of it is available.
    const availableOf = (coin: string) =>
      balances === undefined
        ? undefined
        : Decimal.parse(balances.find(({ currency }) => currency === coin)?.availableCurrency ?? '0');
    return {
      pair,
      bestBid: parsed(bid),
      bestAsk: parsed(ask),
      reference: parsed(index ?? last),
      baseAvailable: availableOf(pair.base),
      quoteAvailable: availableOf(pair.quote),
    };
  }, [pair, bid, ask, index, last, balances]);
}

function parsed(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : Decimal.tryParse(text);
}
