import '@exchange/web-kit/ui/overlay.tsx';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refetchAgreements } from '@exchange/web-kit/form/agreements.ts';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import RegisterScreen from '../login/register-screen.tsx';
import { Footer } from '../shell/footer.tsx';

const { received, answers } = setUpFixtures();

/**
 * Mocks a server that returns the user agreement and the privacy policy in the given versions, and answers every other
 * request with success.
 */
function inForce(versions: { readonly user: string; readonly privacy: string }) {
  answers(({ path, fields }) => {
    const name = fields.get('name') as 'user' | 'privacy';
    if (path.includes('/getParamListByKeyName')) return { valueName: '' };
    const text = `First of ${name}.\n\n# 1. Cookies\n\nWe do not use tracking cookies.\n\n# 2. Contact\n\nWrite to us.`;
    return path.endsWith('/getAgreement') ? { text, version: versions[name] } : {};
  });
}

const consent = () => screen.getByRole<HTMLInputElement>('checkbox', { hidden: true });

it('DESK-005 HELP-022 a visitor reads the privacy policy from the registration form without losing input', async () => {
  inForce({ user: '1', privacy: '7' });
  const user = draw(<RegisterScreen />, '/login/register');
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  await user.type(email, 'a@b.example');
  await user.click(screen.getByRole('link', { name: 'privacy policy' }));
  const dialog = await screen.findByRole('dialog', { name: 'Privacy policy' });
  await within(dialog).findByText('We do not use tracking cookies.');
  expect(dialog.textContent).toContain('Version 7');
  expect(consent().checked).toBe(false);
  const before = history.length;
  const [contents] = within(dialog).getAllByRole('navigation', { name: 'Contents' });
  await user.click(within(contents!).getByRole('link', { name: '2. Contact' }));
  expect(document.activeElement?.textContent).toBe('2. Contact');
  expect(history.length).toBe(before);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(email.value).toBe('a@b.example');
});

it('DESK-005 the footer opens members-only pages in an overlay for visitors', async () => {
  const user = draw(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Privacy policy' }));
  expect(await screen.findByRole('dialog', { name: 'Privacy policy' })).toBeTruthy();
});

it('WEB-011 a changed agreement clears the checkbox, explains why, and is sent in its new version', async () => {
  inForce({ user: '1', privacy: '1' });
  const user = draw(<RegisterScreen />, '/login/register');
  await waitFor(() => expect(consent().disabled).toBe(false));
  await user.type(screen.getByLabelText('Email'), 'a@b.example');
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.type(screen.getByLabelText('Password'), 'Lilac7garden');
  await user.type(screen.getByLabelText('Confirm password'), 'Lilac7garden');
  await user.click(consent());
  expect(consent().checked).toBe(true);
  inForce({ user: '2', privacy: '1' });
  refetchAgreements();
  await waitFor(() => expect(consent().checked).toBe(false));
  const registrations = () => received.filter(({ path }) => path.endsWith('/user/register'));
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText(/current version of the user agreement: version 2/)).toBeTruthy();
  expect(registrations()).toEqual([]);
  await user.click(consent());
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(registrations()).toHaveLength(1));
  const { fields } = registrations()[0]!;
  expect([fields.get('agree'), fields.get('termsVersion'), fields.get('privacyVersion')]).toEqual([
    '1',
    '2',
    '1',
  ]);
});

it('WEB-011 disables the checkbox when the agreements fail to load, and retries', async () => {
  answers(({ path }) => (path.endsWith('/getAgreement') ? undefined : {}));
  const user = draw(<RegisterScreen />, '/login/register');
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('checkbox', { hidden: true })).toBeNull();
  inForce({ user: '1', privacy: '1' });
  await user.click(again);
  await waitFor(() => expect(consent().disabled).toBe(false));
});
