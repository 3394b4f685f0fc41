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
