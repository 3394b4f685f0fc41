import { Decimal } from '@exchange/core/decimal.ts';
import { SELF_TRADE_MODES } from '@exchange/wire/spot.ts';
import fc from 'fast-check';
import { TICKET_KINDS } from '../order-kinds.ts';
import { type Ticket, initialTicket } from '../ticket.ts';
import {
  withActivation,
  withAmount,
  withDirection,
  withExpiry,
  withPercent,
  withPostOnly,
  withPrice,
  withSelfTrade,
  withStopLimitPrice,
  withStopPrice,
  withTimeInForce,
  withTotal,
  withTrail,
} from '../ticket-edits.ts';
import { MARKET, NOW } from './fixtures.ts';

/** Random prices around the last price of 100: mostly valid ones; sometimes empty, zero or with too many decimals. */
const price = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 7_500, max: 12_500 }).map((cents) => (cents / 100).toFixed(2)) },
  { weight: 1, arbitrary: fc.constantFrom('', '0', '99.999') },
);
const amount = fc
  .integer({ min: 0, max: 1_000_000 })
  .map((lots) => Decimal.ofScaled(BigInt(lots), 5).toString());
const trail = fc.integer({ min: 0, max: 2_500 }).map((hundredths) => (hundredths / 100).toFixed(2));

/** Random order tickets of all types, each built by edits of the ticket's fields. */
export const anyTicket: fc.Arbitrary<Ticket> = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom(...TICKET_KINDS),
    price,
    stopPrice: price,
    stopLimitPrice: fc.oneof(fc.constant(''), price),
    trail,
    activation: fc.oneof(fc.constant(''), price),
    hasExits: fc.boolean(),
    takeProfit: fc.oneof(fc.constant(''), price),
    stopLoss: fc.oneof(fc.constant(''), price),
    size: fc.oneof(
      amount.map((text) => ['amount', text] as const),
      amount.map((text) => ['total', text] as const),
      fc.integer({ min: 1, max: 100 }).map((percent) => ['percent', percent] as const),
    ),
    by: fc.constantFrom('amount' as const, 'total' as const),
    postOnly: fc.boolean(),
    timeInForce: fc.constantFrom('GTC' as const, 'GTT' as const, 'IOC' as const, 'FOK' as const),
    direction: fc.constantFrom('' as const, '' as const, 'gte' as const, 'lte' as const),
    expiry: fc.constantFrom('1h' as const, '1d' as const, '7d' as const, '30d' as const, 'own' as const),
    ownDays: fc.integer({ min: -1, max: 100 }),
    stp: fc.constantFrom(...SELF_TRADE_MODES),
  })
  .map((typed) => {
    let ticket = initialTicket(typed.side, typed.type);
    ticket = withPrice(ticket, typed.price, MARKET);
    ticket = withStopPrice(ticket, typed.stopPrice, MARKET);
    ticket = withStopLimitPrice(ticket, typed.stopLimitPrice);
    ticket = withTrail(ticket, typed.trail, MARKET);
    ticket = withActivation(ticket, typed.activation, MARKET);
    ticket = withTimeInForce(ticket, typed.timeInForce);
    if (typed.postOnly) ticket = withPostOnly(ticket, true);
    ticket = withDirection(ticket, typed.direction);
    ticket = withExpiry(ticket, typed.expiry, NOW + typed.ownDays * 86_400_000);
    ticket = withSelfTrade(ticket, typed.stp);
    const { hasExits, takeProfit, stopLoss } = typed;
    return withSize({ ...ticket, hasExits, takeProfit, stopLoss, by: typed.by }, typed.size);
  });

type Size = readonly ['amount' | 'total', string] | readonly ['percent', number];

function withSize(ticket: Ticket, size: Size): Ticket {
  if (size[0] === 'percent') return withPercent(ticket, size[1], MARKET);
  return size[0] === 'total' ? withTotal(ticket, size[1], MARKET) : withAmount(ticket, size[1], MARKET);
}
