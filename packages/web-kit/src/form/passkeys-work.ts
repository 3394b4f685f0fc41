import { serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';

/** The domain for which passkeys of this site are created; undefined until the server has answered. */
export function usePasskeyDomain(): string | undefined {
  return useRead({
    queryKey: ['server', 'passkeyDomain'],
    queryFn: async ({ signal }) => (await call(serverInfo, {}, { signal })).passkeyDomain,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** True if a page on `host` can use passkeys of `domain`: on the domain and on its subdomains. */
export function isPasskeyHost(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * Whether this browser can use passkeys on this page; false until the server has answered with the domain of its
 * passkeys.
 */
export function usePasskeysWork(): boolean {
  const domain = usePasskeyDomain();
  if (domain === undefined || !('PublicKeyCredential' in globalThis)) return false;
  return isPasskeyHost(domain, location.hostname);
}
