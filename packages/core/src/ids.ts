/** Time-ordered UUIDs, branded per noun so that one kind of id cannot be handed in for another. */
type Branded<Noun extends string> = string & { readonly __noun: Noun };

export type UserId = Branded<'user'>;
export type OrderId = Branded<'order'>;
export type TradeId = Branded<'trade'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is a lower-case UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * The smallest time-ordered UUID (version 7) of an instant in milliseconds: every id made before it is less,
 * every id made at it or later is not. Lets an index on ids answer for a period.
 */
export function firstIdAt(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
