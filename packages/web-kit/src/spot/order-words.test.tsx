import { act, renderHook } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { setLocale, loadAllWords } from '../i18n/words.ts';
import {
  statusKey,
  statusTone,
  useOrderWords,
  useTriggerSentence,
  useAmendmentWords,
  useCancelledSentences,
  usePlacedSentence,
} from './order-words.ts';
import { MARKET, order, PAIR } from './testing/fixtures.ts';
import { type Ticket, initialTicket } from './ticket.ts';
import {
  withAmount,
  withBy,
  withPrice,
  withStopLimitPrice,
  withStopPrice,
  withTotal,
  withTrail,
} from './ticket-edits.ts';
import { summarise } from './ticket-summary.ts';

beforeAll(loadAllWords);
beforeEach(() => act(() => setLocale('en-US')));

function Page({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

const words = () => renderHook(() => useOrderWords()).result.current;
const sentence = (ticket: Ticket) =>
  renderHook(() => useTriggerSentence(ticket, summarise(ticket, MARKET), PAIR)).result.current;

/** Returns the text of a sentence with ordinary spaces instead of no-break spaces. */
const plain = (sentence: string) => sentence.replaceAll('\u00A0', ' ');

describe('order formatters', () => {
  it('WEB-141 name the type, trigger condition and validity of an order', () => {
    const stop = order('a', { orderType: 'stopMarket', stopPrice: '61000', direction: 'gte', groupId: 'g' });
    const say = words();
    expect(say.kind(stop)).toBe('OCO · Stop-market');
    expect(say.kind(order('b'))).toBe('Limit');
    expect(say.condition(stop, 2)).toBe('≥ 61,000.00');
    expect(say.condition(order('b'), 2)).toBe('');
    expect(say.trail(order('c', { trailPct: '1.5' }))).toBe('1.50%');
    expect(say.validity(order('d', { timeInForce: 'IOC' }))).toBe('IOC');
    const until = Date.UTC(2026, 10, 21, 12);
    expect(say.validity(order('d', { timeInForce: 'GTT', expireTime: until }))).toMatch(
      /^Until 11\/2\d, \d\d:00$/,
    );
  });

  it('PAPI-142 name the list of an order, say that it is pending, and why it ended with its list', () => {
    const say = words();
    const pending = order('p', { listId: 'l', listRole: 'pending' });
    expect(say.kind(order('w', { listId: 'l', listRole: 'working' }))).toBe('OTO · Limit');
    expect(say.kind(pending)).toBe('OTO · Limit · Pending');
    expect(say.kind(order('p', { groupId: 'g', listRole: 'pending', orderType: 'stopMarket' }))).toBe(
      'OTOCO · Stop-market · Pending',
    );
    expect(say.kind(order('r', { listRole: 'released' }))).toBe('OTO · Limit');
    expect(say.status(pending)).toBe('Pending');
    expect(say.reason({ reason: 'oto' })).toBe('Canceled with the other orders of its list.');
    const { result } = renderHook(() => useCancelledSentences(), { wrapper: Page });
    expect(plain(result.current.one(pending, { filledAmount: '0' }))).toBe(
      'Order list canceled, all its orders: buy 1 BTC at 100.00000000 USDT.',
    );
  });

  it('WEB-284 show where a trailing stop will become active, and afterwards where and when it did', async () => {
    const stop = order('t', {
      orderType: 'trailing',
      tradeType: 2,
      stopPrice: '59850',
      direction: 'lte',
      trailPct: '5',
      stopStatus: 'waiting',
      activationPrice: '62000.00',
    });
    expect(words().condition(stop, 2)).toBe('');
    expect(words().activation(stop, 2, 'withTime')).toBe('Activates at 62,000.00');
    const active = { ...stop, activatedTime: Date.UTC(2026, 10, 21, 12) };
    expect(words().condition(active, 2)).toBe('≤ 59,850.00');
    expect(words().activation(active, 2)).toBe('Activated at 62,000.00');
    expect(words().activation(active, 2, 'withTime')).toMatch(/^Activated at 62,000.00 \(.*\d\d:\d\d:00\)$/);
    expect(words().activation(order('b'), 2)).toBe('');
    for (const locale of ['zh-CN', 'ko-KR', 'ja-JP'] as const) {
      await act(() => setLocale(locale));
      expect(words().activation(active, 2)).toMatch(/62,000\.00.*(?:\p{Script=Han}|\p{Script=Hangul})/u);
    }
  });

  it('WEB-141 distinguish a waiting stop from an open order and an expired order from a cancelled one', () => {
    expect(statusKey(order('a', { stopStatus: 'waiting' }))).toBe('statusWaiting');
    expect(statusKey(order('a', { stopStatus: 'triggered' }))).toBe('status0');
    expect(statusKey(order('a', { status: 3, reason: 'expired' }))).toBe('statusExpired');
    expect(statusKey(order('a', { status: 4, reason: 'expired' }))).toBe('statusPartlyExpired');
    expect(statusKey(order('a', { status: 3, reason: 'oco' }))).toBe('status3');
    expect([0, 1, 2, 3, 4, 5].map((status) => statusTone({ status }))).toEqual([
      'accent',
      'accent',
      'good',
      'neutral',
      'neutral',
      'bad',
    ]);
  });

  it('WEB-141 explain end reasons in English and Chinese, and show nothing for unknown ones', async () => {
    const reasons = [
      'user',
      'selfTrade',
      'noLiquidity',
      'limitReached',
      'guardReached',
      'totalTooSmall',
    ].concat(['expired', 'oco', 'wouldCross', 'fokUnfilled', 'pairHalted', 'countdown', 'disconnected']);
    const english = reasons.map((reason) => words().reason({ reason }));
    await act(() => setLocale('zh-CN'));
    const chinese = reasons.map((reason) => words().reason({ reason }));
    for (const text of english) expect(text).toMatch(/^[A-Z].*\.$/);
    for (const text of chinese) expect(text).toMatch(/\p{Script=Han}/u);
    expect(new Set([...english, ...chinese]).size).toBe(reasons.length * 2);
    expect(words().reason({ reason: '' }) + words().reason({ reason: 'meteor' })).toBe('');
  });
});

describe('the sentence after a placement or cancellation', () => {
  const placed = (changes: Parameters<typeof order>[1]) =>
    renderHook(() => usePlacedSentence({ priceDigits: 2 })).result.current(
      order('a', { price: '95000', amount: '0.001', ...changes }),
    );
  const FILLED = { avgPrice: '94999.5', filledAmount: '0.0004' };
  const STOP = { stopStatus: 'waiting', stopPrice: '96000', direction: 'gte' } as const;

  it.each<[string, Parameters<typeof order>[1]]>([
    ['Order placed: buy 0.001 BTC at 95,000.00 USDT.', {}],
    ['Order placed: sell 0.001 BTC at 95,000.00 USDT.', { tradeType: 2 }],
    [
      'Conditional order placed: buy 0.001 BTC at 95,000.00 USDT when the price is ≥ 96,000.00 USDT.',
      { ...STOP, orderType: 'stopLimit' },
    ],
    [
      'Conditional order placed: buy for 50 USDT at market when the price is ≥ 96,000.00 USDT.',
      { ...STOP, orderType: 'stopMarket', price: '', amount: '', total: '50' },
    ],
    [
      'Conditional order placed: sell 0.001 BTC at market, trailing by 1.50%.',
      { stopStatus: 'waiting', orderType: 'trailing', tradeType: 2, price: '', trailPct: '1.5' },
    ],
    [
      'Conditional order placed: sell 0.001 BTC at market, trailing by 5.00% from 97,000.00 USDT.',
      {
        stopStatus: 'waiting',
        orderType: 'trailing',
        tradeType: 2,
        price: '',
        trailPct: '5',
        activationPrice: '97000',
      },
    ],
    ['Bought 0.001 BTC at an average of 94,999.50 USDT.', { ...FILLED, filledAmount: '0.001', status: 2 }],
    [
      'Sold 0.0004 BTC at an average of 94,999.50 USDT. The rest is open: sell 0.001 BTC at 95,000.00 USDT.',
      { ...FILLED, tradeType: 2, status: 1 },
    ],
    [
      'Bought 0.0004 BTC at an average of 94,999.50 USDT. The rest was canceled.',
      { ...FILLED, status: 4, price: '', orderType: 'market' },
    ],
    [
      'Nothing could be filled, so the order was canceled: buy 0.001 BTC at market.',
      { status: 3, price: '', orderType: 'market' },
    ],
  ])('WEB-972 placing says side, amount and price, and what was filled: %s', (text, changes) => {
    expect(plain(placed(changes).text)).toBe(text);
  });

  it('WEB-972 names both legs of an OCO in any order', () => {
    const say = renderHook(() => usePlacedSentence({ priceDigits: 2 })).result.current;
    const leg = { tradeType: 2, amount: '0.1', groupId: 'g' } as const;
    const orders = [
      order('s', { ...leg, price: '', stopStatus: 'waiting', stopPrice: '90000', direction: 'lte' }),
      order('l', { ...leg, price: '98000' }),
    ];
    const text =
      'OCO placed: sell 0.1 BTC at 98,000.00 USDT, or sell 0.1 BTC at market when the price is ≤ 90,000.00 USDT.';
    expect(plain(say({ groupId: 'g', ids: ['s', 'l'], orders }).text)).toBe(text);
    expect(plain(say({ groupId: 'g', ids: ['l', 's'], orders: orders.toReversed() }).text)).toBe(text);
  });

  it('WEB-973 names the cancelled order and its filled part', () => {
    const { one, all } = renderHook(() => useCancelledSentences(), { wrapper: Page }).result.current;
    const resting = order('a', { price: '95000', amount: '0.001' });
    expect(plain(one(resting, { filledAmount: '0' }))).toMatch(
      /^Order canceled: buy 0\.001 BTC at 95,000\.0+ USDT\.$/,
    );
    expect(plain(one(resting, { filledAmount: '0.0004' }))).toMatch(
      /\. 0\.0004 BTC of it had been filled\.$/,
    );
    expect(one(order('b', { groupId: 'g', price: '95000' }), { filledAmount: '0' })).toMatch(/^OCO canceled/);
    expect(all(3, { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1' })).toBe(
      '3 buy orders canceled: BTC/USDT.',
    );
    expect(all(1, { tradeType: '2' })).toBe('1 sell order canceled: all pairs.');
    expect(all(2, {})).toBe('2 orders canceled: all pairs.');
  });
});

describe('the sentence about a stop', () => {
  const withSize = (ticket: Ticket) => withAmount(ticket, '0.1', MARKET);
  const at = (ticket: Ticket, stopPrice: string) => withStopPrice(ticket, stopPrice, MARKET);

  it.each<[string, Ticket]>([
    [
      'If the last price falls to 58.00 USDT or lower, sell 0.1 BTC at market.',
      withSize(at(initialTicket('sell', 'stopMarket'), '58')),
    ],
    [
      'If the last price rises to 120.00 USDT or higher, buy 0.1 BTC at 121.00 USDT or lower.',
      withSize(at(initialTicket('buy', 'stopLimit', '121'), '120')),
    ],
    [
      'If the last price rises to 120.00 USDT or higher, sell 0.1 BTC at market.',
      withSize(at(initialTicket('sell', 'takeProfitMarket'), '120')),
    ],
    [
      'If the last price falls to 90.00 USDT or lower, buy for 50 USDT at market.',
      withTotal(at(withBy(initialTicket('buy', 'takeProfitMarket'), 'total'), '90'), '50', MARKET),
    ],
    [
      'If the last price falls 1.50% from its high, sell 0.1 BTC at market. The trigger is 98.50 USDT for now.',
      withSize(withTrail(initialTicket('sell', 'trailing'), '1.5', MARKET)),
    ],
    [
      'If the last price rises 1.50% from its low, buy 0.1 BTC at market. The trigger is 101.50 USDT for now.',
      withSize(withTrail(initialTicket('buy', 'trailing'), '1.5', MARKET)),
    ],
    [
      'Sell 0.1 BTC at 110.00 USDT or higher. If the last price falls to 90.00 USDT or lower, sell 0.1 BTC at 89.00 USDT or higher. Whichever comes first cancels the other.',
      withSize(withStopLimitPrice(at(withPrice(initialTicket('sell', 'oco'), '110', MARKET), '90'), '89')),
    ],
  ])('WEB-142 %s', (text, ticket) => {
    expect(sentence(ticket)?.replaceAll('\u00A0', ' ')).toBe(text);
  });

  it('WEB-142 is complete in Chinese', async () => {
    await act(() => setLocale('zh-CN'));
    expect(sentence(withSize(at(initialTicket('sell', 'stopMarket'), '58')))).toBe(
      '若最新价跌至 58.00\u00A0USDT 或以下，则以市价卖出 0.1\u00A0BTC。',
    );
  });

  it('WEB-142 is undefined without a stop and until price and amount are known', () => {
    expect(sentence(withSize(initialTicket('buy', 'limit', '99')))).toBeUndefined();
    expect(sentence(at(initialTicket('sell', 'stopMarket'), '58'))).toBeUndefined();
    expect(sentence(withSize(initialTicket('sell', 'stopMarket')))).toBeUndefined();
    expect(sentence(withSize(at(initialTicket('sell', 'stopLimit'), '90')))).toBeUndefined();
  });
});

const BEFORE = {
  priceBefore: '99.00',
  amountBefore: '4',
  stopPriceBefore: '',
  takeProfitPriceBefore: '110.00',
  stopLossPriceBefore: '',
  stopLossLimitPriceBefore: '',
};
const SAME = {
  time: 1,
  price: '99.00',
  amount: '4',
  stopPrice: '',
  takeProfitPrice: '110.00',
  stopLossPrice: '',
  stopLossLimitPrice: '',
};

describe('the amendments of an order', () => {
  it('WEB-283 are described one by one with old and new value, also when one is missing', () => {
    const describeChange = renderHook(() => useAmendmentWords(2)).result.current;
    expect(describeChange({ ...BEFORE, ...SAME })).toEqual([]);
    expect(describeChange({ ...BEFORE, ...SAME, takeProfitPrice: '', stopLossPrice: '95.00' })).toEqual([
      'Take profit 110.00 → none',
      'Stop loss none → 95.00',
    ]);
    expect(describeChange({ ...BEFORE, ...SAME, price: '1098.50', amount: '3.5' })).toEqual([
      'Price 99.00 → 1,098.50',
      'Amount 4 → 3.5',
    ]);
  });
});
