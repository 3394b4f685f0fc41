import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import ChatButton from './chat-button.tsx';

beforeAll(loadAllWords);
afterEach(cleanup);

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
