import { expect, it, vi } from 'vitest';
import { answerByAutofill, answerWithPasskey, stopAutofill } from './passkey-ceremony.ts';

const OPTIONS: Parameters<typeof answerWithPasskey>[0] = {
  challenge: 'a challenge',
  timeout: 60_000,
  rpId: 'localhost',
  allowCredentials: [],
  userVerification: 'required',
};

/** Resolves after pending microtasks have run, so that a passkey request made before has reached the mocked library. */
const started = () => new Promise((resolve) => setTimeout(resolve, 0));

const browser = vi.hoisted(() => {
  /**
   * Aborts the passkey request in progress; the mock's `cancelCeremony` and a second request call it, as in the real
   * library.
   */
  let abort: (() => void) | undefined;
  return {
    cancelCeremony: () => abort?.(),
    startAuthentication: () =>
      new Promise<object>((_resolve, reject) => {
        abort?.();
        abort = () => reject(new Error('aborted'));
      }),
  };
});
vi.mock('@simplewebauthn/browser', () => ({
  browserSupportsWebAuthnAutofill: () => Promise.resolve(true),
  startAuthentication: browser.startAuthentication,
  WebAuthnAbortService: { cancelCeremony: browser.cancelCeremony },
}));

it('PKY-015 the offer in autofill is ended and renewed without ending a passkey dialog that was opened since', async () => {
  const first = answerByAutofill(OPTIONS);
  await started();
  await stopAutofill();
  await expect(first).resolves.toBeUndefined();

  const second = answerByAutofill(OPTIONS);
  await started();
  let isDialogOpen = true;
  const dialog = answerWithPasskey(OPTIONS).catch(() => {
    isDialogOpen = false;
  });
  // The passkey request of the dialog has ended the second offer in autofill.
  await expect(second).resolves.toBeUndefined();
  await stopAutofill();
  expect(isDialogOpen).toBe(true);
  browser.cancelCeremony();
  await dialog;
});
