import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setLocale, loadAllWords } from '../i18n/words.ts';
import FrameNotes from '../shell/frame-notes.tsx';
import { Providers } from '../shell/providers.tsx';
import { useUpColourChoice } from './theme.tsx';

const colours = () => document.documentElement.dataset['upColour'];

beforeEach(async () => {
  localStorage.clear();
  await loadAllWords();
  useUpColourChoice.setState({ chosen: undefined, suggested: undefined });
  render(
    <Providers>
      <FrameNotes className="" />
    </Providers>,
  );
  await waitFor(() => expect(colours()).toBe('green'));
});
afterEach(() => cleanup());

it('WEB-1003 switching to Chinese keeps Buy green, asks once and stores the answer', async () => {
  const user = userEvent.setup();
  await act(() => setLocale('zh-CN'));
  expect(colours()).toBe('green');
  expect(screen.getByRole('status').textContent).toContain('红涨绿跌');
  await user.click(screen.getByRole('button', { name: '切换颜色' }));
  expect(colours()).toBe('red');
  expect(screen.queryByRole('status')).toBeNull();
  expect(localStorage.getItem('up-colour')).toBe('red');
  await act(() => setLocale('en-US'));
  expect(colours()).toBe('red');
  expect(screen.queryByRole('status')).toBeNull();
});

it('WEB-1003 an ignored question keeps the colours, also for the next visit', async () => {
  await act(() => setLocale('zh-CN'));
  expect(localStorage.getItem('up-colour')).toBe('green');
  await act(() => setLocale('ja-JP'));
  expect(colours()).toBe('green');
  expect(screen.queryByRole('status')).toBeNull();
});

it('WEB-1003 the colours of a first visit are those of the language', async () => {
  for (const [locale, usual] of [
    ['zh-CN', 'red'],
    ['ko-KR', 'redBlue'],
    ['ja-JP', 'green'],
  ] as const) {
    await act(() => setLocale(locale));
    act(() => useUpColourChoice.setState({ chosen: undefined, suggested: undefined }));
    expect(colours()).toBe(usual);
  }
});

it('WEB-1003 a language with the same default colours asks nothing', async () => {
  await act(() => setLocale('ja-JP'));
  expect(screen.queryByRole('status')).toBeNull();
  expect(localStorage.getItem('up-colour')).toBeNull();
});

it('WEB-1004 Korean suggests red and blue, which the colour settings list', async () => {
  const user = userEvent.setup();
  await act(() => setLocale('ko-KR'));
  expect(colours()).toBe('green');
  await user.click(screen.getByRole('button', { name: '색상 바꾸기' }));
  expect(colours()).toBe('redBlue');
  const tokens = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8');
  expect(tokens).toMatch(/\[data-up-colour='redBlue'\] \{\s*--down: var\(--blue\);/);
  expect(tokens.match(/--blue-fill: #/g)).toHaveLength(2);
});
