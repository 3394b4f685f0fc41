import type { UserId } from '@exchange/core/ids.ts';
import type { DataOf, Endpoint, FieldsOf } from '@exchange/wire/endpoint.ts';
import type { Locale } from '@exchange/wire/locale.ts';

/** Who is calling, as the edge has established it: never from the body. */
export interface Caller {
  readonly session: Session | undefined;
  readonly locale: Locale;
  /** The socket's address, or the one a configured proxy reports. */
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
  /** The idempotency key of the call (`clientId` or `Idempotency-Key`), where it carries one. */
  readonly key: string | undefined;
}

export interface Session {
  readonly id: string;
  readonly userId: UserId;
}

export type SignedInCaller = Caller & { readonly session: Session };

type CallerOf<E extends Endpoint> = E['access'] extends { who: 'anyone' } ? Caller : SignedInCaller;

/** A described call and the use case that serves it. */
export interface Route {
  readonly endpoint: Endpoint;
  serve(fields: unknown, caller: Caller): unknown;
}

/** Ties a call to its use case; what is returned becomes the answer's `data`. */
export function route<E extends Endpoint>(
  endpoint: E,
  serve: (fields: FieldsOf<E>, caller: CallerOf<E>) => Promise<DataOf<E>> | DataOf<E>,
): Route {
  return { endpoint, serve: serve as Route['serve'] };
}
