import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { LegalText } from '@exchange/web-kit/legal/legal-text.tsx';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import AboutScreen from './about-screen.tsx';

const { answers } = setUpFixtures();

const TEXT = 'Between you and us.\n\n# 1. First\n\nOne.\n\n- item\n\n# 2. Second\n\nTwo.';
const NAMED: Readonly<Record<string, string>> = {
  legal_entity: 'Own Ltd.',
  legal_address: '1 Own Street',
  governing_law: 'Own law',
  customer_service_email: 'help@own.test',
};

/** Mocks a server in demo or live mode that returns the given legal details of the exchange's company. */
function operated(mode: 'demo' | 'live', details: Readonly<Record<string, string>> = {}) {
  answers(({ path }) => {
    const url = new URL(path, 'http://any');
    if (url.pathname.endsWith('/getServer')) return { mode, showsMail: false, time: 0, version: '1' };
    if (url.pathname.endsWith('/getParamListByKeyName'))
      return { valueName: details[url.searchParams.get('paramName') ?? ''] ?? '' };
    if (url.pathname.endsWith('/getAgreement'))
      return { text: TEXT, version: '2', effectiveDate: '2026-11-25' };
    return {};
  });
}

function Address() {
  const { pathname, hash } = useLocation();
  return <output>{pathname + hash}</output>;
}

const opened = (page: string) =>
  draw(
    <Routes>
      <Route
        path="/about/:page"
        element={
          <>
            <AboutScreen />
            <Address />
          </>
        }
      />
    </Routes>,
    `/about/${page}`,
  );

it('HELP-022 a table of contents links to each section by its anchor', async () => {
  operated('demo');
  const user = opened('protocol');
  const contents = await screen.findByRole('navigation', { name: 'Contents' });
  const links = within(contents).getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['1. First', '2. Second']);
  const secondHeading = screen.getByRole('heading', { level: 2, name: '2. Second' });
  expect(links[1]!.getAttribute('href')).toContain(`#${secondHeading.id}`);
  await user.click(links[1]!);
  expect(screen.getByRole('status').textContent).toBe(`/about/protocol#${secondHeading.id}`);
  expect(document.activeElement).toBe(secondHeading);
  expect(screen.getByText('Version 2, effective November 25, 2026')).toBeTruthy();
});

it('HELP-022 a URL with an anchor opens at its section', async () => {
  operated('demo');
  opened('policy#privacy-2');
  const secondHeading = await screen.findByRole('heading', { level: 2, name: '2. Second' });
  await waitFor(() => expect(document.activeElement).toBe(secondHeading));
});

it('HELP-021 names the operator, or states that a demo has none or that no name is published', async () => {
  operated('live', NAMED);
  opened('policy');
  for (const fact of Object.values(NAMED)) expect(await screen.findByText(fact)).toBeTruthy();
});

it('HELP-021 a demo states that no company operates it', async () => {
  operated('demo', NAMED);
  opened('legal');
  expect(await screen.findByText(/No company stands behind it/)).toBeTruthy();
  expect(screen.queryByText('Own Ltd.')).toBeNull();
});

it('HELP-021 states when the operator has published no details', async () => {
  operated('live');
  opened('us');
  expect(await screen.findByText('The operator of this exchange has not published a name yet.')).toBeTruthy();
  expect(screen.queryByText('Governing law')).toBeNull();
});

it('HELP-023 the company page links to the verification pages, the legal notice to the licences', async () => {
  operated('demo');
  opened('us');
  const checks = await screen.findByRole('region', { name: 'Check for yourself' });
  expect(
    within(checks)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    '/about/proofs',
    '/trade?symbol=BTC_USDT&view=info',
    '/about/withdrawals',
    paths.seconds,
    '/about/connect?article=seconds-verify',
  ]);
});

it('HELP-023 the legal notice links to the licences of bundled software', async () => {
  operated('demo');
  opened('legal');
  const licenses = await screen.findByRole('link', { name: 'Third-party licenses' });
  expect(licenses.getAttribute('href')).toBe('/pc/third-party-licenses.md');
});

const PATHS = {
  proofs: '/proofs',
  sources: '/sources',
  times: '/times',
  statistics: '/statistics',
  verifier: '/verifier',
};

/** Renders a legal text; its button simulates that the settings have loaded without details of the company. */
function Announced() {
  const [operator, setOperator] = useState<null>();
  return (
    <>
      <button type="button" onClick={() => setOperator(null)}>
        Answer
      </button>
      <LegalText page="protocol" operator={operator} checks={PATHS} licenses="/licenses" />
    </>
  );
}

it('WEB-1020 a legal text comes together with who runs the exchange, and alone where that is not known', async () => {
  operated('demo');
  const user = draw(<Announced />, '/about/protocol');
  await waitFor(() =>
    expect(queryClient.getQueryCache().getAll()).toMatchObject([{ state: { status: 'success' } }]),
  );
  expect(screen.queryByRole('heading', { name: '1. First' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Answer' }));
  expect(await screen.findByRole('heading', { name: '1. First' })).toBeTruthy();
});
