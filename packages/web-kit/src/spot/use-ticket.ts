import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useBalances } from '../balance/balances.ts';
import { serverNow } from '../clock.ts';
import { farThrough } from './far-through.ts';
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
  type TicketMoment,
  afterPlacing,
  initialTicket,
  ticketFields,
} from './ticket.ts';
import { usePlacing } from './use-placing.ts';

/** A ticket on screen: what is typed, what it would do, why it would be refused, and the deed. */
export interface TicketControl {
  readonly ticket: Ticket;
  /** Which inputs the ticket has as it stands. */
  readonly fields: KindFields;
  readonly summary: TicketSummary;
  /** The first reason for a refusal, whether or not somebody has tried; `parameters.field` names the input. */
  readonly problem: Refusal | undefined;
  /** Whether the button was pressed since the last change. */
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly set: TicketSetters;
  /** While no answer came to an order of this pair and side: what the person may do about it. */
  readonly unanswered: Unanswered | undefined;
  /** Replaces what is typed, as by the pure edits of `ticket-edits.ts`; its price counts as typed. */
  readonly change: (ticket: Ticket) => void;
  /** Places the order unless there is a problem or something to be asked, and says what became of it. Gives whether it was placed. */
  readonly submit: () => Promise<boolean>;
  /** An order that waits for an answer, because its limit is far through the market. */
  readonly far: FarTicket | undefined;
}

export interface FarTicket {
  readonly ticket: Ticket;
  readonly place: () => void;
  readonly drop: () => void;
}

export interface TicketSetters {
  readonly side: (side: Side) => void;
  readonly type: (type: TicketKind) => void;
  readonly price: (price: string) => void;
  readonly stopPrice: (price: string) => void;
  readonly stopLimitPrice: (price: string) => void;
  /** In percent. */
  readonly trail: (percent: string) => void;
  readonly activation: (price: string) => void;
  readonly hasExits: (hasExits: boolean) => void;
  readonly takeProfit: (price: string) => void;
  readonly stopLoss: (price: string) => void;
  readonly stopLossLimit: (price: string) => void;
  /** Whether the two above are typed as prices or in percent of the entry price. */
  readonly exitsBy: (by: Ticket['exitsBy']) => void;
  /** The best price of a side of the book becomes the limit price. */
  readonly bestPrice: (side: 'bid' | 'ask') => void;
  readonly amount: (amount: string) => void;
  readonly total: (total: string) => void;
  readonly by: (by: Ticket['by']) => void;
  /** A whole percentage of what is available. */
  readonly percent: (percent: number) => void;
  readonly postOnly: (postOnly: boolean) => void;
  readonly timeInForce: (timeInForce: TimeInForce) => void;
  /** For `own`, with its moment in milliseconds UTC. */
  readonly expiry: (expiry: Expiry, ownExpiry?: number) => void;
  readonly direction: (direction: '' | StopDirection) => void;
  readonly selfTrade: (mode: SelfTradeMode) => void;
}

/** What is typed; a price that is not typed is the one of the moment. */
export interface TypedTicket {
  readonly ticket: Ticket;
  readonly isPriceTyped: boolean;
}

/** Keeps what is typed while its screen is away. */
export interface TicketMemory {
  readonly recall: () => TypedTicket | undefined;
  readonly keep: (typed: TypedTicket) => void;
}

/**
 * The state of one ticket, which starts as a memory has it, or else empty on a side with a kind, at the price of
 * the moment.
 */
export function useTicket(
  moment: TicketMoment,
  side: Side,
  type: TicketKind = 'limit',
  memory?: TicketMemory,
): TicketControl {
  const [recalled] = useState(() => memory?.recall());
  const [typed, setTyped] = useState(recalled?.ticket);
  const [isPriceTyped, setPriceTyped] = useState(recalled?.isPriceTyped ?? false);
  useEffect(() => {
    if (typed !== undefined) memory?.keep({ ticket: typed, isPriceTyped });
  }, [memory, typed, isPriceTyped]);
  const [isTried, setTried] = useState(false);
  // Expiries are judged at the moment of the last change: a clock that ticks would render for nothing.
  const [judgedAt, setJudgedAt] = useState(serverNow);
  const start = useStartPrice(moment);
  const [size] = useState(() => rememberedSize(side, type));
  const begun = typed ?? { ...initialTicket(side, type), by: size };
  const ticket = isPriceTyped || begun.price === start ? begun : edits.withPrice(begun, start, moment);
  const change = (next: Ticket): void => {
    setTried(false);
    setJudgedAt(serverNow());
    setTyped(next);
  };
  // Made once, so that inputs whose value a tick leaves alone are left alone themselves.
  const [{ set, see, drawn }] = useState(() =>
    settersOf({ ticket, moment }, change, () => setPriceTyped(true)),
  );
  useLayoutEffect(() => see({ ticket, moment }));
  // What was typed while the answer was waited for stays.
  const { place, isPlacing, unanswered } = usePlacing(moment.pair, ticket.side, (placed) => {
    if (JSON.stringify(drawn().ticket) === JSON.stringify(placed)) change(afterPlacing(placed));
  });

  const [asked, setAsked] = useState<Ticket>();
  const submit = async (): Promise<boolean> => {
    const now = serverNow();
    setTried(true);
    setJudgedAt(now);
    if (ticketProblem(ticket, moment, now) !== undefined) return false;
    // What got no answer was asked about before it was sent.
    if (unanswered === undefined && farThrough(ticket, moment) !== undefined) {
      setAsked(ticket);
      return false;
    }
    return place(ticket, now);
  };
  const far = asked && {
    ticket: asked,
    place: () => {
      setAsked(undefined);
      void place(asked, serverNow());
    },
    drop: () => setAsked(undefined),
  };

  return {
    ticket,
    fields: ticketFields(ticket),
    summary: summarise(ticket, moment),
    problem: ticketProblem(ticket, moment, judgedAt),
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

interface Drawn {
  readonly ticket: Ticket;
  readonly moment: TicketMoment;
}

/** Setters that change what was drawn last, which `see` gives them. */
function settersOf(first: Drawn, change: (ticket: Ticket) => void, onPrice: () => void) {
  let shown = first;
  const see = (now: Drawn): void => {
    shown = now;
  };
  const editing =
    <Value extends readonly unknown[]>(
      edited: (ticket: Ticket, moment: TicketMoment, ...value: Value) => Ticket,
    ) =>
    (...value: Value): void =>
      change(edited(shown.ticket, shown.moment, ...value));
  const set: TicketSetters = {
    side: editing((ticket, moment, side) => sized(edits.withSide(ticket, side, moment), moment)),
    type: editing((ticket, moment, type) => {
      rememberKind(type);
      return sized(edits.withType(ticket, type, moment), moment);
    }),
    price: editing((ticket, moment, price) => {
      onPrice();
      return edits.withPrice(ticket, price, moment);
    }),
    stopPrice: editing((ticket, moment, price) => edits.withStopPrice(ticket, price, moment)),
    stopLimitPrice: editing((ticket, _, price) => edits.withStopLimitPrice(ticket, price)),
    trail: editing((ticket, moment, percent) => edits.withTrail(ticket, percent, moment)),
    activation: editing((ticket, moment, price) => edits.withActivation(ticket, price, moment)),
    hasExits: editing((ticket, _, hasExits) => ({ ...ticket, hasExits })),
    takeProfit: editing((ticket, moment, text) => edits.withExit(ticket, 'takeProfit', text, moment)),
    stopLoss: editing((ticket, moment, text) => edits.withExit(ticket, 'stopLoss', text, moment)),
    stopLossLimit: editing((ticket, _, stopLossLimit) => ({ ...ticket, stopLossLimit })),
    exitsBy: editing((ticket, moment, by) => edits.withExitsBy(ticket, by, moment)),
    bestPrice: editing((ticket, moment, side) => {
      onPrice();
      return edits.withBestPrice(ticket, side, moment);
    }),
    amount: editing((ticket, moment, amount) => edits.withAmount(ticket, amount, moment)),
    total: editing((ticket, moment, total) => edits.withTotal(ticket, total, moment)),
    by: editing((ticket, _, by) => {
      rememberSize(ticket, by);
      return edits.withBy(ticket, by);
    }),
    percent: editing((ticket, moment, percent) => edits.withPercent(ticket, percent, moment)),
    postOnly: editing((ticket, _, postOnly) => edits.withPostOnly(ticket, postOnly)),
    timeInForce: editing((ticket, _, timeInForce) => edits.withTimeInForce(ticket, timeInForce)),
    expiry: editing((ticket, _, expiry, ownExpiry?) => edits.withExpiry(ticket, expiry, ownExpiry)),
    direction: editing((ticket, _, direction) => edits.withDirection(ticket, direction)),
    selfTrade: editing((ticket, _, mode) => edits.withSelfTrade(ticket, mode)),
  };
  return { set, see, drawn: () => shown };
}

/** A market order is sized as the person sizes those of its side. */
function sized(ticket: Ticket, moment: TicketMoment): Ticket {
  if (ticket.type !== 'market') return ticket;
  return edits.sizedBy(ticket, rememberedSize(ticket.side, ticket.type), moment);
}

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

/**
 * The price a limit ticket starts at: the reference at the moment it becomes known, in the pair's digits. It
 * then stays, because a price that moves while somebody types an amount is a trap. Empty until known.
 */
export function useStartPrice({ pair, reference }: TicketMoment): string {
  const price = reference?.toPlaces(pair.priceDigits);
  const [start, setStart] = useState(price);
  if (start === undefined && price !== undefined) setStart(price);
  return start ?? '';
}
