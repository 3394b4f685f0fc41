import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import ChatButton from './chat-button.tsx';

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['bar', 'inBar'],
  ['corner', 'button'],
] as const)(
  'HELP-017 a support button in the %s opens the popup outside of its bar and gets the focus back',
  async (place, look) => {
    const user = userEvent.setup();
    render(
      <Providers>
        <MemoryRouter>
          <nav>
            <ChatButton helpPath="/about/connect" place={place} />
          </nav>
        </MemoryRouter>
      </Providers>,
    );
    const button = screen.getByRole('button', { name: 'Customer service' });
    expect(button.className.split(' ')).toContain(look);
    await user.click(button);
    const popup = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(screen.getByRole('navigation').contains(popup)).toBe(false);
    await user.click(within(popup).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
  },
);

it('HELP-018 each opening shows the URL that was signed for it, not that of an earlier opening', async () => {
  const user = userEvent.setup();
  let openings = 0;
  vi.stubGlobal('fetch', () => {
    openings += 1;
    const data = { url: `https://chat.example/${openings}` };
    return Promise.resolve(Response.json({ code: 1, msg: '', data }));
  });
  render(
    <Providers>
      <MemoryRouter>
        <ChatButton helpPath="/about/connect" place="corner" />
      </MemoryRouter>
    </Providers>,
  );
  const shown: (string | null)[] = [];
  const record = () => {
    const source = document.querySelector('iframe')?.getAttribute('src') ?? null;
    if (shown.at(-1) !== source) shown.push(source);
  };
  const observer = new MutationObserver(record);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  for (const opening of [1, 2]) {
    await user.click(screen.getByRole('button', { name: 'Customer service' }));
    await expect
      .poll(() => document.querySelector('iframe')?.getAttribute('src'))
      .toBe(`https://chat.example/${opening}`);
    await user.click(screen.getByRole('button', { name: 'Close' }));
  }
  observer.disconnect();
  expect(shown.filter((source) => source !== null)).toEqual([
    'https://chat.example/1',
    'https://chat.example/2',
  ]);
});
