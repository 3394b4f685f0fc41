import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { confirmWithPasskey, type newPasskey, type passkeyOptions } from '@exchange/wire/user.ts';
import { boundText } from '../api/action-code.ts';
import { call } from '../api/client.ts';
import { PasskeyFailed } from './passkey-failed.ts';

type CreationOptions = DataOf<typeof newPasskey>;
type RequestOptions = DataOf<typeof passkeyOptions>;

/** The passkey library, loaded when the page first uses a passkey. */
const library = () => import('@simplewebauthn/browser');

/**
 * Number of passkey offers in autofill that have not ended. The library ends an open offer when the page makes another
 * passkey request.
 */
let openOffers = 0;

/** A request that a passkey confirms: its endpoint, and the fields to which the confirmation is bound. */
export interface ConfirmedCall {
  readonly endpoint: Endpoint;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Creates a passkey on this device or on another one; resolves to the text that the server verifies. Rejects with
 * `PasskeyFailed` if none was created.
 */
export async function createPasskey(options: CreationOptions): Promise<string> {
  const { startRegistration } = await library();
  return ended(startRegistration({ optionsJSON: options }));
}

/**
 * Signs a challenge of the server with a passkey; resolves to the text that the server verifies. Rejects with
 * `PasskeyFailed` if no passkey was used.
 */
export async function answerWithPasskey(options: RequestOptions): Promise<string> {
  const { startAuthentication } = await library();
  return ended(startAuthentication({ optionsJSON: options }));
}

/**
 * Lets the user confirm a request with a passkey; resolves to the text to send in the request field `passkey`. Rejects
 * with the errors of `call` and with `PasskeyFailed`.
 */
export async function confirmByPasskey({ endpoint, fields = {} }: ConfirmedCall): Promise<string> {
  const about = boundText(endpoint, fields);
  return answerWithPasskey(await call(confirmWithPasskey, { act: endpoint.path, about }));
}

/**
 * Offers passkeys in the autofill of the email field until the user selects one; then resolves to the text that the
 * server verifies. Resolves to undefined when the browser cannot offer passkeys, or when the offer ends without a
 * selected passkey, for example through another passkey request or `stopAutofill`.
 */
export async function answerByAutofill(options: RequestOptions): Promise<string | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  openOffers += 1;
  try {
    const answer = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
    return JSON.stringify(answer);
  } catch {
    return undefined; // The offer in autofill ended before the user selected a passkey.
  } finally {
    openOffers -= 1;
  }
}

/** Ends the offer of passkeys in the email field's autofill; another passkey request in progress is not aborted. */
export async function stopAutofill(): Promise<void> {
  const { WebAuthnAbortService } = await library();
  if (openOffers > 0) WebAuthnAbortService.cancelCeremony();
}

async function ended(ceremony: Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await ceremony);
  } catch (cause) {
    // Error by which Web Authentication reports that the device already has a passkey of the account.
    const isKnown = cause instanceof Error && cause.name === 'InvalidStateError';
    throw new PasskeyFailed(isKnown ? 'l.passkey_known' : 'l.passkey_cancelled', { cause });
  }
}
