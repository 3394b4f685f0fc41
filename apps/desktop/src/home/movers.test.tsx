import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { spotBasics } from '@exchange/wire/spot.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({ [spotBasics.path]: () => ({ code: 1, data: [LISTED] }) });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
});
afterAll(() => server.stop());

const TICKER = { close: '50000', open: '49000', high: '51000', low: '48000', vol: '1', amount: '50000' };

it('DESK-186 states that there are no prices once that is known, and lists movers when they appear', async () => {
  const publish = topicPublisher('tickers');
  const { Movers } = await withWords(import('./movers.tsx'));
  render(
    <Providers>
      <MemoryRouter>
        <Movers />
      </MemoryRouter>
    </Providers>,
  );
  const words = () => screen.queryAllByText('No prices right now.');
  expect(words()).toHaveLength(0);
  await publish([]);
  expect(words()).toHaveLength(3);
  await publish([{ ...TICKER, symbol: LISTED.symbol }]);
  expect(await screen.findAllByText(LISTED.baseCoin)).toHaveLength(3);
  expect(words()).toHaveLength(0);
});
