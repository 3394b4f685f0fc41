import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { readStored, store } from '../storage.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

const MODE_KEY = 'Server-Mode';
/**
 * The server's mode (demo or live) last stored on this device. It is used until the server answers, so that
 * the layout does not shift.
 */
let lastMode = readStored(MODE_KEY);

/** The server's mode and settings; the response also updates the estimate of the server's clock. */
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
 * True when the exchange runs with play money. Until the server answers, the value last stored on this device
 * is used; false on the first visit.
 */
export function useIsDemo(): boolean {
  return (useServerInfo().data?.mode ?? lastMode) === 'demo';
}

/**
 * True when the result of `useIsDemo` is final: the server's mode was stored on this device, or the server
 * has answered or failed.
 */
export function useIsModeKnown(): boolean {
  const { data, error } = useServerInfo();
  return data !== undefined || error !== null || lastMode !== null;
}

/** True when the server does not send mail but shows it on a page; false until known. */
export function useMailIsShown(): boolean {
  return useServerInfo().data?.showsMail === true;
}

/** A public setting by name, for example `customer_service_email`; empty when it is not set. */
export function useParameter(name: string) {
  return useRead({
    queryKey: ['server', 'parameter', name],
    queryFn: async () => (await call(parameter, { paramName: name })).valueName,
    staleTime: 300_000,
  });
}
