import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useBalances } from '../balance/balances.ts';
import { serverNow } from '../clock.ts';
import { distanceBeyondBest } from './distance-beyond-best.ts';
import type { Unanswered } from '../form/use-keyed-submit.ts';
import { useBestPrices, useIndexPrice, useLastPrice } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import type { KindFields, TicketKind } from './order-kinds.ts';
import { useOpenOrders } from './queries.ts';
import * as edits from './ticket-edits.ts';
import { rememberedSize, rememberKind, rememberSize } from './ticket-memory.ts';
import { ticketProblem } from './ticket-problem.ts';
import { type TicketSummary, summarise } from './ticket-summary.ts';
import {
  type Expiry,
  type SelfTradeMode,
  type Ticket,
  type TicketMarket,
  afterPlacing,
  initialTicket,
  ticketFields,
} from './ticket.ts';
import { usePlacing } from './use-placing.ts';

/** State of an order ticket: typed values, figures, the reason for a refusal, and the submission. */
export interface TicketControl {
  readonly ticket: Ticket;
  /** Inputs that the ticket has for its order type and side. */
  readonly fields: KindFields;
  readonly summary: TicketSummary;
  /**
   * The first reason for which the order would be refused, even before the user submits; `parameters.field`
   * names the input.
   */
  readonly problem: Refusal | undefined;
  /** Whether the user has pressed the order button since the last change. */
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly set: TicketSetters;
  /** Set when the request for an order of this pair and side failed without a response. */
  readonly unanswered: Unanswered | undefined;
  /**
   * Replaces the ticket, for example by an edit of `ticket-edits.ts`; its limit price then counts as typed.
   */
  readonly change: (ticket: Ticket) => void;
  /**
   * Places the ticket's order unless there is a problem or a confirmation is needed, and shows the outcome.
   * Resolves to whether it was placed.
   */
  readonly submit: () => Promise<boolean>;
  /** An order that needs confirmation because its limit lies far beyond the best price. */
  readonly far: FarTicket | undefined;
}

export interface FarTicket {
  readonly ticket: Ticket;
  readonly place: () => void;
  readonly dismiss: () => void;
}

export interface TicketSetters {
  readonly side: (side: Side) => void;
  readonly type: (type: TicketKind) => void;
  readonly price: (price: string) => void;
  /**
   * Called when the price input gets the focus. An empty input then stays empty: a start price that arrives
   * while someone types would become a part of what they type.
   */
  readonly holdPrice: () => void;
  readonly stopPrice: (price: string) => void;
  readonly stopLimitPrice: (price: string) => void;
  readonly trail: (percent: string) => void;
  readonly activation: (price: string) => void;
  readonly hasExits: (hasExits: boolean) => void;
  readonly takeProfit: (price: string) => void;
  readonly stopLoss: (price: string) => void;
  readonly stopLossLimit: (price: string) => void;
  /** Switches the input of take-profit and stop-loss between prices and percentages of the entry price. */
  readonly exitsBy: (by: Ticket['exitsBy']) => void;
  /** Sets the limit price to the best bid or ask. */
  readonly bestPrice: (side: 'bid' | 'ask') => void;
  readonly amount: (amount: string) => void;
  readonly total: (total: string) => void;
  readonly by: (by: Ticket['by']) => void;
  /** Sets the order's size to an integer percentage of the available balance. */
  readonly percent: (percent: number) => void;
  readonly postOnly: (postOnly: boolean) => void;
  readonly timeInForce: (timeInForce: TimeInForce) => void;
  /** Sets the expiry of a GTT order; `ownExpiry` is the custom time of `own` in milliseconds UTC. */
  readonly expiry: (expiry: Expiry, ownExpiry?: number) => void;
  readonly direction: (direction: '' | StopDirection) => void;
  readonly selfTrade: (mode: SelfTradeMode) => void;
}

/**
 * A ticket and whether its limit price was typed; otherwise the price is that of `useStartPrice`.
 */
export interface TypedTicket {
  readonly ticket: Ticket;
  readonly isPriceTyped: boolean;
}

/** Stores an order ticket while its screen is not mounted. */
export interface TicketMemory {
  readonly recall: () => TypedTicket | undefined;
  readonly save: (typed: TypedTicket) => void;
}

/** State of one order ticket. It starts from `memory`, or empty with the given side and order type. */
export function useTicket(
  market: TicketMarket,
  side: Side,
  type: TicketKind = 'limit',
  memory?: TicketMemory,
): TicketControl {
  const [recalled] = useState(() => memory?.recall());
  const [typed, setTyped] = useState(recalled?.ticket);
  const [isPriceTyped, setPriceTyped] = useState(recalled?.isPriceTyped ?? false);
  useEffect(() => {
    if (typed !== undefined) memory?.save({ ticket: typed, isPriceTyped });
  }, [memory, typed, isPriceTyped]);
  const [isTried, setTried] = useState(false);
  // The ticket is checked at the time of its last change, because a ticking clock would cause needless
  // renders.
  const [checkedAt, setCheckedAt] = useState(serverNow);
  const start = useStartPrice(market);
  const [size] = useState(() => rememberedSize(side, type));
  const initial = typed ?? { ...initialTicket(side, type), by: size };
  const ticket = isPriceTyped || initial.price === start ? initial : edits.withPrice(initial, start, market);
  const change = (next: Ticket): void => {
    setTried(false);
    setCheckedAt(serverNow());
    setTyped(next);
  };
  // The setters are created once, so that inputs with unchanged values do not render again.
  const [{ set, see: setRendered, drawn: latestRendered }] = useState(() =>
    settersOf({ ticket, market: market }, change, () => setPriceTyped(true)),
  );
  useLayoutEffect(() => setRendered({ ticket, market: market }));
  // If the user edits the ticket while waiting for the server, the edited ticket stays.
  const { place, isPlacing, unanswered } = usePlacing(market.pair, ticket.side, (placed) => {
    if (JSON.stringify(latestRendered().ticket) === JSON.stringify(placed)) change(afterPlacing(placed));
  });

  const [unconfirmedTicket, setUnconfirmedTicket] = useState<Ticket>();
  const submit = async (): Promise<boolean> => {
    const now = serverNow();
    setTried(true);
    setCheckedAt(now);
    if (ticketProblem(ticket, market, now) !== undefined) return false;
    // A retry of an unanswered order needs no confirmation, because it was confirmed before it was first
    // sent.
    if (unanswered === undefined && distanceBeyondBest(ticket, market) !== undefined) {
      setUnconfirmedTicket(ticket);
      return false;
    }
    return place(ticket, now);
  };
  const far = unconfirmedTicket && {
    ticket: unconfirmedTicket,
    place: () => {
      setUnconfirmedTicket(undefined);
      void place(unconfirmedTicket, serverNow());
    },
    dismiss: () => setUnconfirmedTicket(undefined),
  };

  return {
    ticket,
    fields: ticketFields(ticket),
    summary: summarise(ticket, market),
    problem: ticketProblem(ticket, market, checkedAt),
    isTried,
    isBusy: isPlacing,
    set,
    change: (next) => {
      setPriceTyped(true);
      change(next);
    },
    submit,
    far,
    unanswered,
  };
}

interface RenderedTicket {
  readonly ticket: Ticket;
  readonly market: TicketMarket;
}

/** Functions that edit the order ticket of the last render, which `see` stores. */
function settersOf(initial: RenderedTicket, change: (ticket: Ticket) => void, onPrice: () => void) {
  let rendered = initial;
  const setRendered = (current: RenderedTicket): void => {
    rendered = current;
  };
  const setterFor =
    <Value extends readonly unknown[]>(
      edit: (ticket: Ticket, market: TicketMarket, ...value: Value) => Ticket,
    ) =>
    (...value: Value): void =>
      change(edit(rendered.ticket, rendered.market, ...value));
  const set: TicketSetters = {
    side: setterFor((ticket, market, side) =>
      withRememberedSize(edits.withSide(ticket, side, market), market),
    ),
    type: setterFor((ticket, market, type) => {
      rememberKind(type);
      return withRememberedSize(edits.withType(ticket, type, market), market);
    }),
    price: setterFor((ticket, market, price) => {
      onPrice();
      return edits.withPrice(ticket, price, market);
    }),
    holdPrice: () => {
      if (rendered.ticket.price === '') onPrice();
    },
    stopPrice: setterFor((ticket, market, price) => edits.withStopPrice(ticket, price, market)),
    stopLimitPrice: setterFor((ticket, _, price) => edits.withStopLimitPrice(ticket, price)),
    trail: setterFor((ticket, market, percent) => edits.withTrail(ticket, percent, market)),
    activation: setterFor((ticket, market, price) => edits.withActivation(ticket, price, market)),
    hasExits: setterFor((ticket, _, hasExits) => ({ ...ticket, hasExits })),
    takeProfit: setterFor((ticket, market, text) => edits.withExit(ticket, 'takeProfit', text, market)),
    stopLoss: setterFor((ticket, market, text) => edits.withExit(ticket, 'stopLoss', text, market)),
    stopLossLimit: setterFor((ticket, _, stopLossLimit) => ({ ...ticket, stopLossLimit })),
    exitsBy: setterFor((ticket, market, by) => edits.withExitsBy(ticket, by, market)),
    bestPrice: setterFor((ticket, market, side) => {
      onPrice();
      return edits.withBestPrice(ticket, side, market);
    }),
    amount: setterFor((ticket, market, amount) => edits.withAmount(ticket, amount, market)),
    total: setterFor((ticket, market, total) => edits.withTotal(ticket, total, market)),
    by: setterFor((ticket, _, by) => {
      rememberSize(ticket, by);
      return edits.withBy(ticket, by);
    }),
    percent: setterFor((ticket, market, percent) => edits.withPercent(ticket, percent, market)),
    postOnly: setterFor((ticket, _, postOnly) => edits.withPostOnly(ticket, postOnly)),
    timeInForce: setterFor((ticket, _, timeInForce) => edits.withTimeInForce(ticket, timeInForce)),
    expiry: setterFor((ticket, _, expiry, ownExpiry?) => edits.withExpiry(ticket, expiry, ownExpiry)),
    direction: setterFor((ticket, _, direction) => edits.withDirection(ticket, direction)),
    selfTrade: setterFor((ticket, _, mode) => edits.withSelfTrade(ticket, mode)),
  };
  return { set, see: setRendered, drawn: () => rendered };
}

/** Sizes a market order by amount or total, as the user last chose for its side. */
function withRememberedSize(ticket: Ticket, market: TicketMarket): Ticket {
  if (ticket.type !== 'market') return ticket;
  return edits.sizedBy(ticket, rememberedSize(ticket.side, ticket.type), market);
}

/** Live market data, balances and order counts for a ticket. */
export function useTicketMarket(pair: MarketPair): TicketMarket {
  const { bids: bestBid, asks: bestAsk } = useBestPrices(pair.symbol);
  const last = useLastPrice(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  const balances = useBalances().data?.list;
  const orders = useOpenOrders({ baseCoin: pair.base, quoteCoin: pair.quote });
  const isKnown = orders.data !== undefined;
  const resting = orders.resting.length;
  const waiting = orders.waiting.length;
  return useMemo(() => {
    // A coin without a balance row was never held, so none of it is available.
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

/**
 * Initial limit price of a ticket: the first known reference price, in the pair's decimals. It does not
 * follow the market, because a price that changes while the user types an amount is dangerous. Empty until
 * known.
 */
export function useStartPrice({ pair, reference }: TicketMarket): string {
  const price = reference?.toPlaces(pair.priceDigits);
  const [start, setStart] = useState(price);
  if (start === undefined && price !== undefined) setStart(price);
  return start ?? '';
}
