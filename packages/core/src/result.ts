/** Result of a domain function that can refuse: either a value or a refusal. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: E };

export function accepted<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refused<E>(refusal: E): { readonly ok: false; readonly refusal: E } {
  return { ok: false, refusal };
}
