import * as z from 'zod/mini';

/** Maximum number of streams to which a connection can subscribe. */
export const STREAMS_PER_CONNECTION = 1_024;

/** ID of a request on a stream connection, which is repeated in the response. */
export const requestId = z.optional(z.nullable(z.union([z.int(), z.string().check(z.maxLength(36))])));
export type RequestId = string | number | null;

const names = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(STREAMS_PER_CONNECTION));

/**
 * Schema of a request on a stream connection: it subscribes to or unsubscribes from streams, lists the
 * subscriptions, or sets or reads a property.
 */
export const streamRequest = z.discriminatedUnion('method', [
  z.object({ method: z.literal('SUBSCRIBE'), params: names, id: requestId }),
  z.object({ method: z.literal('UNSUBSCRIBE'), params: names, id: requestId }),
  z.object({ method: z.literal('LIST_SUBSCRIPTIONS'), id: requestId }),
  z.object({ method: z.literal('SET_PROPERTY'), params: z.tuple([z.string(), z.unknown()]), id: requestId }),
  z.object({ method: z.literal('GET_PROPERTY'), params: z.tuple([z.string()]), id: requestId }),
]);
export type StreamRequest = z.infer<typeof streamRequest>;

/** Parses a text as JSON; undefined for an invalid text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the ID of a stream request that is otherwise malformed; null if the request has no valid ID. */
export function requestIdOf(json: unknown): RequestId {
  const sent = z.object({ id: requestId }).safeParse(json);
  return sent.success ? (sent.data.id ?? null) : null;
}
