import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Providers } from '../shell/providers.tsx';
import { followWithManifest } from '../shell/start-worker.ts';
import { loadAllWords, useWords } from './words.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function Heading() {
  return <h1>{useWords('messages')('title')}</h1>;
}

/** Simulates a storage change made by another tab. */
async function changeInOtherTab(change: () => void, key: string | null): Promise<void> {
  change();
  await act(async () => void dispatchEvent(new StorageEvent('storage', { key })));
}

it('WEB-033 WEB-1112 switches to the language chosen in another tab, with the manifest of the site', async () => {
  await loadAllWords();
  const manifest = document.head.appendChild(document.createElement('link'));
  manifest.rel = 'manifest';
  manifest.href = '/pc/manifest.webmanifest';
  const stop = followWithManifest();
  render(<Heading />, { wrapper: Providers });
  await screen.findByRole('heading', { name: 'Messages' });
  await changeInOtherTab(() => localStorage.setItem(SESSION_KEYS.locale, 'zh-CN'), SESSION_KEYS.locale);
  await screen.findByRole('heading', { name: '消息' });
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(new URL(manifest.href).pathname).toBe('/pc/manifest.zh-CN.webmanifest');
  await changeInOtherTab(() => localStorage.clear(), null);
  await screen.findByRole('heading', { name: 'Messages' });
  expect(new URL(manifest.href).pathname).toBe('/pc/manifest.webmanifest');
  stop();
  manifest.remove();
});

it('WEB-033 also switches when it was chosen while this tab was loading its words', async () => {
  await loadAllWords();
  localStorage.setItem(SESSION_KEYS.locale, 'zh-CN');
  render(<Heading />, { wrapper: Providers });
  expect(await screen.findByRole('heading', { name: '消息' })).toBeDefined();
  localStorage.clear();
  await act(() => loadAllWords());
});

it('WEB-1080 a screen that starts to load before the first words waits for the words of the remembered language', async () => {
  vi.resetModules();
  localStorage.setItem(SESSION_KEYS.locale, 'ja-JP');
  const started = await import('./words.ts');
  await started.withWords(Promise.resolve());
  await started.loadFirstWords();
  expect(started.sentenceOf('user', 'forgetTitle')).toBe('パスワードの再設定');
});

it('WEB-1104 the end of a load of further words is no change of the language, so that answers are not fetched again', async () => {
  vi.resetModules();
  const started = await import('./words.ts');
  await started.loadFirstWords();
  let changes = 0;
  const stop = started.onLocale(() => (changes += 1));
  await started.withWords(Promise.resolve());
  expect(started.sentenceOf('user', 'forgetTitle')).toBe('Reset your password');
  expect(changes).toBe(0);
  await started.setLocale('ko-KR');
  expect(changes).toBe(1);
  await started.setLocale('ko-KR');
  expect(changes).toBe(1);
  stop();
});
