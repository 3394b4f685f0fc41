import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

/** The mode the server runs in; asking also sets the clock. */
export function useServerInfo() {
  return useRead({
    queryKey: ['server', 'info'],
    queryFn: async () => {
      const sentAtMs = deviceNow();
      const info = await call(serverInfo);
      learnServerTime(info.time, sentAtMs, deviceNow());
      return info;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether coins here are play money; false until known. */
export function useIsDemo(): boolean {
  return useServerInfo().data?.mode === 'demo';
}

/** Whether mail can be read on a page of this server, which does not send it; false until known. */
export function useShowsMail(): boolean {
  return useServerInfo().data?.showsMail === true;
}

/** A public setting by name, e.g. `customer_service_email`; empty where there is none. */
export function useParameter(name: string) {
  return useRead({
    queryKey: ['server', 'parameter', name],
    queryFn: async () => (await call(parameter, { paramName: name })).valueName,
    staleTime: 300_000,
  });
}
