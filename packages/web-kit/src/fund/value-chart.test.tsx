import { DAY_MS } from '@exchange/core/time.ts';
import { fundNav } from '@exchange/wire/fund.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { Providers } from '../shell/providers.tsx';
import { ValueChart } from './value-chart.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => vi.stubEnv('TZ', 'America/New_York'));
afterEach(() => {
  cleanup();
  vi.unstubAllEnvs();
});
afterAll(() => server.stop());

it('WEB-992 daily values show their UTC date, also west of Greenwich', async () => {
  const firstTime = Date.UTC(2026, 10, 21);
  const candle = (day: number) => ({
    id: (firstTime + day * DAY_MS) / 1_000,
    open: '1',
    high: '1.2',
    low: '0.9',
    close: '1.1',
  });
  server.serve({ [fundNav.path]: () => ({ code: 1, data: [candle(0), candle(1), candle(2)] }) });
  render(
    <Providers>
      <ValueChart id="f" value="1.1" />
    </Providers>,
  );
  await screen.findByRole('img');
  await userEvent.click(screen.getByRole('tab', { name: '1D' }));
  expect(await screen.findByText('11/21/2026')).toBeDefined();
  expect(screen.getByText('11/23/2026')).toBeDefined();
});
