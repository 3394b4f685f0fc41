import { useServerInfo } from '../server/server-info.ts';

/** Whether passkeys of a domain work on a host: on the domain itself and below it. */
export function isPasskeyHost(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether this browser can use passkeys on this page; false until the server has named their domain. */
export function usePasskeysWork(): boolean {
  const domain = useServerInfo().data?.passkeyDomain;
  if (domain === undefined || !('PublicKeyCredential' in globalThis)) return false;
  return isPasskeyHost(domain, location.hostname);
}
