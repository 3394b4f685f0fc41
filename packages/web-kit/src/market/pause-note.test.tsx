import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { serverNow } from '../clock.ts';
import { loadAllWords, setLocale } from '../i18n/words.ts';
import { PauseBadge, PauseBanner } from './pause-note.tsx';

beforeAll(() => loadAllWords());
afterEach(async () => {
  cleanup();
  await act(() => setLocale('en-US'));
});

const NOTE = { 'en-US': 'The book is checked.', 'ja-JP': '板を確認しています。' };

it.each([
  ['en-US', ['Trading is paused.', 'BTC is halted.', 'Reason: maintenance.', 'The book is checked.']],
  ['zh-CN', ['交易已暂停。', 'BTC 已暂停服务。', '原因：系统维护。', 'The book is checked.']],
  ['ko-KR', ['거래가 일시 중단되었습니다.', 'BTC 서비스가 중단되었습니다.', '사유: 시스템 점검.']],
  ['ja-JP', ['取引を一時停止しています。', 'BTCの取扱いを停止しています。', '板を確認しています。']],
] as const)('SPOT-1252 explains a pause in %s', async (locale, sentences) => {
  await act(() => setLocale(locale));
  const pause = { coin: 'BTC', cause: 'maintenance', note: NOTE, newsTime: serverNow() + 60_000 } as const;
  render(<PauseBanner pair={{ status: 'cancelOnly', pause }} />);
  const text = screen.getByRole('note').textContent;
  for (const sentence of sentences) expect(text).toContain(sentence);
  expect(text).toMatch(/\d{1,2}:\d\d/);
});

it('SPOT-1252 names no reason where none was published, no time that has passed, and nothing while a pair trades', () => {
  const pause = { cause: 'other', newsTime: serverNow() - 1 } as const;
  const { rerender } = render(<PauseBanner pair={{ status: 'closed', pause }} />);
  expect(screen.getByRole('note').textContent.trim()).toBe('Trading is paused.');
  rerender(<PauseBadge pair={{ status: 'closed', pause }} />);
  expect(screen.getByText('Paused')).toBeDefined();
  rerender(<PauseBadge pair={{ status: 'closed', pause: { cause: 'prices' } }} />);
  expect(screen.getByText('Paused: index prices are not reliable')).toBeDefined();
  rerender(<PauseBadge pair={{ status: 'open', pause: undefined }} />);
  expect(document.body.textContent).toBe('');
});
