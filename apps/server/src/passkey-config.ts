import { isIP } from 'node:net';
import * as z from 'zod';
import { mustBe, type Environment } from './setting-fields.ts';

/** Where passkeys are valid: their domain and the origins on which browsers may create and use them. */
export interface PasskeyConfig {
  /**
   * Relying party id of passkeys: the host of PUBLIC_URL, or a domain above it, or `localhost` (see `passkeysOf`). A
   * passkey works only with the id with which it was created.
   */
  readonly domain: string;
  /** Origins from which passkeys may be used. */
  readonly origins: readonly string[];
  /**
   * Whether passkeys can be used at `http://localhost` on any port; true only if PUBLIC_URL is not set or contains an
   * IP address. `origins` is then empty.
   */
  readonly anyLocalPort: boolean;
}

const LOCAL = 'localhost';
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Fields of the passkey settings, by the name of their environment variable. */
export const PASSKEY_SETTINGS = {
  PASSKEY_DOMAIN: z
    .string()
    .toLowerCase()
    .refine(isDomain, mustBe('a domain without scheme, port and path'))
    .optional(),
  PASSKEY_ORIGINS: z
    .string()
    .max(4_096)
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), {
      error: 'must be origins such as https://www.example.com, parted by commas',
    })
    .optional(),
};

interface PasskeySettings {
  readonly PASSKEY_DOMAIN?: string | undefined;
  readonly PASSKEY_ORIGINS?: readonly string[] | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/**
 * Returns the domain of passkeys (PASSKEY_DOMAIN, by default the host of PUBLIC_URL) and the origins that may
 * use them: that of PUBLIC_URL and those of PASSKEY_ORIGINS. The domain is `localhost`, on any port and
 * without other origins, if PUBLIC_URL is not set or contains an IP address, for which browsers create no
 * passkeys.
 */
export function passkeysOf({
  PASSKEY_DOMAIN: domain,
  PASSKEY_ORIGINS: further = [],
  PUBLIC_URL: publicUrl,
}: PasskeySettings): PasskeyConfig {
  const site = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (site === undefined || hasAddress(site)) return { domain: LOCAL, origins: [], anyLocalPort: true };
  return {
    domain: domain ?? site.hostname,
    origins: [...new Set([site.origin, ...further])],
    anyLocalPort: false,
  };
}

/**
 * Returns the problems of the passkey settings, one sentence for each contradiction with PUBLIC_URL; empty if
 * there are none.
 */
export function passkeyProblems(settings: Environment): string[] {
  const { PASSKEY_DOMAIN: domain, PASSKEY_ORIGINS: origins, PUBLIC_URL: publicUrl } = settings;
  if (domain === undefined && origins === undefined) return [];
  if (publicUrl === undefined || !URL.canParse(publicUrl))
    return ['PASSKEY_DOMAIN and PASSKEY_ORIGINS belong to PUBLIC_URL, which is not set'];
  const site = new URL(publicUrl);
  if (hasAddress(site))
    return ['PASSKEY_DOMAIN needs a domain in PUBLIC_URL: browsers make no passkeys for IP addresses'];
  const scope = domain?.toLowerCase() ?? site.hostname;
  // An invalid domain is reported by the schema of PASSKEY_DOMAIN, so it is not reported here a second time.
  if (domain !== undefined && !isDomain(scope)) return [];
  const problems: string[] = [];
  if (!isWithin(site.hostname, scope))
    problems.push(
      `PASSKEY_DOMAIN must be ${site.hostname}, the host of PUBLIC_URL, or a domain above it, not "${scope}"`,
    );
  for (const origin of (origins ?? '').split(',').map((text) => text.trim()))
    if (isOrigin(origin) && !isWithin(new URL(origin).hostname, scope))
      problems.push(`PASSKEY_ORIGINS must be on ${scope} or below it; ${origin} is not`);
  return problems;
}

function isDomain(text: string): boolean {
  return text === LOCAL || DOMAIN.test(text);
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * Returns whether a text is an origin from which browsers use passkeys: any origin with https, or
 * `http://localhost` on any port.
 */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && hostname === LOCAL));
}

function hasAddress({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
