import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { tradeViewOf } from '../trade/trade-query.ts';
import { MarketRow } from './market-row.tsx';

beforeAll(loadAllWords);
afterEach(cleanup);

it('MOB-991 a pair links to its chart', () => {
  render(
    <MemoryRouter>
      <MarketRow pair={pairOf(LISTED)} />
    </MemoryRouter>,
  );
  const [path, query] = screen.getByRole('link').getAttribute('href')!.split('?');
  expect(path).toBe('/trade');
  expect(new URLSearchParams(query).get('symbol')).toBe('BTC_USDT');
  expect(tradeViewOf(new URLSearchParams(query)).view).toBe('chart');
});
