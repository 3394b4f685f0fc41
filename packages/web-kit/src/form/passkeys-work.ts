import { serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';

/** The domain to which passkeys of this site belong; undefined until the server has answered. */
export function usePasskeyDomain(): string | undefined {
  return useRead({
    queryKey: ['server', 'passkeyDomain'],
    queryFn: async ({ signal }) => (await call(serverInfo, {}, { signal })).passkeyDomain,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Whether passkeys of a domain work on a host: on the domain itself and below it. */
export function isPasskeyHost(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether this browser can use passkeys on this page; false until the server has named their domain. */
export function usePasskeysWork(): boolean {
  const domain = usePasskeyDomain();
  if (domain === undefined || !('PublicKeyCredential' in globalThis)) return false;
  return isPasskeyHost(domain, location.hostname);
}
