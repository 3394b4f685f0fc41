import { DAY_MS } from '@exchange/core/time.ts';
import { type PageServer, startPageServer } from '@exchange/web-kit/api/testing/page-server.ts';
import { formatTime } from '@exchange/web-kit/format/format.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { claimFaucet } from '@exchange/wire/account.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClaimButton, Total } from './assets-screen.tsx';

const NEXT_MS = Date.now() + DAY_MS;
const CLAIMED = { code: 1, data: { credited: [{ currency: 'USDT', amount: '100' }], nextTime: NEXT_MS } };
const REFUSED = {
  code: -1,
  errStr: 'You can get demo funds again in 24 h.',
  errKey: 'l.faucet_wait',
  data: { hours: '24', nextTime: String(NEXT_MS) },
};

let server: PageServer;
let answer: object;

beforeAll(async () => {
  await loadAllWords();
  server = await startPageServer(({ url }, response) => {
    response.writeHead(url.endsWith(claimFaucet.path) ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});
afterAll(() => server.stop());
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

function open(userId: string) {
  cleanup();
  startSession({ userId, token: 't', email: 'a@b.example' });
  render(
    <Providers>
      <ClaimButton />
    </Providers>,
  );
}

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Get demo funds' });
const NEXT = `Available again ${formatTime(NEXT_MS, 'en-US', 'minute')}`;

describe('the button that claims play money', () => {
  it('MOB-113 shows when the next claim is possible, also after returning to the screen', async () => {
    answer = CLAIMED;
    open('u');
    expect(screen.queryByText(NEXT)).toBeNull();
    await userEvent.click(button());
    expect(await screen.findByText(NEXT)).toBeTruthy();
    expect(button().disabled).toBe(true);
    open('u');
    expect(screen.getByText(NEXT)).toBeTruthy();
    open('somebody else');
    expect(button().disabled).toBe(false);
  });

  it('MOB-113 learns from a refusal about a claim on another device', async () => {
    answer = REFUSED;
    open('u');
    await userEvent.click(button());
    expect(await screen.findByText(NEXT)).toBeTruthy();
    expect(button().disabled).toBe(true);
  });
});

it('MOB-152 shows a failure of the total and retries instead of loading forever', async () => {
  let requestCount = 0;
  const refetch = () => {
    requestCount += 1;
    return Promise.resolve();
  };
  render(<Total overview={{ data: undefined, isPending: false, error: new Error('no'), refetch }} />);
  expect(screen.getByRole('alert')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(requestCount).toBe(1);
});
