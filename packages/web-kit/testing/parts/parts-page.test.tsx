import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TARGET_NAMES } from '../../../../tools/bootstrap/fingerprint.mjs';
import { LOCALE_NAMES, LOCALES, loadAllWords } from '../../src/i18n/words.ts';
import { PartsPage } from './parts-page.tsx';

const KIT = join(import.meta.dirname, '../../src');
const ROOT = join(KIT, '../../..');

beforeEach(async () => {
  localStorage.clear();
  await loadAllWords();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/**
 * Returns the names of the components that the files in a folder and its subfolders export. Only names that match the
 * pattern `name` are returned.
 */
function componentsOf(folder: string, name: RegExp): string[] {
  return readdirSync(join(KIT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx$/.test(file) && !file.includes('testing'))
    .flatMap((file) => [
      ...readFileSync(join(KIT, folder, file), 'utf8').matchAll(/^export function ([A-Z]\w+)/gm),
    ])
    .map(([, component = '']) => component)
    .filter((component) => name.test(component));
}

it('WEB-1067 the page of parts shows every part and product card, and each of its states draws something', () => {
  const failure = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  render(<PartsPage />);
  const wanted = new Set([
    ...componentsOf('ui', /./),
    ...['finance', 'fund', 'subscription', 'seconds'].flatMap((product) => componentsOf(product, /Card$/)),
  ]);
  const shown = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));
  expect(shown.filter((name) => name !== null).toSorted()).toEqual([...wanted].toSorted());
  for (const state of screen.getAllByRole('figure')) expect(state.children.length).toBeGreaterThan(1);
  expect(failure).not.toHaveBeenCalled();
});

it('WEB-1068 the page of parts is shown in each language and theme', async () => {
  const user = userEvent.setup();
  render(<PartsPage />);
  const texts = new Set<string>();
  for (const locale of LOCALES) {
    await user.click(screen.getByRole('radio', { name: LOCALE_NAMES[locale] }));
    await waitFor(() => expect(document.documentElement.lang).toBe(locale));
    const parts = screen.getAllByRole('region');
    texts.add(parts.map(({ textContent }) => textContent).join('\n'));
  }
  expect(texts.size).toBe(LOCALES.length);
  for (const scheme of ['light', 'dark']) {
    await user.click(screen.getByRole('radio', { name: new RegExp(scheme, 'i') }));
    await waitFor(() => expect(document.documentElement.dataset['mantineColorScheme']).toBe(scheme));
  }
});

it('WEB-1067 overlays and toasts of the page of parts open', async () => {
  const user = userEvent.setup();
  render(<PartsPage />);
  for (const name of ['Dialog', 'Sheet', 'Over, floating', 'Over, sheet']) {
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  await user.click(screen.getByRole('button', { name: 'warning' }));
  const toasts = within(document.querySelector<HTMLElement>('[data-notices]')!);
  expect((await toasts.findByRole('alert')).textContent).toBe('You are offline.');
});

it('WEB-1069 npm run dev serves the page of parts, and no target of the build contains it', () => {
  expect(readFileSync(join(ROOT, 'tools/dev.mjs'), 'utf8')).toContain('packages/web-kit/testing/parts');
  const roots = TARGET_NAMES.map((target) => join('apps', target));
  for (const root of roots) {
    const config = readFileSync(join(ROOT, root, 'vite.config.ts'), 'utf8');
    expect(config).toContain('App(import.meta.dirname');
    expect(config).not.toContain('testing');
  }
});
