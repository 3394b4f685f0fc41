import { afterEach, expect, it, vi } from 'vitest';
import { startPage } from './start-page.ts';

const loadFirstWords = vi.hoisted(() => vi.fn<() => Promise<void>>());
vi.mock('../i18n/words.ts', () => ({
  loadFirstWords,
  rememberedLocale: () => 'ko-KR',
}));

afterEach(() => {
  document.body.innerHTML = '';
  vi.restoreAllMocks();
});

it('WEB-1022 a page whose first words do not come says so in the remembered language and offers to reload', async () => {
  document.body.innerHTML = '<div id="root"></div><div id="first-shape"></div>';
  const root = document.getElementById('root')!;
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const render = vi.fn<() => void>();
  loadFirstWords.mockRejectedValueOnce(new Error('gone'));
  await startPage(root, render);
  expect(render).not.toHaveBeenCalled();
  expect(document.getElementById('first-shape')).toBeNull();
  expect(root.querySelector('[role=alert]')?.textContent).toContain('페이지를 불러오지 못했습니다');
  root.querySelector('button')?.click();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(2);
});

it('WEB-1022 a page renders once its first words are there', async () => {
  const render = vi.fn<() => void>();
  loadFirstWords.mockResolvedValueOnce();
  await startPage(document.createElement('div'), render);
  expect(render).toHaveBeenCalledOnce();
});
