import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { close, markOf, useClosed } from './closed.ts';

const BANNER = { code: 'earn', version: 1 };

function Shown({ version }: { readonly version: number }) {
  const closed = useClosed();
  return closed.has(markOf({ ...BANNER, version })) ? null : <p>shown</p>;
}

it('OPS-042 a closed banner stays closed on this device, and its next version is shown', () => {
  const { unmount } = render(<Shown version={1} />);
  screen.getByText('shown');
  act(() => close(BANNER));
  expect(screen.queryByText('shown')).toBeNull();
  unmount();
  const again = render(<Shown version={1} />);
  expect(screen.queryByText('shown')).toBeNull();
  again.rerender(<Shown version={2} />);
  screen.getByText('shown');
});
