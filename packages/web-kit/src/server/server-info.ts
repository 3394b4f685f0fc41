import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { readStored, store } from '../storage.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

const MODE_KEY = 'Server-Mode';
/**
 * The server's mode (demo or live) that this device has stored last. It is used until the server has answered, so that
 * the layout does not shift then.
 */
let lastMode = readStored(MODE_KEY);

/** The server's mode and settings. The estimate of the server's clock is updated from the response. */
export function useServerInfo() {
  return useRead({
    queryKey: ['server', 'info'],
    queryFn: async () => {
      const sentAtMs = deviceNow();
      const info = await call(serverInfo);
      learnServerTime(info.time, sentAtMs, deviceNow());
      if (info.mode !== lastMode) store(MODE_KEY, (lastMode = info.mode));
      return info;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * True when the exchange is a demo with demo funds. Until the server has answered, the mode last stored on this device
 * counts; false on the first visit.
 */
export function useIsDemo(): boolean {
  return (useServerInfo().data?.mode ?? lastMode) === 'demo';
}

/**
 * True when the result of `useIsDemo` can be used for the layout: the device has stored a mode, or the server has
 * answered or failed.
 */
export function useIsModeKnown(): boolean {
  const { data, error } = useServerInfo();
  return data !== undefined || error !== null || lastMode !== null;
}

/** True when the server sends no mail but shows the mails on a page; false until the server has answered. */
export function useMailIsShown(): boolean {
  return useServerInfo().data?.showsMail === true;
}

/**
 * Query of a public setting of the server by name, for example `customer_service_email`; `data` is empty when
 * the setting is not set, and undefined until loaded.
 */
export function useParameter(name: string) {
  return useRead({
    queryKey: ['server', 'parameter', name],
    queryFn: async () => (await call(parameter, { paramName: name })).valueName,
    staleTime: 300_000,
  });
}
