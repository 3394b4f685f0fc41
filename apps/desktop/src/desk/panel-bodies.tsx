import { useOwnRates } from '@exchange/web-kit/market/fee-tiers.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { usePreparedOrder } from '@exchange/web-kit/spot/prepared-order.ts';
import { rememberedKind, rememberKind } from '@exchange/web-kit/spot/ticket-memory.ts';
import { useCallback, useRef, useState } from 'react';
import { DepthLadder } from '../depth-ladder/depth-ladder.tsx';
import { Candles, Depth } from '../trade/chart-panel.tsx';
import { OrderBook } from '../trade/order-book.tsx';
import { OrdersPanel } from '../trade/orders-panel.tsx';
import { PairList } from '../trade/pair-list.tsx';
import type { PickedPrice } from '../trade/picked-price.ts';
import { RecentDeals } from '../trade/recent-deals.tsx';
import { Ticket } from '../trade/ticket.tsx';
import { type PanelBodyProps, useDesk } from './desk-context.ts';

/** Candle chart of the panel's pair, with a candle interval that belongs to this panel only. */
export function ChartBody({ panel, pair }: PanelBodyProps) {
  const { chooseTimer } = useDesk();
  return (
    <Candles
      key={pair.symbol}
      pair={pair}
      onTake={usePick(pair)}
      ownTimer={panel.timer}
      onTimer={(timer) => chooseTimer(panel.id, timer)}
    />
  );
}

export function DepthBody({ pair }: PanelBodyProps) {
  return <Depth key={pair.symbol} pair={pair} />;
}

/** Price ladder; a clicked price goes to the order forms of the pair while clicks place no orders. */
export function LadderBody({ pair }: PanelBodyProps) {
  return <DepthLadder pair={pair} onPickPrice={usePick(pair)} />;
}

export function BookBody({ pair }: PanelBodyProps) {
  const { book } = useDesk();
  return <OrderBook key={pair.symbol} pair={pair} view={book} onTake={usePick(pair)} />;
}

export function DealsBody({ pair }: PanelBodyProps) {
  return <RecentDeals key={pair.symbol} pair={pair} />;
}

export function OrdersBody({ pair }: PanelBodyProps) {
  return <OrdersPanel pair={pair} />;
}

/** The list of pairs; a chosen pair is shown in this panel and in all panels of its link group. */
export function PairsBody({ panel, pair }: PanelBodyProps) {
  const { choosePair } = useDesk();
  const searchBox = useRef<HTMLInputElement>(null);
  return (
    <PairList current={pair} searchBox={searchBox} onChoose={({ symbol }) => choosePair(panel.id, symbol)} />
  );
}

/** The order ticket. It receives the prices that are picked in books, ladders and charts of the same pair. */
export function TicketBody({ pair: listed }: PanelBodyProps) {
  const pair = useOwnRates(listed);
  const { picked } = useDesk();
  const price = picked?.symbol === pair.symbol ? picked.price : undefined;
  const [kind, setKind] = useState<TicketKind>(rememberedKind);
  const [seen, setSeen] = useState<PickedPrice | undefined>(price);
  const [discarded, setDiscarded] = useState<PickedPrice | undefined>(price);
  if (price !== seen) {
    setSeen(price);
    // A market order and a trailing stop have no price, so a picked price begins a limit order.
    if (price !== undefined && (kind === 'market' || kind === 'trailing')) setKind('limit');
  }
  const prepared = usePreparedOrder(pair.symbol);
  // The ticket shows a prepared order under its own type, which the user then sees chosen.
  if (prepared !== undefined && prepared.kind !== kind) setKind(prepared.kind);
  const choose = useCallback(
    (nextKind: TicketKind) => {
      setKind(nextKind);
      rememberKind(nextKind);
      setDiscarded(price);
    },
    [price],
  );
  return (
    <Ticket
      key={pair.symbol}
      pair={pair}
      kind={kind}
      onKindChange={choose}
      taken={price === discarded ? undefined : price}
    />
  );
}

function usePick({ symbol }: MarketPair): (price: string) => void {
  const { pickPrice } = useDesk();
  return useCallback((price: string) => pickPrice(symbol, price), [pickPrice, symbol]);
}
