/** IANA name of the device's time zone. */
export const DEVICE_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Options for a choice of a time zone: the chosen one, the device's, UTC, and then all others that the browser knows.
 * `chosen` may be a name that this browser does not list.
 */
export function timeZoneOptions(chosen: string): { readonly value: string; readonly label: string }[] {
  const zones = new Set([chosen, DEVICE_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
