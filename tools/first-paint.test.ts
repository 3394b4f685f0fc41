import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { SCHEME_KEY, SURFACES } from '../packages/web-kit/src/theme/surfaces.ts';
import { firstPaint, type ScreenPlaceholders } from './first-paint.ts';
import { manifestOf } from './web-manifests.ts';

const SHAPES: ScreenPlaceholders = [
  ['trade', '^/trade/?$'],
  ['page', ''],
];

/**
 * Returns the document attributes that the first-paint script sets for a stored color scheme, a color scheme of the
 * system and a path. The script runs without the global variables of a page.
 */
function marksOf(stored: string | null | Error, system: 'dark' | 'light', pathname = '/'): object {
  const marks: Record<string, string> = {};
  const page = {
    location: { pathname },
    localStorage: {
      getItem: (key: string) => {
        if (stored instanceof Error) throw stored;
        return key === SCHEME_KEY ? stored : null;
      },
    },
    matchMedia: (query: string) => ({ matches: query === `(prefers-color-scheme: ${system})` }),
    document: {
      documentElement: { setAttribute: (name: string, value: string) => (marks[name] = value) },
      querySelectorAll: () => [{ setAttribute: (_: string, value: string) => (marks['bars'] = value) }],
    },
  };
  const script = runInNewContext(`(${firstPaint.toString()})`, { RegExp }) as typeof firstPaint;
  script(page as unknown as Window, SCHEME_KEY, SURFACES, SHAPES);
  return marks;
}

const marks = (scheme: 'dark' | 'light', shape: string) => ({
  'data-mantine-color-scheme': scheme,
  'data-first-shape': shape,
  bars: SURFACES[scheme],
});

it('WEB-945 the first paint uses the stored scheme, otherwise the system’s, also without storage', () => {
  expect(marksOf(null, 'light')).toEqual(marks('light', 'page'));
  expect(marksOf('auto', 'dark')).toEqual(marks('dark', 'page'));
  expect(marksOf('light', 'dark')).toEqual(marks('light', 'page'));
  expect(marksOf('dark', 'light')).toEqual(marks('dark', 'page'));
  expect(marksOf(new Error('no storage'), 'light')).toEqual(marks('light', 'page'));
});

it('WEB-942 the loading placeholder matches the screen at the address', () => {
  expect(marksOf(null, 'dark', '/trade')).toEqual(marks('dark', 'trade'));
  expect(marksOf(null, 'dark', '/trade/more')).toEqual(marks('dark', 'page'));
});

it('WEB-945 the browser’s bars have the background colour of the page', () => {
  const tokens = readFileSync('packages/web-kit/src/theme/tokens.css', 'utf8');
  const grounds = [...tokens.matchAll(/--surface-0: (#[0-9a-f]{6})/g)].map(([, colour]) => colour);
  expect(grounds.slice(0, 2)).toEqual([SURFACES.dark, SURFACES.light]);
  for (const app of ['desktop', 'mobile']) {
    const page = readFileSync(`apps/${app}/index.html`, 'utf8');
    for (const scheme of ['dark', 'light'] as const)
      expect(page).toContain(
        `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${SURFACES[scheme]}" />`,
      );
  }
});

it('WEB-949 the installed app allows any orientation', () => {
  expect(manifestOf('/', 'en-US').orientation).toBe('any');
});
