import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { useServerInfo } from '@exchange/web-kit/server/server-info.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { serverInfo } from '@exchange/wire/parameter.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import LoginScreen from './login-screen.tsx';
import RegisterScreen from './register-screen.tsx';

const MAIL_LINK = { name: 'Open the demo mailbox' };

let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});
afterAll(() => server.stop());

/** Renders the text `known` once the server's response about its mode has loaded. */
function Known() {
  return useServerInfo().data === undefined ? null : <output>known</output>;
}

/** Renders a screen against a mock server in demo mode, and waits until the response about the mode has loaded. */
async function draw(form: React.ReactNode, showsMail: boolean) {
  const data = { mode: 'demo', showsMail, time: Date.now(), version: '1' };
  server.serve({ [serverInfo.path]: () => ({ code: 1, data }) });
  render(
    <Providers>
      <MemoryRouter>
        {form}
        <Known />
      </MemoryRouter>
    </Providers>,
  );
  await screen.findByText('known');
}

describe.each([
  ['login', LoginScreen],
  ['registration', RegisterScreen],
])('the demo on the %s screen', (_, Form) => {
  it('WEB-265 links to the mail when the server displays it', async () => {
    await draw(<Form />, true);
    expect(screen.getByRole('link', MAIL_LINK).getAttribute('href')).toBe('/dev/mail');
  });

  it('WEB-265 shows no link to sent mail', async () => {
    await draw(<Form />, false);
    expect(screen.queryByRole('link', MAIL_LINK)).toBeNull();
  });
});
