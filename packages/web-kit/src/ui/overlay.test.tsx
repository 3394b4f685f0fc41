import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { afterEach, expect, it } from 'vitest';
import { Theme } from '../theme/theme.tsx';
import { Dialog, Sheet } from './overlay.tsx';

afterEach(cleanup);

it('WEB-306 the page is locked until the last overlay closes, and no style element is written', () => {
  const words = { title: 'Buy', closeLabel: 'Close', onClose: () => undefined, children: 'terms' };
  const overlays = (isDialog: boolean, isSheet: boolean) => (
    <Theme>
      <Dialog {...words} isOpen={isDialog} />
      <Sheet {...words} isOpen={isSheet} />
    </Theme>
  );
  const root = document.documentElement;
  const styles = document.querySelectorAll('style').length;
  const { rerender, unmount } = render(overlays(true, false));
  expect(root.dataset).toHaveProperty('locked');
  expect(root.style.getPropertyValue('--scroll-bar')).toBe(`${window.innerWidth - root.clientWidth}px`);
  rerender(overlays(true, true));
  rerender(overlays(false, true));
  expect(root.dataset).toHaveProperty('locked');
  rerender(overlays(false, false));
  expect(root.dataset).not.toHaveProperty('locked');
  rerender(overlays(true, false));
  expect(document.querySelectorAll('style')).toHaveLength(styles);
  unmount();
  expect(root.dataset).not.toHaveProperty('locked');
});

/**
 * A test dialog that, when it is to be closed, first opens a question; the question is rendered before other listeners
 * get the key event.
 */
function Guarded() {
  const [isAsking, setAsking] = useState(false);
  const ask = (): false => {
    flushSync(() => setAsking(true));
    return false;
  };
  return (
    <Theme>
      <Dialog isOpen title="Form" closeLabel="Close" onClose={ask}>
        <Dialog isOpen={isAsking} title="Leave?" closeLabel="Close" onClose={() => setAsking(false)}>
          Nothing is saved.
        </Dialog>
      </Dialog>
    </Theme>
  );
}

it('WEB-935 Escape closes the topmost overlay only, also when the press opened it', async () => {
  render(<Guarded />);
  await screen.findByRole('dialog', { name: 'Form' });
  // Waits until the transitions of overlays have ended; a question that the same key press had closed would have
  // disappeared by then.
  const transition = () => act(() => new Promise((resolve) => setTimeout(resolve, 250)));
  await transition();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await transition();
  screen.getByRole('dialog', { name: 'Leave?' });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByText('Nothing is saved.')).toBeNull());
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await screen.findByText('Nothing is saved.');
});
