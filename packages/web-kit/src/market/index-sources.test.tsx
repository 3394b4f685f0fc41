import { indexSources } from '@exchange/wire/market.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { setLocale, loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import { IndexSources } from './index-sources.tsx';
import { AccountServer } from './testing/account-server.ts';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(async () => {
  cleanup();
  queryClient.clear();
  await act(() => setLocale('en-US'));
});
afterAll(() => server.stop());

const source = (id: string, state: string, more = {}) => ({
  id,
  state,
  price: '50000',
  note: '',
  since: null,
  ...more,
});

it.each([
  [
    'en-US',
    'Turned off from',
    ['Included', 'far from the others', 'No recent price', 'Included', 'Turned off'],
  ],
  ['zh-CN', '停用时间', ['计入', '计入，偏离较大', '无最新报价', '计入', '已停用']],
] as const)(
  'LIVE-005 LIVE-006 shows in %s the price of each source and why one is excluded',
  async (locale, leaves, words) => {
    await act(() => setLocale(locale));
    server.serve({
      [indexSources.path]: () => ({
        code: 1,
        data: {
          symbol: 'btcusdt',
          index: '50001.5',
          sources: [
            source('binance', 'counts'),
            source('okx', 'far', { price: '52000' }),
            source('gate', 'silent', { price: '' }),
            source('kucoin', 'counts', { note: 'It will close.', since: 1_800_000_000_000 }),
            source('htx', 'off', { price: '', note: 'Their clock is wrong.', since: 1_700_000_000_000 }),
          ],
        },
      }),
    });
    render(
      <Providers>
        <IndexSources pair={{ symbol: 'btcusdt', priceDigits: 2 }} />
      </Providers>,
    );
    expect(await screen.findByText('50,001.50')).toBeDefined();
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toHaveLength(5);
    words.forEach((word, at) => expect(rows[at]).toContain(word));
    expect(rows[1]).toContain('52,000.00');
    expect(rows[3]).toContain('It will close.');
    expect(rows[4]).toContain('Their clock is wrong.');
    expect(rows.map((row) => row?.includes(leaves))).toEqual([false, false, false, true, false]);
  },
);
