import '@exchange/web-kit/ui/overlay.tsx';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setStage } from '../../testing/stage.tsx';
import RegisterScreen from '../login/register-screen.tsx';
import { Footer } from '../shell/footer.tsx';

setStage();

it('DESK-005 a visitor reads the privacy policy from the sign-up form, and what they typed stays', async () => {
  const user = draw(<RegisterScreen />, '/login/register');
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  await user.type(email, 'a@b.example');
  await user.click(screen.getByRole('link', { name: 'privacy policy' }));
  const dialog = await screen.findByRole('dialog', { name: 'Privacy policy' });
  expect(dialog.textContent).toContain('We do not use tracking cookies.');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { hidden: true }).checked).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(email.value).toBe('a@b.example');
});

it('DESK-005 the foot of the page shows a visitor what only members may open as a page', async () => {
  const user = draw(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Privacy policy' }));
  expect(await screen.findByRole('dialog', { name: 'Privacy policy' })).toBeTruthy();
});
