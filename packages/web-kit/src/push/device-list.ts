import { queryClient } from '../api/query-client.ts';
import { userKeys } from '../session/user-keys.ts';

/** Query keys of the list of the user's devices that receive pushes. */
export const DEVICES = userKeys('push');

/** Marks the list of devices as outdated; if a screen shows the list, it is fetched again. */
export function refetchDevices(): void {
  void queryClient.invalidateQueries({ queryKey: DEVICES.forCurrentUser() });
}
