import { act, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { expect, it } from 'vitest';
import { TOAST_MS } from './toast-stack.tsx';
import { toast, Toaster } from './toast.tsx';

it('SPEC-002 notices stand at the top centre for two seconds, as success, warning or error', async () => {
  render(
    <MantineProvider>
      <Toaster />
    </MantineProvider>,
  );
  expect(TOAST_MS).toBe(2_000);
  act(() => {
    toast('success', 'Order placed');
    toast('warning', 'No answer yet');
    toast('error', 'Not enough USDT');
  });
  const done = await screen.findByText('Order placed');
  expect(done.closest('[role="status"]')).not.toBeNull();
  for (const text of ['No answer yet', 'Not enough USDT'])
    expect((await screen.findByText(text)).closest('[role="alert"]')).not.toBeNull();
  const stack = done.closest('[data-position]');
  expect(stack?.getAttribute('data-position')).toBe('top-center');
});
