import type { AssetMessage, Order, OrderMessage } from '@exchange/wire/feed.ts';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { orderRecords, spotAssets } from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { refetchBalances, useBalances } from '../balance/balances.ts';
import { refetchActive, queryClient } from '../api/query-client.ts';
import { feed } from '../feed/feed.ts';
import type { TopicListener } from '../feed/feed-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { SPOT } from '../market/spot-keys.ts';
import { useOpenOrders } from './queries.ts';
import { order } from './testing/fixtures.ts';
import { randomId } from '../random-id.ts';

/**
 * The successive states of one order in the test. Before the fourth state, the server's clock is set back, so its times
 * are earlier than those of the third.
 */
const LIFE: readonly Order[] = [
  order('1', { amount: '10', updateTime: 9 }),
  order('1', { amount: '10', filledAmount: '4', status: 1, updateTime: 9 }),
  order('1', { amount: '8', filledAmount: '4', status: 1, updateTime: 10 }),
  order('1', { amount: '8', filledAmount: '6', status: 1, updateTime: 3 }),
  order('1', { amount: '8', filledAmount: '8', status: 2, updateTime: 4 }),
];
const FROZEN = ['1000', '600', '400', '200', '0'];

type Step = 'commit' | 'tellOrder' | 'tellAsset' | 'deed' | 'read' | 'answer' | 'reconnect';

interface Asked {
  readonly path: string;
  answer: string | undefined;
  readonly reply: (body: string) => void;
}

/**
 * Simulates a server whose commits, responses and feed messages happen in the sequence that the test chooses; the
 * messages of one feed topic keep their sequence.
 */
class Scene {
  age = -1;
  readonly asked: Asked[] = [];
  private readonly listeners = new Map<string, TopicListener>();
  private readonly orderNews: OrderMessage[] = [];
  private readonly assetNews: AssetMessage[] = [];

  constructor() {
    vi.spyOn(feed, 'subscribe').mockImplementation((topic, listener) => {
      this.listeners.set(topic, listener);
      return () => undefined;
    });
    vi.stubGlobal('fetch', (url: string) => {
      const path = new URL(url, 'http://x').pathname.slice(API_BASE.length);
      return new Promise<Response>((resolve) => {
        const reply = (body: string): void => resolve(new Response(body));
        if (path === orderRecords.path || path === spotAssets.path)
          this.asked.push({ path, answer: undefined, reply });
        else reply(JSON.stringify({ code: 0, msg: 'none' }));
      });
    });
  }

  async do(step: Step): Promise<void> {
    await act(async () => {
      if (step === 'commit') this.commit();
      else if (step === 'tellOrder') this.publish('order', this.orderNews.shift());
      else if (step === 'tellAsset') this.publish('asset', this.assetNews.shift());
      else if (step === 'deed') this.deed();
      else if (step === 'reconnect') this.reconnect();
      else if (step === 'read') this.read();
      else this.answer();
      await soon();
    });
  }

  async end(): Promise<void> {
    while (this.age < LIFE.length - 1) await this.do('commit');
    while (this.orderNews.length > 0) await this.do('tellOrder');
    while (this.assetNews.length > 0) await this.do('tellAsset');
    do {
      await this.do('read');
      await this.do('answer');
    } while (this.asked.length > 0 || queryClient.isFetching() > 0);
  }

  private commit(): void {
    const next = LIFE[this.age + 1];
    if (next === undefined) return;
    this.age += 1;
    this.orderNews.push({ orders: [next], fills: [] });
    this.assetNews.push([this.usdt()]);
  }

  private usdt() {
    return { currency: 'USDT', available: '5', frozen: FROZEN[this.age] ?? '0' };
  }

  /** Simulates the response to an action on orders, after which the page refetches orders and balances. */
  private deed(): void {
    refetchActive(SPOT.forCurrentUser());
    refetchBalances();
  }

  /**
   * Simulates a reconnection of the feed: messages that have not been delivered are lost, and the new connection begins
   * with an empty snapshot of orders and with the current balances.
   */
  private reconnect(): void {
    this.orderNews.length = 0;
    this.assetNews.length = 0;
    this.publish('order', { orders: [], fills: [] }, 'snapshot');
    this.publish('asset', [this.usdt()], 'snapshot');
  }

  private publish(topic: string, data: unknown, type: 'snapshot' | 'update' = 'update'): void {
    if (data !== undefined) this.listeners.get(topic)?.({ topic, type, seq: 1, ts: 1, data });
  }

  /** Simulates that the server reads its database for the oldest request that it has not read for yet. */
  private read(): void {
    const call = this.asked.find(({ answer }) => answer === undefined);
    if (call === undefined) return;
    const now = LIFE[this.age];
    const isOpen = now !== undefined && now.status < 2;
    const orders = { list: isOpen ? [now] : [], sum: 1, totalRow: 1, pageNo: 1, pageSize: 100 };
    const { available, frozen } = this.usdt();
    const row = { currency: 'Tether', currencyName: 'USDT', logo: '', price: '1', total: '0', status: 1 };
    const balances = { list: [{ ...row, availableCurrency: available, frozenCurrency: frozen }], total: '0' };
    const data = call.path === orderRecords.path ? orders : balances;
    call.answer = JSON.stringify({ code: 1, msg: '', data });
  }

  private answer(): void {
    const index = this.asked.findIndex(({ answer }) => answer !== undefined);
    const [call] = index < 0 ? [] : this.asked.splice(index, 1);
    if (call?.answer !== undefined) call.reply(call.answer);
  }
}

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

const STEPS: readonly Step[] = ['commit', 'tellOrder', 'tellAsset', 'deed', 'read', 'answer', 'reconnect'];

const TRUTH = { open: [], frozen: '0' };

/**
 * Resolves to the orders and the frozen balance on screen after the given steps and all remaining events of
 * the simulation.
 */
async function displayAfter(steps: readonly Step[]) {
  startSession({ userId: randomId(), token: 't', email: 'a@b.example' });
  const scene = new Scene();
  const { result } = renderHook(
    () => ({ open: useOpenOrders().data, frozen: useBalances().data?.list[0]?.frozenCurrency }),
    { wrapper: Providers },
  );
  for (const step of steps) await scene.do(step);
  await scene.end();
  return result;
}

function clear(): void {
  cleanup();
  act(() => endSession());
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

describe('orders and balances of the user', () => {
  beforeAll(() => loadAllWords());
  afterEach(clear);

  it('WEB-197 a fill published while an older list is loading wins over that list', async () => {
    const placedThenAsked: Step[] = ['commit', 'read', 'answer', 'read', 'answer', 'deed', 'read', 'read'];
    const filled: Step[] = ['commit', 'commit', 'commit', 'commit', 'tellOrder', 'tellOrder', 'tellOrder'];
    const published: Step[] = ['tellOrder', 'tellOrder', 'tellAsset', 'tellAsset', 'tellAsset', 'tellAsset'];
    const displayed = await displayAfter([
      ...placedThenAsked,
      ...filled,
      ...published,
      'tellAsset',
      'answer',
      'answer',
    ]);
    await waitFor(() => expect(displayed.current).toEqual(TRUTH));
  });

  it('WEB-197 end in the server’s state for any order of answers, messages and reconnections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 30 }), async (steps) => {
        try {
          const displayed = await displayAfter(steps);
          await waitFor(() => expect(displayed.current).toEqual(TRUTH));
        } finally {
          clear();
        }
      }),
      // The property test is limited to 40 runs, because each run is slow: it renders a page of its own.
      { numRuns: 40 },
    );
  });
});
