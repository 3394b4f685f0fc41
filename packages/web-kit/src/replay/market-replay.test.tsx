import { RECORDED_BOOK_VERSION, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { fillExplanation, pastOrders } from '@exchange/wire/fill-explanation.ts';
import { recordedPart } from '@exchange/wire/recorded-book.ts';
import { fillRecords, spotBasics } from '@exchange/wire/spot.ts';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { LISTED } from '../market/testing/listed-pair.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { MarketReplay } from './market-replay.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
});
afterAll(() => server.stop());

const FROM = Date.UTC(2026, 10, 24, 10, 0);
const HASH = 'ab'.repeat(32);
const TRADE = '00000000-0000-7000-8000-000000000004';
const PART: RecordedPart = {
  v: RECORDED_BOOK_VERSION,
  symbol: 'btcusdt',
  seq: 3,
  prev: '0'.repeat(64),
  continues: true,
  from: FROM,
  until: FROM + 60_000,
  priceDigits: 2,
  amountDigits: 5,
  bids: [
    ['50000.00', '1.00000'],
    ['49990.00', '2.00000'],
  ],
  asks: [['50010.00', '0.70000']],
  changes: [
    [7, 1_000, 4, [['sell', '50010.00', '0.90000']], []],
    [8, 2_000, 6, [['sell', '50010.00', '0.40000']], [[4, TRADE, '50010.00', '0.50000', 'buy']]],
  ],
};

const answerOf = (part: RecordedPart) => ({
  code: 1,
  data: {
    text: JSON.stringify(part),
    part: {
      symbol: part.symbol,
      seq: part.seq,
      from: part.from,
      until: part.until,
      changes: part.changes.length,
      hash: HASH,
      key: 'key',
      signature: 'c2lnbmVk',
    },
    previousUntil: FROM - 20_000,
  },
});
const EXPLANATION = {
  tradeId: TRADE,
  orderId: 'order',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tradeType: 1,
  orderType: 'limit',
  role: 'taker',
  price: '50010.00',
  amount: '0.5',
  limitPrice: '50020.00',
  receivedTime: FROM + 1_990,
  placedTime: FROM + 2_000,
  matchedTime: FROM + 2_000,
  committedTime: FROM + 2_006,
  recorded: {
    step: 8,
    seq: 3,
    hash: HASH,
    bestBid: '50000.00',
    bestAsk: '50010.00',
    levels: [{ price: '50010.00', before: '0.9', traded: '0.5', after: '0.4' }],
  },
};

function Address() {
  const { search } = useLocation();
  return <output aria-label="address">{search}</output>;
}

function show(search: string, calls: Parameters<AccountServer['serve']>[0] = {}) {
  server.serve({
    [spotBasics.path]: () => ({ code: 1, data: [LISTED] }),
    [`${recordedPart.path}?symbol=btcusdt&at=${FROM + 2_000}`]: () => answerOf(PART),
    [`${recordedPart.path}?symbol=btcusdt&seq=3`]: () => answerOf(PART),
    [pastOrders.path]: () => ({ code: 1, data: { list: [], hasMore: false } }),
    [fillRecords.path]: () => ({
      code: 1,
      data: { list: [], totalRow: 0, sum: 0, pageNo: 1, pageSize: 100 },
    }),
    [fillExplanation.path]: () => ({ code: 1, data: EXPLANATION }),
    ...calls,
  });
  render(
    <Providers>
      <MemoryRouter initialEntries={[`/replay${search}`]}>
        <MarketReplay />
        <Address />
      </MemoryRouter>
    </Providers>,
  );
}

const AT = `?symbol=BTC_USDT&at=${FROM + 2_000}`;
const signIn = () => startSession({ userId: 'user-me', token: 'token', email: 'me@example.com' });
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

describe('the market replay', () => {
  it('RPL-030 RPL-034 shows visitors the book of the moment, and moves by change; each change is visible', async () => {
    show(AT);
    await screen.findByRole('region', { name: 'Market replay' });
    expect(rowsOf('Asks')).toEqual(['50,010.000.40000']);
    expect(rowsOf('Bids')).toEqual(['50,000.001.00000', '49,990.002.00000']);
    expect(screen.getByText('Step 8, stored 6 ms after it was matched')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Previous change' }));
    expect(rowsOf('Asks')).toEqual(['50,010.000.90000']);
    expect(screen.getByText('No trades so far in this part.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Previous change' }));
    expect(rowsOf('Asks')).toEqual(['50,010.000.70000']);
    expect(screen.getByText('Levels at the beginning of this part')).toBeTruthy();
    fireEvent.change(screen.getByRole('slider', { name: 'Position in this part' }), {
      target: { value: String(FROM + 1_500) },
    });
    expect(rowsOf('Asks')).toEqual(['50,010.000.90000']);
    expect(screen.getByText(HASH)).toBeTruthy();
    expect(screen.getByText('The record has the best 200 prices of each side.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Download books.mjs' }).getAttribute('href')).toBe(
      '/verify/books.mjs',
    );
    expect(server.received.filter(({ path }) => path === pastOrders.path)).toEqual([]);
  });

  it('RPL-030 the other part is in the address, and an older one says that it no longer exists', async () => {
    show(AT);
    await screen.findByRole('region', { name: 'Market replay' });
    await userEvent.click(screen.getByRole('button', { name: 'Previous part' }));
    expect(screen.getByRole('status', { name: 'address' }).textContent).toBe('?symbol=BTC_USDT&seq=2');
  });

  it('RPL-031 RPL-032 marks own orders and fills, and says why a fill has its price', async () => {
    signIn();
    show(`${AT}&fill=${TRADE}`, {
      [pastOrders.path]: () => ({
        code: 1,
        data: {
          list: [
            { id: 'a', tradeType: 1, price: '49990.00', amount: '0.2', from: FROM - 5, until: FROM + 1_500 },
            { id: 'b', tradeType: 1, price: '50000.00', amount: '0.2', from: FROM - 5 },
          ],
          hasMore: false,
        },
      }),
      [fillRecords.path]: () => ({
        code: 1,
        data: {
          list: [
            {
              ...EXPLANATION,
              total: '25005',
              fee: '0.0005',
              feeCoin: 'BTC',
              ts: FROM + 2_000,
            },
          ],
          totalRow: 1,
          sum: 1,
          pageNo: 1,
          pageSize: 100,
        },
      }),
    });
    const reason = await screen.findByRole('table', { name: 'Prices that the incoming order met' });
    expect(within(reason).getAllByRole('row')[1]?.textContent).toBe('50,010.000.900000.500000.40000');
    expect(screen.getByText(/^Your order was the incoming order/)).toBeTruthy();
    expect(screen.getByText('+10 ms')).toBeTruthy();
    expect(screen.getByText('+6 ms')).toBeTruthy();
    expect(await screen.findByText('Yours', { selector: 'td *' })).toBeTruthy();
    expect(rowsOf('Bids')).toEqual(['50,000.00Yours1.00000', '49,990.002.00000']);
    await userEvent.click(screen.getByRole('button', { name: 'Previous change' }));
    expect(rowsOf('Bids')).toEqual(['50,000.00Yours1.00000', '49,990.00Yours2.00000']);
    await userEvent.click(screen.getByRole('button', { name: 'Next change' }));
    expect(screen.getByRole('link', { name: 'Why this price' }).getAttribute('href')).toBe(
      `/replay?symbol=BTC_USDT&at=${FROM + 2_000}&fill=${TRADE}`,
    );
  });

  it('RPL-032 a resting order shows its queue, and what was not recorded is said', async () => {
    signIn();
    const { recorded: _recorded, committedTime: _committedTime, ...times } = EXPLANATION;
    show(`${AT}&fill=${TRADE}`, {
      [fillExplanation.path]: () => ({
        code: 1,
        data: { ...times, role: 'maker', queue: { joinedTime: FROM, ahead: '0.75', tradedBefore: '0.3' } },
      }),
    });
    expect(await screen.findByText(/^0\.75 BTC were ahead of you when you joined the queue at/)).toBeTruthy();
    expect(screen.getByText(/^The same incoming order traded 0\.3 BTC/)).toBeTruthy();
    expect(screen.getByText('Not recorded')).toBeTruthy();
    expect(screen.getByText(/^The order book was not recorded at this time/)).toBeTruthy();
  });

  it('RPL-033 says the gap of a time that was not recorded, and that a minute is still being recorded', async () => {
    const at = FROM - 5_000;
    show(`?symbol=BTC_USDT&at=${at}`, {
      [`${recordedPart.path}?symbol=btcusdt&at=${at}`]: () => answerOf(PART),
    });
    expect(
      await screen.findByText(/^Nothing was recorded between .*This is the first moment after it\.$/),
    ).toBeTruthy();
    cleanup();
    show(`?symbol=BTC_USDT&at=${FROM + 90_000}`, {
      [`${recordedPart.path}?symbol=btcusdt&at=${FROM + 90_000}`]: () => ({ code: 1, data: {} }),
    });
    expect(await screen.findByText(/^This minute is still being recorded/)).toBeTruthy();
  });
});
