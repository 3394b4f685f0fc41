import { DAY_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

export const PASSKEY_RULES = {
  /** Milliseconds within which a passkey challenge has to be answered. */
  challengeMs: 5 * MINUTE_MS,
  /** Least milliseconds between two warnings about the signature counter of the same passkey. */
  warnedEveryMs: DAY_MS,
} as const;

/**
 * Where a passkey is stored: `synced` in a password manager, `device` on a single phone or computer, `key` on a
 * security key.
 */
export type PasskeyKind = 'synced' | 'device' | 'key';

/** The kind of a passkey, determined from whether it can be synced and from its transports. */
export function passkeyKind(isSyncable: boolean, transports: readonly string[]): PasskeyKind {
  if (isSyncable) return 'synced';
  return transports.includes('internal') || transports.includes('hybrid') ? 'device' : 'key';
}

/**
 * Result of comparing a passkey's signature counter with the stored one. `accepted`: the counter is higher, or the
 * passkey has no counter. `suspicious`: the passkey no longer has a counter; a provider may have started to sync it, so
 * it is accepted with a warning. `copied`: the counter is not higher, which happens when two devices have the same key;
 * the passkey is refused.
 */
export type CounterVerdict = 'accepted' | 'suspicious' | 'copied';

/**
 * Compares a passkey's received signature counter with the stored one (Web Authentication, level 3, section
 * 6.1.1): `accepted` if it is higher or both are 0, `suspicious` if only the received one is 0, otherwise
 * `copied`.
 */
export function counterVerdict(stored: number, received: number): CounterVerdict {
  if (received > stored || (received === 0 && stored === 0)) return 'accepted';
  return received === 0 ? 'suspicious' : 'copied';
}

/**
 * True if at least 24 hours have passed since the owner was last warned about a passkey's counter, so that a warning
 * may be sent; otherwise every use of a copied passkey would send a mail.
 */
export function isWarningDue(warnedAt: Instant, now: Instant): boolean {
  return now - warnedAt >= PASSKEY_RULES.warnedEveryMs;
}

/**
 * The number of an account's passkeys, and whether it has an authenticator: its means for logins and for
 * confirming actions other than the password and the mailbox.
 */
export interface Factors {
  readonly passkeys: number;
  readonly hasAuthenticator: boolean;
}

/** True if, after the removal of one of these passkeys, the account has only a password and mailed codes. */
export function leavesOnlyMail({ passkeys, hasAuthenticator }: Factors): boolean {
  return passkeys <= 1 && !hasAuthenticator;
}

/** The fields of `AuthenticationResponseJSON` (Web Authentication, level 3) that the server needs. */
export interface Assertion {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
  readonly clientExtensionResults: Record<string, never>;
}

/** The fields of `RegistrationResponseJSON` (Web Authentication, level 3) that the server needs. */
export interface Registration {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly Transport[];
  };
  readonly clientExtensionResults: Record<string, never>;
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Greatest length of a passkey's credential id that the standard permits, in base64url characters. */
const CREDENTIAL_ID_LENGTH = 1_364;

/** Parses a device's answer to a passkey challenge (JSON); undefined if it is malformed. */
export function parseAssertion(text: string): Assertion | undefined {
  const sent = parseCredential(text);
  if (sent === undefined) return undefined;
  const { id, response } = sent;
  const authenticatorData = base64urlOf(response['authenticatorData']);
  const signature = base64urlOf(response['signature']);
  const clientDataJSON = base64urlOf(response['clientDataJSON']);
  if (authenticatorData === undefined || signature === undefined || clientDataJSON === undefined)
    return undefined;
  const userHandle = base64urlOf(response['userHandle']);
  const signed = { clientDataJSON, authenticatorData, signature };
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: userHandle === undefined ? signed : { ...signed, userHandle },
    clientExtensionResults: {},
  };
}

/** Parses a device's answer to the creation of a passkey (JSON); undefined if it is malformed. */
export function parseRegistration(text: string): Registration | undefined {
  const sent = parseCredential(text);
  if (sent === undefined) return undefined;
  const { id, response } = sent;
  const attestationObject = base64urlOf(response['attestationObject']);
  const clientDataJSON = base64urlOf(response['clientDataJSON']);
  if (attestationObject === undefined || clientDataJSON === undefined) return undefined;
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports: transportsOf(response['transports']) },
    clientExtensionResults: {},
  };
}

/** What the browser reports about a passkey's answer; the device's signature covers this report. */
export interface ClientData {
  /**
   * The passkey challenge in the client data of a device's answer, in base64url; undefined if the client data
   * contain none.
   */
  readonly challenge: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Parses the browser's report about a passkey's answer, which is JSON in base64url. Fields that are absent or
 * malformed are undefined.
 */
export function parseClientData(clientDataJSON: string): ClientData {
  const { challenge, origin } = parseObject(Buffer.from(clientDataJSON, 'base64url').toString()) ?? {};
  return { challenge: base64urlOf(challenge), origin: typeof origin === 'string' ? origin : undefined };
}

const LOCAL_ORIGIN = /^http:\/\/localhost(?::\d{1,5})?$/;

/**
 * The web origins from which a passkey's answer is accepted. With `anyLocalPort`, `http://localhost` with the port in
 * the answer is accepted too.
 */
export function acceptedOrigins(
  { origins, anyLocalPort }: { readonly origins: readonly string[]; readonly anyLocalPort: boolean },
  { origin }: ClientData,
): string[] {
  const isLocal = anyLocalPort && origin !== undefined && LOCAL_ORIGIN.test(origin);
  return isLocal ? [...origins, origin] : [...origins];
}

function parseCredential(text: string): { id: string; response: Record<string, unknown> } | undefined {
  const sent = parseObject(text);
  const id = base64urlOf(sent?.['id']);
  const response = sent?.['response'];
  if (sent?.['type'] !== 'public-key' || id === undefined || id.length > CREDENTIAL_ID_LENGTH)
    return undefined;
  return isObject(response) ? { id, response } : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function base64urlOf(value: unknown): string | undefined {
  return typeof value === 'string' && BASE64URL.test(value) ? value : undefined;
}

function transportsOf(value: unknown): Transport[] {
  if (!Array.isArray(value)) return [];
  return TRANSPORTS.filter((transport) => value.includes(transport));
}
