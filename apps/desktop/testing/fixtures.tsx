import { Decimal } from '@exchange/core/decimal.ts';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { type PageServer, startPageServer } from '@exchange/web-kit/api/testing/page-server.ts';
import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { removeDrafts } from '@exchange/web-kit/form/drafts.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf, type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { endSession } from '@exchange/web-kit/session/session-store.ts';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A request that the mock server received: its path and fields. */
export interface Received {
  readonly path: string;
  readonly fields: URLSearchParams;
}

/** A handler of the mock server returns an instance, to answer the request with a refusal of the exchange. */
export class RefusedCall {
  readonly envelope: object;

  constructor(errKey: string, msg: string) {
    this.envelope = { code: -3, errKey, msg, data: {} };
  }
}

/**
 * Returns the mock server's answer to a request; for undefined the mock server answers with status 502 without a body,
 * as when the exchange cannot be reached.
 */
export type Answer = (received: Received) => object | undefined;

export const PAIR: MarketPair = pairOf(LISTED);

/** Market data and balances of an order ticket for `PAIR`: prices around 100. */
export const MOMENT: TicketMarket = {
  pair: PAIR,
  bestBid: Decimal.parse('99'),
  bestAsk: Decimal.parse('101'),
  reference: Decimal.parse('100'),
  last: Decimal.parse('100'),
  baseAvailable: Decimal.parse('1'),
  quoteAvailable: Decimal.parse('1000'),
  openOrders: { resting: 0, waiting: 0 },
};

/**
 * Sets up a mock server for all component tests of a file. `received` contains the requests of the current test, oldest
 * first.
 */
export function setUpFixtures() {
  const received: Received[] = [];
  let answer: Answer = () => ({});
  let server: PageServer;
  beforeAll(async () => {
    await loadAllWords();
    server = await startPageServer(({ url, form }, response) => {
      const call = { path: url, fields: form };
      received.push(call);
      const data = answer(call);
      response.writeHead(data === undefined ? 502 : 200, { 'content-type': 'application/json' });
      const envelope = data instanceof RefusedCall ? data.envelope : { code: 1, data };
      response.end(data === undefined ? '' : JSON.stringify(envelope));
    });
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    endSession();
    removeDrafts();
    received.length = 0;
    answer = () => ({});
  });
  afterAll(() => server.stop());
  return {
    received,
    answers: (nextAnswer: Answer): void => {
      answer = nextAnswer;
    },
  };
}

/** Renders a component inside the app's providers, with the router at the given URL; returns the simulated user. */
export function draw(part: ReactNode, address = '/trade?symbol=BTC_USDT') {
  render(
    <Providers>
      <MemoryRouter initialEntries={[address]}>{part}</MemoryRouter>
    </Providers>,
  );
  return userEvent.setup();
}
