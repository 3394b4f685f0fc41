import { secondsDetail, SECONDS_STATUS } from '@exchange/wire/seconds.ts';
import { proofSettlement, proofTape } from '@exchange/wire/proof.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { serverNow } from '../clock.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { topicPublisher } from '../market/testing/topic-publisher.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { resultPlot } from './result-chart.tsx';
import { watchPositions } from './results.ts';
import SecondsResults from './seconds-results.tsx';

const ENTRY = 1_700_000_000_000;

function position(id: string, changes: object = {}) {
  return {
    id,
    symbol: 'btcusdt',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    openTime: ENTRY - 500,
    openAmount: '10',
    profitRate: '0.8',
    feeRate: '0.01',
    fee: '0.1',
    tradeType: 1,
    buyAmount: '10',
    buyPrice: '50000.00',
    settlePrice: '50010.50',
    settleProfit: '7.9',
    holdTime: 30,
    entryTime: ENTRY,
    expireTime: ENTRY + 30_000,
    finishTime: serverNow(),
    status: SECONDS_STATUS.completed,
    result: 'win',
    proofId: id,
    ...changes,
  };
}

let server: AccountServer;
let positions: Record<string, object>;
let publish: (data: unknown) => Promise<void>;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterAll(() => server.stop());

beforeEach(async () => {
  positions = {};
  server.serve({
    [secondsDetail.path]: (form) => {
      const position = positions[form.get('id') ?? ''];
      return position === undefined
        ? { code: -4, errKey: 'l.not_found', data: {} }
        : { code: 1, data: position };
    },
    [proofSettlement.path]: () => ({ code: 0, msg: 'none' }),
    [proofTape.path]: () => ({ code: 0, msg: 'none' }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  publish = topicPublisher('contract');
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <SecondsResults isInPlace proofPath={(id) => `/proof-of/${id}`} className="" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await publish([]);
});
afterEach(() => {
  cleanup();
  act(() => endSession());
  queryClient.clear();
  vi.restoreAllMocks();
});

const ended = (id: string, result = 'win') => publish([{ id, status: SECONDS_STATUS.completed, result }]);
const card = () => screen.findByRole('region', { name: 'Results' });

describe('results of the seconds contract', () => {
  it('WEB-970 a position that ends shows a card with entry, settlement and result until it is dismissed', async () => {
    positions = { p1: position('p1') };
    await ended('p1');
    const cardQueries = within(await card());
    expect(cardQueries.getByText('50,000.00')).toBeDefined();
    expect(cardQueries.getByText('50,010.50')).toBeDefined();
    expect(cardQueries.getByText('Win')).toBeDefined();
    expect(document.body.textContent).toContain('+7.90\u00A0USDT');
    expect(cardQueries.getByRole('link', { name: 'See the proof' }).getAttribute('href')).toBe(
      '/proof-of/p1',
    );
    // A repeated message about the same position, as after a reconnection, does not add a second card.
    await ended('p1');
    expect(screen.getAllByText('Win')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Close the result of BTC/USDT' }));
    expect(screen.queryByRole('region', { name: 'Results' })).toBeNull();
  });

  it('WEB-970 several results form a list of expandable items that is dismissed at once', async () => {
    positions = { p1: position('p1'), p2: position('p2', { result: 'lose', settleProfit: '-10.1' }) };
    await ended('p1');
    await ended('p2', 'lose');
    await screen.findByRole('heading', { name: '2 results' });
    const rows = screen.getAllByRole('button', { expanded: false });
    expect(rows.map(({ textContent }) => /Win|Loss/.exec(textContent)?.[0])).toEqual(['Loss', 'Win']);
    expect(screen.queryByText('See the proof')).toBeNull();
    await userEvent.click(rows[0]!);
    expect(await screen.findByText('See the proof')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Close all' }));
    expect(screen.queryByRole('region', { name: 'Results' })).toBeNull();
  });

  it('WEB-1102 on other screens several results are one line until the user expands it', async () => {
    cleanup();
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <SecondsResults isInPlace={false} proofPath={(id) => `/proof-of/${id}`} className="" />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await publish([]);
    positions = { p1: position('p1'), p2: position('p2', { result: 'lose', settleProfit: '-10.1' }) };
    await ended('p1');
    await ended('p2', 'lose');
    const line = await screen.findByRole('button', { name: '2 results' });
    expect(screen.queryByRole('listitem')).toBeNull();
    await userEvent.click(line);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    await userEvent.click(line);
    expect(screen.queryByRole('listitem')).toBeNull();
  });

  it('WEB-971 positions that ended earlier or are refunded later show no card', async () => {
    positions = {
      old: position('old', { finishTime: serverNow() - 3_600_000 }),
      refunded: position('refunded', { result: 'lose', refund: '10.1' }),
      now: position('now'),
    };
    await ended('old');
    await ended('refunded', 'lose');
    await ended('now');
    await card();
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('WEB-971 a position that ends while offline is shown after reconnecting', async () => {
    watchPositions([{ id: 'p1', expireTime: ENTRY + 30_000 }]);
    positions = { p1: position('p1', { finishTime: serverNow() - 3_600_000 }) };
    const again = topicPublisher('contract');
    cleanup();
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <SecondsResults isInPlace={false} proofPath={(id) => id} className="" />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    watchPositions([{ id: 'p1', expireTime: ENTRY + 30_000 }]);
    await again([]);
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(screen.getByRole('button', { expanded: false }).textContent).toMatch(/BTC\/USDT.*Win/);
  });
});

describe('the chart of a result', () => {
  it('WEB-970 runs from entry to expiry, leaves gaps open, and contains both prices', () => {
    const points = [
      { t: 11_000, price: '100' },
      { t: 12_000, price: '102' },
      { t: 13_000, price: null },
      { t: 14_000, price: '101' },
      { t: 19_000, price: '500' },
    ];
    const plot = resultPlot(points, { from: 11_000, until: 14_000, entry: '100', settle: '101' })!;
    expect(plot.path.match(/[ML]/g)).toEqual(['M', 'L', 'M']);
    expect(plot.path.startsWith('M0.0 880.0')).toBe(true);
    expect([plot.entryY, plot.settleY]).toEqual([880, 500]);
    expect(resultPlot([], { from: 11_000, until: 14_000 })).toBeUndefined();
  });
});
