/** Time-ordered UUIDs, with a brand for each entity so that ids of different entities are not assignable. */
type Branded<Noun extends string> = string & { readonly __noun: Noun };

export type UserId = Branded<'user'>;
export type OrderId = Branded<'order'>;
export type TradeId = Branded<'trade'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether the text is a lower-case UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Greatest time of a version-7 UUID, which has 48 bits for it. */
const ID_TIME_MAX = 2 ** 48 - 1;

/**
 * The smallest version-7 UUID of an instant in milliseconds. Ids made earlier are smaller; ids made at the
 * instant or later are not. It turns a time range into a range of ids for an index. Instants outside of what
 * an id can hold are moved to the nearest that it can.
 */
export function firstIdAt(atMs: number): string {
  const time = Math.min(Math.max(atMs, 0), ID_TIME_MAX).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The instant of a version-7 UUID, in milliseconds. */
export function instantOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
