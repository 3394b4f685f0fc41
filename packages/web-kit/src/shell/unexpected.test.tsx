import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { randomId } from '../random-id.ts';
import { Toaster } from '../ui/toast.tsx';
import { ChunkLoadError } from '../part/load-chunk.ts';
import { followUnexpectedErrors } from './unexpected.ts';

let stop: () => void;
let logged: ReturnType<typeof vi.spyOn>;

beforeEach(async () => {
  await loadAllWords();
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  stop = followUnexpectedErrors();
  render(<Toaster />);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

function rejected(reason: unknown): void {
  const event = Object.assign(new Event('unhandledrejection'), { reason });
  act(() => void window.dispatchEvent(event));
}

it('WEB-908 an unhandled error of an action shows a reference that is logged to the console', () => {
  rejected(new TypeError('crypto.randomUUID is not a function'));
  const reference = /Error reference: (\w{8})/.exec(screen.getByRole('alert').textContent)?.[1];
  expect(reference).toBeDefined();
  expect(String(logged.mock.calls[0]?.[0])).toContain(reference);
});

it('WEB-908 errors shown elsewhere and deliberate aborts are ignored', () => {
  const before = screen.queryAllByRole('alert').length;
  rejected(new ChunkLoadError('error', '/assets/a.js'));
  rejected(new DOMException('left', 'AbortError'));
  expect(screen.queryAllByRole('alert')).toHaveLength(before);
});

it('WEB-909 identifiers are version 4 UUIDs and need no secure context', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = new Set(Array.from({ length: 1_000 }, randomId));
  vi.unstubAllGlobals();
  expect(ids.size).toBe(1_000);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
