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

/** State of an order ticket: typed values, figures, the reason why the order would be refused, and the request. */
export interface TicketControl {
  readonly ticket: Ticket;
  /** The inputs that the ticket shows for its order type and side. */
  readonly fields: KindFields;
  readonly summary: TicketSummary;
  /**
   * The first reason for which the order would be refused, known before the user submits it; `parameters.field` names
   * the input. Undefined if there is none.
   */
  readonly problem: Refusal | undefined;
  /** Whether the user has pressed the order button since the last change of the ticket. */
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly set: TicketSetters;
  /** Defined if the request for an order of this pair and side failed without a response. */
  readonly unanswered: Unanswered | undefined;
  /**
   * Replaces the ticket, for example by the result of an edit in `ticket-edits.ts`. The limit price of the new ticket
   * counts as typed by the user.
   */
  readonly change: (ticket: Ticket) => void;
  /**
   * Places the ticket's order and shows success or refusal in a notification, unless `problem` is defined or
   * the order must be confirmed first. Resolves to whether the order was placed.
   */
  readonly submit: () => Promise<boolean>;
  /**
   * An order that the user must confirm, because its limit price is at least 2 % beyond the best opposite
   * price; undefined if there is none.
   */
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
   * Called when the price input gets the focus. From then on, an empty input stays empty: if a start price were entered
   * while the user types, it would become a part of the typed number.
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
  /** Switches the inputs of take-profit and stop-loss between prices and percentages of the entry price. */
  readonly exitsBy: (by: Ticket['exitsBy']) => void;
  /** Sets the limit price to the best bid or the best ask. */
  readonly bestPrice: (side: 'bid' | 'ask') => void;
  readonly amount: (amount: string) => void;
  readonly total: (total: string) => void;
  readonly by: (by: Ticket['by']) => void;
  /** Sets the size of the order to an integer percentage of the available balance. */
  readonly percent: (percent: number) => void;
  readonly postOnly: (postOnly: boolean) => void;
  readonly timeInForce: (timeInForce: TimeInForce) => void;
  /**
   * Sets the expiry of a GTT order. With `own`, `ownExpiry` is the time that the user has entered, in milliseconds UTC.
   */
  readonly expiry: (expiry: Expiry, ownExpiry?: number) => void;
  readonly direction: (direction: '' | StopDirection) => void;
  readonly selfTrade: (mode: SelfTradeMode) => void;
}

/**
 * A ticket, and whether the user has typed its limit price; if not, its limit price is the one that `useStartPrice`
 * returns.
 */
export interface TypedTicket {
  readonly ticket: Ticket;
  readonly isPriceTyped: boolean;
}

/** Stores an order ticket while the screen of the ticket is not mounted. */
export interface TicketMemory {
  readonly recall: () => TypedTicket | undefined;
  readonly save: (typed: TypedTicket) => void;
}

/**
 * State of an order ticket. The ticket is initially the one stored in `memory`, otherwise a new one with the given side
 * and order type. Until the user types the limit price, it is the one that `useStartPrice` returns.
 */
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
  // The ticket is checked for the time of its last change; checking for the current time would render it again at every
  // tick of the clock.
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
  // The setters are created once, so that inputs with unchanged props are not rendered again.
  const [{ set, see: setRendered, drawn: latestRendered }] = useState(() =>
    settersOf({ ticket, market: market }, change, () => setPriceTyped(true)),
  );
  useLayoutEffect(() => setRendered({ ticket, market: market }));
  // Amount and total are emptied only if the user has not edited the ticket since the order was sent.
  const { place, isPlacing, unanswered } = usePlacing(market.pair, ticket.side, (placed) => {
    if (JSON.stringify(latestRendered().ticket) === JSON.stringify(placed)) change(afterPlacing(placed));
  });

  const [unconfirmedTicket, setUnconfirmedTicket] = useState<Ticket>();
  const submit = async (): Promise<boolean> => {
    const now = serverNow();
    setTried(true);
    setCheckedAt(now);
    if (ticketProblem(ticket, market, now) !== undefined) return false;
    // An order without a response that is sent again needs no confirmation, because the user confirmed it before it was
    // sent first.
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

/**
 * Creates functions that edit the order ticket of the last render; `see` stores that ticket after each render, and
 * `drawn` returns it.
 */
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

/**
 * Sizes the ticket's market order by amount or by total, whichever the user has chosen last for its side. Tickets of
 * other order types stay unchanged.
 */
function withRememberedSize(ticket: Ticket, market: TicketMarket): Ticket {
  if (ticket.type !== 'market') return ticket;
  return edits.sizedBy(ticket, rememberedSize(ticket.side, ticket.type), market);
}

/** The current market data, balances and numbers of open orders for a ticket; updated live. */
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
    // A coin without a row in the balances has an available balance of 0.
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
 * Initial limit price of a ticket: the first known reference price (index or last price), with the pair's decimals; an
 * empty text until it is known. It does not change later, because a price that changes while the user types an amount
 * is dangerous.
 */
export function useStartPrice({ pair, reference }: TicketMarket): string {
  const price = reference?.toPlaces(pair.priceDigits);
  const [start, setStart] = useState(price);
  if (start === undefined && price !== undefined) setStart(price);
  return start ?? '';
}
