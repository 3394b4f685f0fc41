import { queryClient } from '../api/query-client.ts';
import { userKeys } from '../session/user-keys.ts';

/** Key of the query for the user's devices that receive pushes. */
export const DEVICES = userKeys('push');

/** Fetches the list of devices again if a screen shows it. */
export function refetchDevices(): void {
  void queryClient.invalidateQueries({ queryKey: DEVICES.forCurrentUser() });
}
