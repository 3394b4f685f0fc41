import { Decimal, greatest } from '@exchange/core/decimal.ts';
import { holdFor, guardPrice, orderProblem, trailOfPercent, type OrderRequest } from '@exchange/core/spot.ts';
import { exitsProblem } from '@exchange/core/spot-exits.ts';
import { ocoLegs, ocoProblem, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { instant } from '@exchange/core/time.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import { createOco, createOrder } from '@exchange/wire/spot.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFormData } from '../api/client.ts';
import { MARKET, NOW, PAIR } from './testing/fixtures.ts';
import { anyTicket } from './testing/ticket-arbitraries.ts';
import { heldPrice, holdOf, oppositeBest, stopPriceOf } from './ticket-figures.ts';
import { type Ticket, type TicketMarket, hasExits, initialTicket, ticketFields } from './ticket.ts';
import {
  withAmount,
  withPrice,
  withStopLimitPrice,
  withStopPrice,
  withTotal,
  withTrail,
} from './ticket-edits.ts';
import { isOrderTicket, ocoPayloadOf, payloadOf } from './ticket-payload.ts';
import { ticketProblem } from './ticket-problem.ts';

const d = (text: string) => Decimal.parse(text);
const view = (ticket: Ticket) => ({
  status: PAIR.status,
  reference: MARKET.reference,
  best: oppositeBest(ticket.side, MARKET),
  last: MARKET.last,
  now: instant(NOW),
});
const sentFields = (payload: Readonly<Record<string, unknown>>) => Object.fromEntries(toFormData(payload));

/**
 * Returns the order request that the server parses from the request fields of the ticket; throws for an OCO.
 */
function received(ticket: Ticket): OrderRequest {
  if (!isOrderTicket(ticket)) throw new Error('an OCO is two orders');
  const fields = createOrder.fields.parse(sentFields(payloadOf(ticket, PAIR, NOW)));
  return {
    side: fields.tradeType,
    type: fields.orderType,
    price: fields.price,
    amount: fields.amount,
    total: fields.total,
    timeInForce: fields.timeInForce ?? 'GTC',
    postOnly: fields.postOnly ?? false,
    stopPrice: fields.stopPrice,
    direction: fields.direction,
    trail: fields.trailPct === undefined ? undefined : trailOfPercent(fields.trailPct),
    activation: fields.activationPrice,
    exits: exitsReceived(ticket, fields),
    expireAt: fields.expireTime === undefined ? undefined : instant(fields.expireTime),
  };
}

function exitsReceived(
  ticket: Ticket,
  { takeProfitPrice: takeProfit, stopLossPrice: stopLoss }: FieldsOf<typeof createOrder>,
): OrderRequest['exits'] {
  // A ticket with take-profit and stop-loss switched on but without any of their prices is refused before it is sent,
  // so the exits of a sent ticket have at least one price.
  return hasExits(ticket) ? { takeProfit, stopLoss } : undefined;
}

/**
 * Returns the key of the refusal that the server would return for the ticket's request; empty if the server
 * would accept it.
 */
function refusedByServer(ticket: Ticket): string {
  const schema = isOrderTicket(ticket) ? createOrder.fields : createOco.fields;
  const fields = sentFields(
    isOrderTicket(ticket) ? payloadOf(ticket, PAIR, NOW) : ocoPayloadOf(ticket, PAIR),
  );
  if (!schema.safeParse(fields).success) return 'l.field_invalid';
  const problem = isOrderTicket(ticket)
    ? (orderProblem(PAIR, PAIR.filters, received(ticket), view(ticket)) ??
      exitsProblem(PAIR, PAIR.filters, received(ticket), view(ticket)))
    : ocoProblem(PAIR, PAIR.filters, receivedOco(ticket), view(ticket));
  return problem?.key ?? '';
}

function receivedOco(ticket: Ticket): OcoRequest {
  const { tradeType: side, ...fields } = createOco.fields.parse(sentFields(ocoPayloadOf(ticket, PAIR)));
  return { ...fields, side };
}

/**
 * Returns the amount that the server would reserve for the ticket's order; for an OCO, the larger of the
 * amounts of its legs.
 */
function heldByServer(ticket: Ticket): string {
  const basePrice =
    ticket.type === 'market' ? oppositeBest(ticket.side, MARKET) : stopPriceOf(ticket, MARKET);
  const reference = ticket.type === 'market' ? MARKET.reference : undefined;
  const protectionPrice = basePrice && guardPrice(PAIR, PAIR.filters, ticket.side, basePrice, reference);
  const legs = isOrderTicket(ticket) ? [received(ticket)] : Object.values(ocoLegs(receivedOco(ticket)));
  return legs
    .map((leg) => holdFor(PAIR, leg, protectionPrice).amount)
    .reduce(greatest)
    .toString();
}

describe('the request of a ticket', () => {
  it('WEB-120 is accepted by the server’s checks whenever the ticket has no problem', () => {
    const accepted = new Set<string>();
    fc.assert(
      fc.property(anyTicket, (ticket) => {
        if (ticketProblem(ticket, MARKET, NOW) !== undefined) return;
        accepted.add(`${ticket.side} ${ticket.type}`);
        expect(refusedByServer(ticket)).toBe('');
      }),
      { numRuns: 4_000 },
    );
    // The random tickets must include, for each order type and side, at least one that is accepted.
    expect(accepted.size).toBe(16);
  });

  it('WEB-120 is refused by the server too when the ticket names one of its checks', () => {
    const ofTheMoment = new Set(['l.insufficient_balance', 'l.post_only_crosses']);
    fc.assert(
      fc.property(anyTicket, (ticket) => {
        const problem = ticketProblem(ticket, MARKET, NOW);
        if (problem === undefined || ofTheMoment.has(problem.key)) return;
        expect([problem.key, 'l.field_invalid']).toContain(refusedByServer(ticket));
      }),
      { numRuns: 1_000 },
    );
  });

  it('WEB-121 contains prices and amounts as exact text, never as numbers', () => {
    fc.assert(
      fc.property(anyTicket, (ticket) => {
        const payload = isOrderTicket(ticket) ? payloadOf(ticket, PAIR, NOW) : ocoPayloadOf(ticket, PAIR);
        const numbers = Object.entries(payload).filter(([, value]) => typeof value === 'number');
        expect(numbers.map(([name]) => name).filter((name) => name !== 'expireTime')).toEqual([]);
      }),
    );
    const exact = '12345678901234567.123456789012345678';
    const ticket = withAmount(withPrice(initialTicket('buy'), exact, MARKET), exact, MARKET);
    expect(received(ticket).price?.toString()).toBe(exact);
    expect(received(ticket).amount?.toString()).toBe(exact);
    expect(
      sentFields(ocoPayloadOf(withPrice({ ...ticket, type: 'oco' }, exact, MARKET), PAIR)),
    ).toMatchObject({
      limitPrice: exact,
      amount: exact,
    });
  });

  it('WEB-122 needs the hold that the summary shows, for every kind', () => {
    fc.assert(
      fc.property(anyTicket, (ticket) => {
        const hold = holdOf(ticket, MARKET);
        if (hold === undefined || ticketProblem(ticket, MARKET, NOW) !== undefined) return;
        expect(hold.amount.toString()).toBe(heldByServer(ticket));
      }),
      { numRuns: 1_000 },
    );
  });
});

const stop = (type: Ticket['type'], side: 'buy' | 'sell', stopPrice: string, changes: Partial<Ticket> = {}) =>
  withAmount(withStopPrice({ ...initialTicket(side, type), ...changes }, stopPrice, MARKET), '1', MARKET);
const oco = (side: 'buy' | 'sell', limitPrice: string, stopPrice: string, changes: Partial<Ticket> = {}) =>
  withPrice(stop('oco', side, stopPrice, changes), limitPrice, MARKET);
const trailing = (side: 'buy' | 'sell', percent: string) =>
  withAmount(withTrail(initialTicket(side, 'trailing'), percent, MARKET), '1', MARKET);

describe('refusals of a ticket before it is sent', () => {
  it.each<[string, string, Ticket]>([
    ['l.stop_price_required', 'stopPrice', stop('stopMarket', 'sell', '')],
    ['l.stop_price_side', 'stopPrice', stop('stopMarket', 'sell', '100')],
    ['l.stop_price_side', 'stopPrice', stop('takeProfitMarket', 'sell', '99')],
    ['l.stop_price_side', 'stopPrice', stop('stopMarket', 'sell', '99', { direction: 'gte' })],
    ['l.price_decimals', 'stopPrice', stop('stopMarket', 'sell', '90.001')],
    ['l.price_band_high', 'price', stop('stopLimit', 'sell', '80', { price: '96.01' })],
    ['l.trail_required', 'trailPct', trailing('sell', '')],
    ['l.trail_min', 'trailPct', trailing('sell', '0.09')],
    ['l.trail_max', 'trailPct', trailing('buy', '20.01')],
    ['l.price_required', 'limitPrice', oco('sell', '', '90')],
    ['l.stop_price_required', 'stopPrice', oco('sell', '110', '')],
    ['l.oco_prices', 'limitPrice', oco('sell', '90', '110')],
    ['l.oco_prices', 'limitPrice', oco('buy', '110', '90')],
    ['l.price_band_low', 'stopLimitPrice', oco('sell', '110', '95', { stopLimitPrice: '70' })],
    ['l.amount_required', 'amount', { ...oco('sell', '110', '90'), amount: '' }],
    [
      'l.post_only_crosses',
      'price',
      withAmount({ ...initialTicket('buy', 'limit', '100.5'), postOnly: true }, '1', MARKET),
    ],
    [
      'l.expire_required',
      'expireTime',
      withAmount({ ...initialTicket('buy', 'limit', '99'), timeInForce: 'GTT', expiry: 'own' }, '1', MARKET),
    ],
    [
      'l.expire_past',
      'expireTime',
      withAmount(
        { ...initialTicket('buy', 'limit', '99'), timeInForce: 'GTT', expiry: 'own', ownExpiry: NOW },
        '1',
        MARKET,
      ),
    ],
  ])('WEB-123 %s at %s', (key, field, ticket) => {
    const problem = ticketProblem(ticket, MARKET, NOW);
    expect([problem?.key, problem?.parameters['field']]).toEqual([key, field]);
  });

  it('WEB-123 a stop before the first trade, and any order of a halted pair', () => {
    const unknown: TicketMarket = { ...MARKET, last: undefined };
    expect(ticketProblem(stop('stopMarket', 'sell', '90'), unknown, NOW)?.key).toBe('l.no_last_price');
    const halted: TicketMarket = { ...MARKET, pair: { ...PAIR, status: 'cancelOnly' } };
    expect(ticketProblem(oco('sell', '110', '90'), halted, NOW)?.key).toBe('l.pair_cancel_only');
  });

  it('WEB-123 more orders than the pair allows, each kind counted like on the server', () => {
    const full: TicketMarket = { ...MARKET, openOrders: { resting: 200, waiting: 10 } };
    const limit = withAmount(initialTicket('sell', 'limit', '101'), '1', MARKET);
    const market = withAmount(initialTicket('sell', 'market'), '1', MARKET);
    expect(ticketProblem(limit, full, NOW)?.parameters).toMatchObject({ limit: '200', value: '200' });
    expect(ticketProblem(stop('stopMarket', 'sell', '90'), full, NOW)?.key).toBe('l.stop_orders_max');
    expect(ticketProblem(oco('sell', '110', '90'), full, NOW)?.key).toBe('l.open_orders_max');
    expect(ticketProblem(market, full, NOW)).toBeUndefined();
  });

  it('WEB-123 an insufficient balance, also for the larger OCO leg and a stop-market at its protection price', () => {
    // A balance of 1,000 suffices for 9.6 × 104 = 998.40, but not for the stop leg at its worst allowed price: 9.6 ×
    // 106.05.
    const dear = withAmount(oco('buy', '99', '101'), '9.6', MARKET);
    expect(ticketProblem(dear, MARKET, NOW)?.parameters).toMatchObject({ value: '1018.08', limit: '1000' });
    const cheap = withStopLimitPrice(dear, '104');
    expect(ticketProblem(cheap, MARKET, NOW)).toBeUndefined();
    expect(heldPrice(cheap, MARKET)?.toString()).toBe('104');
  });

  it('WEB-124 offers the inputs of each kind: totals for market buys, no lifetime for an OCO', () => {
    const fields = (type: Ticket['type'], side: 'buy' | 'sell') => ticketFields(initialTicket(side, type));
    expect(fields('stopMarket', 'buy').choosesTotal).toBe(true);
    expect(fields('stopMarket', 'sell').choosesTotal).toBe(false);
    expect(fields('market', 'sell').choosesTotal).toBe(true);
    expect(fields('oco', 'sell')).toMatchObject({
      timesInForce: [],
      canPostOnly: false,
      hasStopLimitPrice: true,
    });
    expect(fields('trailing', 'buy')).toMatchObject({ hasTrail: true, hasStopPrice: false, hasPrice: false });
    const spent = withTotal(stop('stopMarket', 'buy', '110'), '50', MARKET);
    expect(received({ ...spent, by: 'total' })).toMatchObject({ amount: undefined, total: d('50') });
  });
});
