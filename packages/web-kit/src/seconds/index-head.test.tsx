import { indexSources } from '@exchange/wire/market.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { SourceLights } from './index-head.tsx';

let server: AccountServer;

beforeAll(async () => {
  server = await AccountServer.start();
  await loadAllWords();
});
afterEach(cleanup);
afterAll(() => server.stop());

it('MKT-001 a source far from the others still counts as live', async () => {
  const source = (id: string, state: string) => ({ id, state, price: '', note: '', since: null });
  const sources = [source('a', 'counts'), source('b', 'far'), source('c', 'silent'), source('d', 'off')];
  const data = { symbol: 'btcusdt', index: '50000.00', time: null, sources };
  server.serve({ [indexSources.path]: () => ({ code: 1, data }) });
  render(
    <QueryClientProvider client={queryClient}>
      <SourceLights symbol="btcusdt" />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('2 of 4 price sources live')).toBeTruthy();
});
