import { Decimal } from '@exchange/core/decimal.ts';
import { useMemo } from 'react';
import { useBestPrices, useIndexPrice, useLastPrice } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import { useBalances } from '../balance/balances.ts';
import { useOpenOrders } from './queries.ts';
import type { TicketMoment } from './ticket.ts';

/** What a ticket has to know of the market, the balances and the own open orders, live. */
export function useTicketMoment(pair: MarketPair): TicketMoment {
  const { bids: bestBid, asks: bestAsk } = useBestPrices(pair.symbol);
  const last = useLastPrice(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  const balances = useBalances().data?.list;
  const orders = useOpenOrders({ baseCoin: pair.base, quoteCoin: pair.quote });
  const isKnown = orders.data !== undefined;
  const resting = orders.resting.length;
  const waiting = orders.waiting.length;
  return useMemo(() => {
    // A coin that was never held has no row: nothing of it is available.
    const availableOf = (coin: string): Decimal | undefined =>
      balances === undefined
        ? undefined
        : Decimal.parse(balances.find(({ currency }) => currency === coin)?.availableCurrency ?? '0');
    return {
      pair,
      bestBid: decimal(bestBid),
      bestAsk: decimal(bestAsk),
      reference: decimal(index ?? last),
      last: decimal(last),
      baseAvailable: availableOf(pair.base),
      quoteAvailable: availableOf(pair.quote),
      openOrders: isKnown ? { resting, waiting } : undefined,
    };
  }, [pair, bestBid, bestAsk, index, last, balances, isKnown, resting, waiting]);
}

function decimal(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : Decimal.tryParse(text);
}
