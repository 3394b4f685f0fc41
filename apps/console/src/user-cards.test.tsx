import type * as Words from '@exchange/web-kit/i18n/words.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UserCards } from './user-cards.tsx';

/** Functions that let the loading of a language finish, by language. */
const finishLoading = new Map<string, () => void>();

vi.mock('@exchange/web-kit/i18n/words.ts', async (load) => {
  const words = await load<typeof Words>();
  await words.loadAllWords();
  // All languages are loaded before the test, so that a language then finishes loading exactly when the test calls
  // `finish` for it.
  for (const locale of words.LOCALES) await words.setComponentLocale(locale, () => false);
  const setComponentLocale: typeof words.setComponentLocale = async (locale, isWanted) => {
    await new Promise<void>((resolve) => {
      finishLoading.set(locale, resolve);
    });
    return words.setComponentLocale(locale, isWanted);
  };
  return Object.assign({}, words, { setComponentLocale });
});

const SHOWN = { title: 'A notice', content: 'A text.', time: 1_795_558_140_000, version: 1, earlier: [] };
const VIEWS = (['en-US', 'ja-JP', 'ko-KR'] as const).map((locale) => ({
  locale,
  inEnglish: [],
  shown: SHOWN,
}));

/** Lets languages finish loading, in this order and within the same task. */
async function finish(...locales: readonly string[]): Promise<void> {
  for (const locale of locales) finishLoading.get(locale)?.();
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

it('OPS-073 shows the language that was chosen last, also if an earlier one has loaded after it', async () => {
  render(<UserCards kind="announcement" views={VIEWS} fields={{}} />);
  const languages = () =>
    [...document.querySelectorAll('.card-of-users')].map((card) => card.getAttribute('lang'));
  await act(() => finish('en-US'));
  expect(languages()).toEqual(['en-US']);
  fireEvent.click(screen.getByRole('button', { name: '日本語' }));
  fireEvent.click(screen.getByRole('button', { name: '한국어' }));
  await act(() => finish('ko-KR', 'ja-JP'));
  const finishLast = async () => {
    await act(() => finish('ko-KR'));
    return languages();
  };
  await expect.poll(finishLast).toEqual(['ko-KR']);
});
