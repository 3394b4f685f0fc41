import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { recall, remember } from '../storage.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

const MODE_KEY = 'Server-Mode';
/** The mode that this device has last known, until the server answers: what depends on it has its place from the start. */
let lastMode = recall(MODE_KEY);

/** The mode the server runs in; asking also sets the clock. */
export function useServerInfo() {
  return useRead({
    queryKey: ['server', 'info'],
    queryFn: async () => {
      const sentAtMs = deviceNow();
      const info = await call(serverInfo);
      learnServerTime(info.time, sentAtMs, deviceNow());
      if (info.mode !== lastMode) remember(MODE_KEY, (lastMode = info.mode));
      return info;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether coins here are play money, as the device last knew it until the server answers; false on a first visit until then. */
export function useIsDemo(): boolean {
  return (useServerInfo().data?.mode ?? lastMode) === 'demo';
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
