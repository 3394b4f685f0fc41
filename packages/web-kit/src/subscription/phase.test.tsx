import { spotBasics } from '@exchange/wire/spot.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { Providers } from '../shell/providers.tsx';
import { phaseOf } from './phase.ts';
import { ProjectView } from './project-view.tsx';
import type { ProjectDetail } from './queries.ts';

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

const DAY_MS = 86_400_000;

function aProject(overrides: Partial<ProjectDetail>): ProjectDetail {
  return {
    id: '1',
    version: 1,
    name: 'Orchard',
    symbol: 'ORCH',
    logo: '',
    totalSupply: '200000000',
    issueAmount: '4000000',
    ratio: '100',
    quoteCoin: 'USDT',
    quoteDigits: 8,
    tokenDigits: 2,
    minAmount: '100',
    maxAmount: '50000',
    hardCapUser: '400000',
    startTime: 1,
    endTime: 2,
    listTime: 3,
    lockDays: 5,
    linearDays: 60,
    committed: '89000',
    participants: 4,
    status: 2,
    stage: 'settled',
    sold: '1400000',
    about: 'About',
    tokenomics: 'Tokenomics',
    whitepaper: 'Whitepaper',
    agreementVersion: '1',
    algorithm: 'wf-1',
    myCommitted: '0',
    estimate: '0',
    ...overrides,
  };
}

function show(project: ProjectDetail): void {
  server.serve({ [spotBasics.path]: () => ({ code: 1, data: [] }) });
  render(
    <Providers>
      <MemoryRouter>
        <ProjectView project={project} gate={undefined} passwordHint={undefined} />
      </MemoryRouter>
    </Providers>,
  );
}

it('SUB-1011 a project is upcoming, on sale, ended, distributing, and listed only when its token is traded', () => {
  expect(phaseOf({ status: 0, stage: 'committing' }, false)).toBe('upcoming');
  expect(phaseOf({ status: 1, stage: 'committing' }, false)).toBe('onSale');
  expect(phaseOf({ status: 2, stage: 'committing' }, false)).toBe('ended');
  expect(phaseOf({ status: 2, stage: 'announced' }, false)).toBe('ended');
  expect(phaseOf({ status: 2, stage: 'settling' }, false)).toBe('distributing');
  expect(phaseOf({ status: 2, stage: 'settled' }, false)).toBe('distributing');
  expect(phaseOf({ status: 2, stage: 'settled' }, true)).toBe('listed');
  expect(phaseOf({ status: 3, stage: 'settled' }, true)).toBe('listed');
  expect(phaseOf({ status: 3, stage: 'settled' }, false)).toBe('ended');
  expect(phaseOf({ status: 3, stage: 'refunded' }, false)).toBe('ended');
});

it('SUB-1011 a past listing date without trading counts as not listed yet', async () => {
  show(aProject({ listTime: Date.now() - DAY_MS }));
  expect(await screen.findAllByText('Not listed yet')).toHaveLength(2);
  expect(screen.queryByText('Open')).toBeNull();
});

it('SUB-1011 shows a countdown to trading before the listing date', async () => {
  show(aProject({ listTime: Date.now() + 2 * DAY_MS }));
  expect((await screen.findByText(/^Trading begins in/)).textContent).toMatch(/\d/);
  expect(screen.queryByText('Not listed yet')).toBeNull();
});

it('SUB-1012 a partially sold sale states the sold share, its limit and the use of the rest', () => {
  show(aProject({}));
  screen.getByText(/^35\S*\s?% of the tokens were sold\. .*400,000 ORCH.*2,600,000 ORCH were left over/);
  cleanup();
  show(aProject({ sold: '3999999.99' }));
  expect(screen.queryByText(/of the tokens were sold/)).toBeNull();
});

it('SUB-1010 the own commitment shows an estimate with its range, not a promise', () => {
  show(
    aProject({
      status: 1,
      stage: 'committing',
      committed: '50000',
      myCommitted: '2000',
      estimate: '160000',
      endTime: Date.now() + DAY_MS,
    }),
  );
  screen.getByText('Estimate at today’s commitments');
  screen.getByText(/^About 80,000 ORCH if total commitments double, and never more than 200,000 ORCH/);
  expect(screen.queryByText(/at least/)).toBeNull();
  cleanup();
  show(
    aProject({
      status: 1,
      stage: 'committing',
      committed: '10000',
      myCommitted: '2000',
      estimate: '200000',
      endTime: Date.now() + DAY_MS,
    }),
  );
  screen.getByText(/^That is the most this commitment can receive/);
});
