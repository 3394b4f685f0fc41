import { cleanup, render } from '@testing-library/react';
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
