import { API_BASE } from '@exchange/wire/endpoint.ts';
import { createOco, createOrder } from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PageServer, startPageServer } from '../api/testing/page-server.ts';
import { loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { MARKET, order } from './testing/fixtures.ts';
import type { Ticket, TicketMarket } from './ticket.ts';
import { useTicket, type TicketMemory, type TypedTicket } from './use-ticket.ts';
import { randomId } from '../random-id.ts';

/** Responses of the mock server in sequence; undefined means an error page of a proxy. */
let answers: (object | undefined)[] = [];
let requests: { path: string; fields: Record<string, string> }[] = [];
/**
 * The mock server answers requests only when this promise has resolved; undefined if it answers immediately.
 */
let answersReleased: Promise<void> | undefined;
let server: PageServer;

const PLACING = new Set([createOrder, createOco].map(({ path }) => `${API_BASE}${path}`));

beforeAll(async () => {
  await loadAllWords();
  server = await startPageServer(({ url, form }, response) => {
    // The mock server answers all requests other than those that place orders with 404.
    if (!PLACING.has(url)) {
      response.writeHead(404).end();
      return;
    }
    requests.push({ path: url, fields: Object.fromEntries(form) });
    const answer = answers.shift();
    void (answersReleased ?? Promise.resolve()).then(() => {
      if (answer === undefined) response.writeHead(502).end('<h1>Bad gateway</h1>');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
});
afterAll(() => server.stop());
afterEach(cleanup);
beforeEach(() => {
  answersReleased = undefined;
  // Each test signs in a new user, because requests of earlier tests without a response belong to the earlier user.
  startSession({ userId: randomId(), token: 'token', email: 'a@b.example' });
  answers = [];
  requests = [];
});

const PLACED = { code: 1, data: order('new', { stopStatus: 'waiting' }) };
const ticketHook = (market: TicketMarket = MARKET, type: Ticket['type'] = 'limit', memory?: TicketMemory) =>
  renderHook((now: TicketMarket) => useTicket(now, 'buy', type, memory), {
    wrapper: Providers,
    initialProps: market,
  });

function remembering(): TicketMemory {
  let savedTicket: TypedTicket | undefined;
  return { recall: () => savedTicket, save: (typed) => void (savedTicket = typed) };
}

describe('a ticket on screen', () => {
  it('WEB-125 starts at the first known price and stays there', () => {
    const hook = ticketHook({ ...MARKET, reference: undefined });
    act(() => hook.result.current.set.amount('2'));
    expect(hook.result.current.ticket).toMatchObject({ price: '', total: '' });
    hook.rerender(MARKET);
    expect(hook.result.current.ticket).toMatchObject({ price: '100.00', total: '200' });
    hook.rerender({ ...MARKET, reference: MARKET.bestAsk });
    expect(hook.result.current.ticket.price).toBe('100.00');
    act(() => hook.result.current.set.price('90'));
    expect(hook.result.current.ticket).toMatchObject({ price: '90', amount: '2', total: '180' });
  });

  it('WEB-125 fills in no start price while someone is in the empty price field', () => {
    const hook = ticketHook({ ...MARKET, reference: undefined });
    act(() => hook.result.current.set.holdPrice());
    hook.rerender(MARKET);
    expect(hook.result.current.ticket.price).toBe('');
    act(() => hook.result.current.set.price('9'));
    expect(hook.result.current.ticket.price).toBe('9');
    const filled = ticketHook();
    act(() => filled.result.current.set.holdPrice());
    expect(filled.result.current.ticket.price).toBe('100.00');
  });

  it('WEB-125 sends nothing while there is a problem, and names it', async () => {
    const hook = ticketHook();
    await act(() => hook.result.current.submit());
    expect(hook.result.current).toMatchObject({ isTried: true, problem: { key: 'l.amount_required' } });
    expect(requests).toEqual([]);
    act(() => hook.result.current.set.amount('1'));
    expect(hook.result.current).toMatchObject({ isTried: false, problem: undefined });
  });

  it('WEB-126 places a stop with its own type, then clears the amounts and keeps the rest', async () => {
    answers = [PLACED];
    const hook = ticketHook(MARKET, 'stopMarket');
    act(() => hook.result.current.set.stopPrice('110'));
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    expect(requests[0]).toMatchObject({
      path: `${API_BASE}${createOrder.path}`,
      fields: { orderType: 'stopMarket', stopPrice: '110', amount: '1', timeInForce: 'IOC', tradeType: '1' },
    });
    expect(requests[0]?.fields).not.toHaveProperty('price');
    expect(hook.result.current.ticket).toMatchObject({ stopPrice: '110', amount: '', total: '' });
  });

  it('WEB-126 places an OCO through its own endpoint', async () => {
    answers = [{ code: 1, data: { groupId: 'g', ids: [], orders: [] } }];
    const hook = ticketHook(MARKET, 'oco');
    act(() => hook.result.current.set.price('95'));
    act(() => hook.result.current.set.stopPrice('105'));
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    expect(requests[0]).toMatchObject({
      path: `${API_BASE}${createOco.path}`,
      fields: { limitPrice: '95', stopPrice: '105', amount: '1' },
    });
    expect(requests[0]?.fields).not.toHaveProperty('stopLimitPrice');
  });

  it('WEB-127 pressed again after a lost answer it retries the same order; changed, it is another order', async () => {
    answers = [undefined, undefined, PLACED, PLACED];
    const hook = ticketHook();
    act(() => hook.result.current.set.timeInForce('GTT'));
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    expect(hook.result.current.ticket.amount).toBe('1');
    await act(() => hook.result.current.submit());
    await waitFor(() => expect(hook.result.current.ticket.amount).toBe(''));
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    const [first, ...repeats] = requests.map(({ fields }) =>
      [fields['clientId'], fields['expireTime']].join(),
    );
    expect(repeats.slice(0, 2)).toEqual([first, first]);
    expect(repeats[2]?.split(',')[0]).not.toBe(first?.split(',')[0]);
  });

  it('WEB-127 pressed twice before the answer it places one order', async () => {
    answers = [PLACED, PLACED];
    const hook = ticketHook();
    act(() => hook.result.current.set.amount('1'));
    const { submit } = hook.result.current;
    const results = await act(() => Promise.all([submit(), submit()]));
    expect(results).toEqual([true, false]);
    expect(requests).toHaveLength(1);
  });

  it('WEB-193 a form that was closed and reopened retries the unanswered order with the same key and expiry', async () => {
    answers = [undefined, undefined, PLACED];
    const memory = remembering();
    const first = ticketHook(MARKET, 'limit', memory);
    act(() => first.result.current.set.timeInForce('GTT'));
    act(() => first.result.current.set.amount('1'));
    await act(() => first.result.current.submit());
    first.unmount();
    const second = ticketHook(MARKET, 'limit', memory);
    expect(second.result.current.unanswered).toBeDefined();
    await act(() => second.result.current.submit());
    expect(second.result.current.ticket.amount).toBe('');
    expect(second.result.current.unanswered).toBeUndefined();
    const sent = requests.map(({ fields }) => [fields['clientId'], fields['expireTime']].join());
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(3);
  });

  it('WEB-193 a form reopened while its order is in progress waits too, and is cleared by the answer', async () => {
    let release: (() => void) | undefined;
    answersReleased = new Promise((resolve) => (release = resolve));
    answers = [PLACED];
    const memory = remembering();
    const first = ticketHook(MARKET, 'limit', memory);
    act(() => first.result.current.set.amount('1'));
    act(() => void first.result.current.submit());
    first.unmount();
    const second = ticketHook(MARKET, 'limit', memory);
    expect(second.result.current).toMatchObject({ isBusy: true, ticket: { amount: '1' } });
    await expect(act(() => second.result.current.submit())).resolves.toBe(false);
    release?.();
    await waitFor(() =>
      expect(second.result.current).toMatchObject({ isBusy: false, ticket: { amount: '' } }),
    );
    expect(requests).toHaveLength(1);
  });

  it('WEB-194 another order is not sent while the outcome of one is unknown, unless the user discards it', async () => {
    answers = [undefined, undefined, PLACED];
    const hook = ticketHook();
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    act(() => hook.result.current.set.amount('2'));
    await expect(act(() => hook.result.current.submit())).resolves.toBe(false);
    const requestCount = requests.length;
    expect(new Set(requests.map(({ fields }) => fields['amount']))).toEqual(new Set(['1']));
    act(() => hook.result.current.unanswered?.discard());
    await act(() => hook.result.current.submit());
    expect(requests).toHaveLength(requestCount + 1);
    expect(requests.at(-1)?.fields['amount']).toBe('2');
    expect(requests.at(-1)?.fields['clientId']).not.toBe(requests[0]?.fields['clientId']);
  });

  it('WEB-194 the user can retry the unanswered order; values typed meanwhile stay', async () => {
    answers = [undefined, undefined, PLACED];
    const hook = ticketHook();
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    act(() => hook.result.current.set.amount('2'));
    await act(() => hook.result.current.unanswered?.retry());
    expect(new Set(requests.map(({ fields }) => fields['clientId'])).size).toBe(1);
    expect(hook.result.current).toMatchObject({ unanswered: undefined, ticket: { amount: '2' } });
  });

  it('WEB-195 values typed while waiting for an answer are not overwritten by it', async () => {
    let release: (() => void) | undefined;
    answersReleased = new Promise((resolve) => (release = resolve));
    answers = [PLACED];
    const hook = ticketHook();
    act(() => hook.result.current.set.amount('1'));
    act(() => void hook.result.current.submit());
    act(() => hook.result.current.set.amount('7'));
    release?.();
    await waitFor(() => expect(hook.result.current.isBusy).toBe(false));
    expect(hook.result.current.ticket.amount).toBe('7');
  });

  it('WEB-193 an unanswered order is not visible to another user, and gone when its user returns', async () => {
    answers = [undefined, undefined];
    const person = (userId: string) => startSession({ userId, token: userId, email: 'a@b.example' });
    act(() => person('one'));
    const hook = ticketHook();
    act(() => hook.result.current.set.amount('1'));
    await act(() => hook.result.current.submit());
    expect(hook.result.current.unanswered).toBeDefined();
    act(() => person('two'));
    expect(hook.result.current.unanswered).toBeUndefined();
    answers = [PLACED];
    await act(() => hook.result.current.submit());
    expect(requests.at(-1)?.fields['clientId']).not.toBe(requests[0]?.fields['clientId']);
    act(() => person('one'));
    expect(hook.result.current.unanswered).toBeUndefined();
    act(() => endSession());
  });
});
