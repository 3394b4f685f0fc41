import { serverInfo } from '@exchange/wire/parameter.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import LoginScreen from './login-screen.tsx';
import RegisterScreen from './register-screen.tsx';

const fixtures = setUpFixtures();
const MAIL_LINK = { name: 'Open the demo mailbox' };

/**
 * Mocks a server in demo mode; `showsMail` states whether it shows mails on a page instead of sending them.
 */
function aDemo({ showsMail }: { showsMail: boolean }) {
  const info = { mode: 'demo', showsMail, time: Date.now(), version: '1' };
  fixtures.answers(({ path }) => (path.endsWith(serverInfo.path) ? info : {}));
}

describe.each([
  ['login', LoginScreen],
  ['registration', RegisterScreen],
])('the demo on the %s screen', (_, Form) => {
  it('WEB-265 links to the mail when the server displays it', async () => {
    aDemo({ showsMail: true });
    draw(<Form />);
    expect((await screen.findByRole('link', MAIL_LINK)).getAttribute('href')).toBe('/dev/mail');
  });

  it('WEB-265 offers the login without a link to sent mail', async () => {
    aDemo({ showsMail: false });
    draw(<Form />);
    await screen.findByRole('button', { name: 'Use the demo account' });
    expect(screen.queryByRole('link', MAIL_LINK)).toBeNull();
  });
});
