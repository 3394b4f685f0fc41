import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { chosenSite } from '@exchange/web-kit/shell/site.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DesktopOffer } from './desktop-offer.tsx';

beforeAll(() => loadAllWords());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});

it('WEB-307 links a desktop browser to the same screen of the desktop site, with its invitation code', async () => {
  const assign = vi.spyOn(location, 'assign').mockReturnValue();
  render(
    <MemoryRouter initialEntries={['/login/register?code=9747QKAN']}>
      <DesktopOffer />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open desktop version' }));
  expect(assign).toHaveBeenCalledWith('/pc/login/register?code=9747QKAN');
  expect(chosenSite()).toBe('desktop');
});

it('WEB-307 is hidden once the user has chosen to stay', async () => {
  const { unmount } = render(<DesktopOffer />, { wrapper: MemoryRouter });
  await userEvent.click(screen.getByRole('button', { name: 'Stay here' }));
  unmount();
  const { container } = render(<DesktopOffer />, { wrapper: MemoryRouter });
  expect(container.textContent).toBe('');
});
