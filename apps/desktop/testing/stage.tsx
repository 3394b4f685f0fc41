import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setServerOrigin } from '@exchange/web-kit/api/client.ts';
import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { removeDrafts } from '@exchange/web-kit/form/drafts.ts';
import { startWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf, type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { endSession } from '@exchange/web-kit/session/session-store.ts';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A call as it arrived. */
export interface Received {
  readonly path: string;
  readonly fields: URLSearchParams;
}

/** What the stage's server says instead of an answer's data where it refuses. */
export class RefusedCall {
  readonly envelope: object;

  constructor(errKey: string, msg: string) {
    this.envelope = { code: -3, errKey, msg, data: {} };
  }
}

/** What the stage's server says to a call; undefined loses the answer on its way, as a failing proxy does. */
export type Answer = (received: Received) => object | undefined;

export const PAIR: MarketPair = pairOf(LISTED);

/** Sets up a server of the test's own for every component test of a file. `received` holds what was called, in order. */
export function setStage() {
  const received: Received[] = [];
  let answer: Answer = () => ({});
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const call = { path: request.url ?? '', fields: new URLSearchParams(body) };
      received.push(call);
      const data = answer(call);
      response.writeHead(data === undefined ? 502 : 200, { 'content-type': 'application/json' });
      const envelope = data instanceof RefusedCall ? data.envelope : { code: 1, data };
      response.end(data === undefined ? '' : JSON.stringify(envelope));
    });
  });
  beforeAll(async () => {
    await startWords();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    location.href = `${origin}/`;
    setServerOrigin(origin);
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    endSession();
    removeDrafts();
    received.length = 0;
    answer = () => ({});
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    received,
    answers: (next: Answer): void => {
      answer = next;
    },
  };
}

/** Draws a component as the app does, at an address; gives the person before it. */
export function draw(part: ReactNode, address = '/trade?symbol=BTC_USDT') {
  render(
    <Providers>
      <MemoryRouter initialEntries={[address]}>{part}</MemoryRouter>
    </Providers>,
  );
  return userEvent.setup();
}
