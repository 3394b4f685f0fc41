import { durationRow } from '@exchange/wire/seconds.ts';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { UserView } from './user-view.tsx';

const FIELDS = {
  nameEn: { label: 'Name (English)', kind: 'text' },
  sourceEn: { label: 'Source of yield (English)', kind: 'longText' },
} as const;
const PRODUCT = {
  id: 'a',
  currency: 'USDT',
  logo: '',
  period: 30,
  dailyRate: '0.0002',
  apr: '0.073',
  startAmount: '10',
  maxAmount: '10000',
  limit: '500000',
  remaining: '500000',
  userRemaining: '10000',
  digits: 6,
  status: 1,
  selling: 1,
  payMode: 1,
  manual: 0,
  startTime: 1_795_558_140_000,
  version: 4,
  agreementVersion: '1',
  schedule: {
    amount: '1000',
    startTime: 1_795_564_800_000,
    endTime: 1_798_156_800_000,
    dailyProfit: '0.2',
    totalProfit: '6',
    payments: [],
  },
};
const view = (locale: string, name: string, inEnglish: readonly string[] = []) => ({
  locale,
  inEnglish,
  shown: { ...PRODUCT, name, source: 'From <i>lending</i>.' },
});
const ANSWER = {
  kind: 'finance',
  views: [
    view('en-US', 'Thirty <b>days</b>'),
    view('zh-CN', '三十天'),
    view('ko-KR', 'Thirty <b>days</b>', ['name', 'source']),
    view('ja-JP', '三十日', ['source']),
  ],
};
const fields = { nameEn: 'Thirty <b>days</b>', dailyRate: '0.0002' };

/**
 * Renders the preview of a proposal, for which the mocked server returns `answer`; returns the path and the
 * form body of each request as one text.
 */
function draw(answer: () => Response | Promise<Response>): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push(`${path} ${new URLSearchParams(init.body as URLSearchParams).toString()}`);
    return answer();
  });
  render(<UserView address="/ops/finance/products/a-30" sent={fields} fields={FIELDS} />);
  return calls;
}
afterEach(() => vi.unstubAllGlobals());

it('OPS-073 previews a proposal on the card of users in the selected language with escaped texts', async () => {
  const calls = draw(() => Response.json(ANSWER));
  const card = await screen.findByRole('article', { name: 'Thirty <b>days</b>' });
  expect(calls).toEqual([
    '/ops/finance/products/a-30/preview nameEn=Thirty+%3Cb%3Edays%3C%2Fb%3E&dailyRate=0.0002',
  ]);
  expect(card.textContent).toContain('7.30%');
  expect(card.textContent).toContain('30 days');
  const region = screen.getByRole('region', { name: 'As users would see it' });
  expect(region.textContent).toContain('Amount1,000.00\u00A0USDT');
  expect(region.textContent).toContain('Total interest6.00\u00A0USDT');
  expect(region.textContent).toContain('From <i>lending</i>.');
  expect(region.querySelector('b, i')?.textContent).not.toBe('days');
  fireEvent.click(screen.getByRole('button', { name: '简体中文' }));
  expect(
    (await screen.findByRole('article', { name: '三十天' })).closest('[lang]')!.getAttribute('lang'),
  ).toBe('zh-CN');
  expect(region.textContent).toContain('30 天');
  expect(document.documentElement.lang).not.toBe('zh-CN');
  expect(localStorage.length).toBe(0);
});

it('OPS-074 names missing translations and shows them in English', async () => {
  draw(() => Response.json(ANSWER));
  const languages = within(await screen.findByRole('group', { name: 'Language' }));
  expect(screen.queryByText(/^Not written/)).toBeNull();
  expect(languages.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'English (US)',
    '简体中文',
    '한국어 * partly in English',
    '日本語 * partly in English',
  ]);
  fireEvent.click(languages.getByRole('button', { name: /^한국어/ }));
  await screen.findByText('Not written in this language, so that users read English: Name, Source of yield');
  const card = await screen.findByRole('article', { name: 'Thirty <b>days</b>' });
  expect(card.closest('[lang]')!.getAttribute('lang')).toBe('ko-KR');
});

it('OPS-073 shows why a preview is impossible and retries', async () => {
  let answer = Response.json({ error: 'capacity is at least 10.', field: 'capacity' }, { status: 400 });
  draw(() => answer);
  expect((await screen.findByRole('alert')).textContent).toContain('capacity is at least 10.');
  answer = Response.json(ANSWER);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('article', { name: 'Thirty <b>days</b>' });
});

it('OPS-073 previews terms of the seconds contract on the ticket of users, with the figures of each stake', async () => {
  const shown = {
    seconds: [
      durationRow({ second: 30, rate: '0.8', minimum: '5' }),
      durationRow({ second: 60, rate: '0.85', minimum: '20' }),
    ],
    updated: 0,
    indexVersion: '1',
    version: 0,
    open: 0,
    symbols: ['btcusdt'],
    maxStake: '100',
    maxOpen: 20,
    dayLoss: '1000',
    riskVersion: '1',
    feeRate: '0.01',
  };
  const views = ['en-US', 'zh-CN'].map((locale) => ({ locale, inEnglish: [], shown }));
  draw(() => Response.json({ kind: 'seconds', views }));
  const ticket = await screen.findByRole('region', { name: 'Seconds contract' });
  expect(ticket.textContent).toContain('No new positions can be opened right now.');
  expect(ticket.textContent).toContain('Payout if right9.00\u00A0USDT');
  fireEvent.click(within(ticket).getByRole('radio', { name: /^60 s/ }));
  // The selection of a duration sets the amount to its smallest stake, from which the payout follows.
  expect(ticket.textContent).toContain('Payout if right37.00\u00A0USDT');
  fireEvent.change(within(ticket).getByLabelText('Amount'), { target: { value: '101' } });
  expect(within(ticket).getByText(/100/).textContent).not.toBe('');
  expect(ticket.textContent).toContain('Loss if wrong102.01\u00A0USDT');
  expect(within(ticket).queryByRole('button', { name: /^▲|Up/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '简体中文' }));
  await screen.findByRole('region', { name: '秒合约' });
});
