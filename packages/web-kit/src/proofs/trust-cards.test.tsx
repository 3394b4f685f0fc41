import { indexSources } from '@exchange/wire/market.ts';
import { liabilities } from '@exchange/wire/proofs.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { LISTED } from '../market/testing/listed-pair.ts';
import { Providers } from '../shell/providers.tsx';
import { TrustCards } from './trust-cards.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});
afterAll(() => server.stop());

const source = (state: string) => ({ id: state, state, price: '', note: '', since: null });
const SNAPSHOT = { day: '2026-11-24', time: Date.UTC(2026, 10, 24, 0, 5), root: '9f'.repeat(32) };

interface Served {
  readonly withdrawals: object;
  readonly sources: object;
  readonly snapshots: readonly object[];
}

function show({ withdrawals, sources, snapshots }: Served) {
  const answer = (data: object) => () => ({ code: 1, data });
  server.serve({
    [withdrawalStats.path]: answer({ withdrawals, list: [] }),
    [indexSources.path]: answer({ symbol: 'btcusdt', ...sources }),
    [`${liabilities.path}?pageSize=1`]: answer({ list: snapshots, sum: snapshots.length }),
    [spotBasics.path]: answer([LISTED]),
  });
  const paths = { times: '/times', sources: '/sources', proofs: '/proofs', fees: '/fees' };
  render(
    <Providers>
      <MemoryRouter>
        <TrustCards paths={paths} />
      </MemoryRouter>
    </Providers>,
  );
}

const card = (title: string) => screen.getByRole('heading', { name: title }).closest('article')!;

it('POL-012 each reason has a live figure and links to its verification', async () => {
  show({
    withdrawals: { finished: 9, medianSeconds: 120 },
    sources: {
      index: '50000',
      time: Date.UTC(2026, 10, 24, 9, 8, 7),
      sources: [source('counts'), source('far'), source('silent'), source('counts')],
    },
    snapshots: [SNAPSHOT],
  });
  const expectCard = async (title: string, figure: string, note: RegExp, link: string, to: string) => {
    await within(card(title)).findByText(figure);
    expect(within(card(title)).getByText(note)).toBeTruthy();
    expect(within(card(title)).getByRole('link', { name: link }).getAttribute('href')).toBe(to);
  };
  await expectCard('Withdrawals, measured', '2 min', /^Half took/, 'See all times', '/times');
  await expectCard(
    'One price, several sources',
    '2 of 4 sources',
    /at \d\d:\d\d:07$/,
    'See the sources',
    '/sources',
  );
  await expectCard(
    'Every coin accounted for',
    '9f9f9f9f…',
    /^Proof of liabilities, 11\/2[34]/,
    'Check my balance',
    '/proofs',
  );
  await expectCard('Fees up front', '0.10%', /maker/, 'See all fees', '/fees');
});

it('POL-012 states missing figures instead of inventing them', async () => {
  show({
    withdrawals: { finished: 0, medianSeconds: 0 },
    sources: { index: '', time: null, sources: [source('silent')] },
    snapshots: [],
  });
  await screen.findByText('No withdrawals yet');
  await screen.findByText('First proof on its way');
  expect(await within(card('One price, several sources')).findByText('No index right now')).toBeTruthy();
  await waitFor(() => expect(within(card('Every coin accounted for')).getByText('–')).toBeTruthy());
  expect(within(card('Withdrawals, measured')).getByText('–')).toBeTruthy();
});
