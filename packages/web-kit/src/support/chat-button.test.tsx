import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import ChatButton from './chat-button.tsx';

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('HELP-017 the round button hides while scrolling down, and returns when scrolling up or at the end', () => {
  vi.stubGlobal('innerHeight', 800);
  Object.defineProperty(document.documentElement, 'scrollHeight', { configurable: true, value: 3_000 });
  render(<ChatButton helpPath="/about/connect" />);
  const isAwayAt = (y: number) => {
    vi.stubGlobal('scrollY', y);
    act(() => void window.dispatchEvent(new Event('scroll')));
    return screen.getByRole('button').dataset['away'] !== undefined;
  };
  expect(isAwayAt(4)).toBe(false);
  expect(isAwayAt(300)).toBe(true);
  expect(isAwayAt(290)).toBe(false);
  expect(isAwayAt(600)).toBe(true);
  expect(isAwayAt(2_200)).toBe(false);
});
