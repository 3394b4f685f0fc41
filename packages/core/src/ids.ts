/**
 * Ids are time-ordered UUIDs. Each entity has its own branded type of id, so that the compiler rejects an id of
 * another entity.
 */
type Branded<Noun extends string> = string & { readonly __noun: Noun };

export type UserId = Branded<'user'>;
export type OrderId = Branded<'order'>;
export type TradeId = Branded<'trade'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether the text is a lower-case UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Maximum time in milliseconds that a version-7 UUID can contain, in its 48 bits for the time. */
const ID_TIME_MAX = 2 ** 48 - 1;

/**
 * Returns the smallest version-7 UUID of an instant, in milliseconds. Ids created before the instant are smaller, all
 * others are not. Queries use it to turn a time range into a range of ids, for which there is an index. An instant that
 * no id can contain is replaced by the nearest one that an id can.
 */
export function firstIdAt(atMs: number): string {
  const time = Math.min(Math.max(atMs, 0), ID_TIME_MAX).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Returns the creation time, in milliseconds, that a version-7 UUID contains. */
export function instantOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
