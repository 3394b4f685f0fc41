import { newOrder, placeList } from '@exchange/wire/public-api/calls.ts';
import { orderSnippet, SNIPPET_LANGUAGES } from '@exchange/wire/public-api/order-snippets.ts';
import { readParameters, sentParameters } from '@exchange/wire/public-api/parameters.ts';
import { describe, expect, it } from 'vitest';
import { apiOrderOf } from './api-order.ts';
import { initialTicket, type Ticket, type TicketPair } from './ticket.ts';

const PAIR = { base: 'BTC', quote: 'USDT', filters: { maxLifetimeMs: 1e12 } } as unknown as TicketPair;

function ticket(fields: Partial<Ticket>): Ticket {
  return { ...initialTicket('buy'), amount: '0.5', price: '50000', stopPrice: '49000', ...fields };
}

const sentOf = (fields: Partial<Ticket>) => {
  const request = apiOrderOf(ticket(fields), PAIR);
  return request && [...request.parameters].map(([name, value]) => `${name}=${value}`).join('&');
};

describe('the order of a ticket as an API call', () => {
  it.each<[string, Partial<Ticket>]>([
    ['symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.5&price=50000', {}],
    ['symbol=BTCUSDT&side=SELL&type=LIMIT_MAKER&quantity=0.5&price=50000', { side: 'sell', postOnly: true }],
    ['symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=FOK&quantity=0.5&price=50000', { timeInForce: 'FOK' }],
    ['symbol=BTCUSDT&side=BUY&type=MARKET&quoteOrderQty=100', { type: 'market', by: 'total', total: '100' }],
    ['symbol=BTCUSDT&side=BUY&type=MARKET&quantity=QUANTITY', { type: 'market', amount: '' }],
    ['symbol=BTCUSDT&side=BUY&type=STOP_LOSS&quantity=0.5&stopPrice=49000', { type: 'stopMarket' }],
    [
      'symbol=BTCUSDT&side=BUY&type=TAKE_PROFIT_LIMIT&timeInForce=GTC&quantity=0.5&price=50000&stopPrice=49000&selfTradePreventionMode=EXPIRE_BOTH',
      { type: 'takeProfitLimit', stp: 'cancelBoth' },
    ],
    [
      'symbol=BTCUSDT&side=SELL&quantity=0.5&aboveType=LIMIT_MAKER&abovePrice=50000&belowType=STOP_LOSS&belowStopPrice=49000',
      { type: 'oco', side: 'sell' },
    ],
    [
      'symbol=BTCUSDT&side=BUY&quantity=0.5&belowType=LIMIT_MAKER&belowPrice=50000&aboveType=STOP_LOSS_LIMIT&aboveStopPrice=51000&abovePrice=51100&aboveTimeInForce=GTC',
      { type: 'oco', stopPrice: '51000', stopLimitPrice: '51100' },
    ],
  ])('PAPI-064 %s', (expected, fields) => {
    expect(sentOf(fields)).toBe(expected);
    if (expected.includes('QUANTITY')) return;
    // The server's own parser of API requests must accept the generated parameters.
    const call = fields.type === 'oco' ? placeList : newOrder;
    const values = readParameters(call.parameters, sentParameters(expected, ''));
    expect(values).toMatchObject({ symbol: 'BTCUSDT', side: fields.side === 'sell' ? 'SELL' : 'BUY' });
  });

  it.each<[string, Partial<Ticket>]>([
    ['a trailing stop', { type: 'trailing', trail: '1' }],
    ['attached exits', { hasExits: true, takeProfit: '60000' }],
    ['an expiry', { timeInForce: 'GTT' }],
    ['a post-only stop', { type: 'stopLimit', postOnly: true }],
    ['a trigger in the other direction', { type: 'stopLimit', direction: 'lte' }],
    ['a stop by its total', { type: 'stopMarket', by: 'total', total: '100' }],
    ['a market order that must be filled completely', { type: 'market', timeInForce: 'FOK' }],
  ])('PAPI-064 %s is not offered, because programs cannot place it', (_, fields) => {
    expect(sentOf(fields)).toBeUndefined();
  });

  it('PAPI-064 the programs name the exchange and the order, with placeholders for key and secret', () => {
    const request = apiOrderOf(ticket({}), PAIR)!;
    for (const language of SNIPPET_LANGUAGES) {
      const text = orderSnippet(language, request, 'https://exchange.example');
      for (const part of ['your API key', 'your secret', 'https://exchange.example', '50000'])
        expect(text, language).toContain(part);
    }
    expect(orderSnippet('javascript', request, '')).toContain(String.raw`/^https:\/\/[^/]+/`);
    const list = apiOrderOf(ticket({ type: 'oco', side: 'sell' }), PAIR)!;
    expect(orderSnippet('javascript', list, '')).toContain('exchange.privatePostOrderListOco({');
    expect(orderSnippet('python', list, '')).toContain('exchange.private_post_orderlist_oco({');
  });
});
