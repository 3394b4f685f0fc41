import { act, cleanup, render, screen } from '@testing-library/react';
import { Wallet } from 'lucide-react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { setLocale, loadAllWords } from '../i18n/words.ts';
import { NotFound } from './not-found.tsx';
import { Providers } from './providers.tsx';

beforeAll(() => loadAllWords());
afterEach(async () => {
  cleanup();
  await act(() => setLocale('en-US'));
});

it.each([
  ['en-US', 'Page not found', 'Go to the home page', 'You may be looking for'],
  ['zh-CN', '页面不存在', '返回首页', '您可能在找'],
  ['ko-KR', '페이지를 찾을 수 없습니다', '홈으로 이동', '자주 찾는 페이지'],
  ['ja-JP', 'ページが見つかりません', 'ホームへ戻る', 'お探しのページはこちらですか'],
] as const)(
  'WEB-320 an unknown URL is explained in %s with links, and is not displayed',
  async (locale, title, home, links) => {
    await act(() => setLocale(locale));
    render(
      <Providers>
        <MemoryRouter initialEntries={['/call-this-number']}>
          <NotFound home="/main" ways={[{ to: '/assets', name: 'Assets', icon: Wallet }]} />
        </MemoryRouter>
      </Providers>,
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(screen.getByRole('link', { name: home }).getAttribute('href')).toBe('/main');
    const list = screen.getByRole('navigation', { name: links });
    expect(list.querySelector('a')?.getAttribute('href')).toBe('/assets');
    expect(document.body.textContent).not.toContain('call-this-number');
  },
);
