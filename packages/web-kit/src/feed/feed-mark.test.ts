import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { feed, startFeed } from './feed.ts';

afterEach(() => vi.restoreAllMocks());

it('WEB-220 the document has the state of its data as an attribute, with which stale prices lose their colour', () => {
  vi.spyOn(feed, 'start').mockImplementation(() => undefined);
  const stopFeed = startFeed();
  expect(document.documentElement.dataset['feed']).toBe('connecting');
  feed['options'].onState('live');
  expect(document.documentElement.dataset['feed']).toBe('live');
  feed['options'].onState('stale');
  expect(document.documentElement.dataset['feed']).toBe('stale');
  stopFeed();
  const tokens = readFileSync('packages/web-kit/src/theme/tokens.css', 'utf8');
  expect(tokens).toMatch(/:root\[data-feed='stale'\] \[data-live\] \{[^}]*--up: var\(--text-3\);/);
});
