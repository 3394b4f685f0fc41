import type { Refusal } from '@exchange/core/refusal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { useEffect, useLayoutEffect, useState } from 'react';
import { serverNow } from '../clock.ts';
import type { Unanswered } from '../form/use-keyed-submit.ts';
import type { KindFields, TicketKind } from './order-kinds.ts';
import * as edits from './ticket-edits.ts';
import { ticketProblem } from './ticket-problem.ts';
import { summarise, type TicketSummary } from './ticket-summary.ts';
import {
  afterPlacing,
  initialTicket,
  ticketFields,
  type Expiry,
  type SelfTradeMode,
  type Ticket,
  type TicketMoment,
} from './ticket.ts';
import { usePlacing } from './use-placing.ts';
import { useStartPrice } from './use-start-price.ts';

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
  /** Places the order unless there is a problem, and says what became of it. Gives whether it was placed. */
  readonly submit: () => Promise<boolean>;
}

export interface TicketSetters {
  readonly side: (side: Side) => void;
  readonly type: (type: TicketKind) => void;
  readonly price: (price: string) => void;
  readonly stopPrice: (price: string) => void;
  readonly stopLimitPrice: (price: string) => void;
  /** In percent. */
  readonly trail: (percent: string) => void;
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
  const begun = typed ?? initialTicket(side, type);
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

  const submit = async (): Promise<boolean> => {
    const now = serverNow();
    setTried(true);
    setJudgedAt(now);
    if (ticketProblem(ticket, moment, now) !== undefined) return false;
    return place(ticket, now);
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
    side: editing((ticket, moment, side) => edits.withSide(ticket, side, moment)),
    type: editing((ticket, moment, type) => edits.withType(ticket, type, moment)),
    price: editing((ticket, moment, price) => {
      onPrice();
      return edits.withPrice(ticket, price, moment);
    }),
    stopPrice: editing((ticket, moment, price) => edits.withStopPrice(ticket, price, moment)),
    stopLimitPrice: editing((ticket, _, price) => edits.withStopLimitPrice(ticket, price)),
    trail: editing((ticket, moment, percent) => edits.withTrail(ticket, percent, moment)),
    amount: editing((ticket, moment, amount) => edits.withAmount(ticket, amount, moment)),
    total: editing((ticket, moment, total) => edits.withTotal(ticket, total, moment)),
    by: editing((ticket, _, sizedBy) => edits.withBy(ticket, sizedBy)),
    percent: editing((ticket, moment, percent) => edits.withPercent(ticket, percent, moment)),
    postOnly: editing((ticket, _, postOnly) => edits.withPostOnly(ticket, postOnly)),
    timeInForce: editing((ticket, _, timeInForce) => edits.withTimeInForce(ticket, timeInForce)),
    expiry: editing((ticket, _, expiry, ownExpiry?) => edits.withExpiry(ticket, expiry, ownExpiry)),
    direction: editing((ticket, _, direction) => edits.withDirection(ticket, direction)),
    selfTrade: editing((ticket, _, mode) => edits.withSelfTrade(ticket, mode)),
  };
  return { set, see, drawn: () => shown };
}
