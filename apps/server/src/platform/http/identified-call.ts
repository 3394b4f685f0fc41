import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { Answer } from './envelope.ts';
import type { FileAnswer } from './file-answer.ts';
import type { FormFields } from './form.ts';
import type { Caller } from './route.ts';

/**
 * A call after its request was read and its caller identified. It consists of data only, so that the process that
 * received the request can send the call to another process.
 */
export interface IdentifiedCall extends Pick<
  Caller,
  'session' | 'locale' | 'address' | 'userAgent' | 'traceId'
> {
  /** W3C trace parent of the request; undefined if the request has none or a malformed one. */
  readonly traceparent: string | undefined;
  /** The idempotency key in the request's header. The form field `clientId` may also contain a key. */
  readonly sentKey: string | undefined;
  /** The form fields as the client has sent them. */
  readonly fields: FormFields;
  /** The uploaded file; undefined if the endpoint accepts no upload. */
  readonly file: Buffer | undefined;
}

/**
 * Charges the part of a call's rate-limit cost that depends on its checked fields, and waits for a slot if its answer
 * is heavy.
 */
export type Admit = (fields: unknown) => Promise<void>;

/**
 * Serves an identified call: checks its fields and returns its JSON answer or the start of its file. Rejects if this
 * process refuses the call. If the call was forwarded and the other process refuses it, resolves to that refusal as the
 * answer.
 */
export type ServeIdentified = (
  call: IdentifiedCall,
  admit: Admit | undefined,
) => Promise<Answer | FileAnswer>;

/**
 * An endpoint with the function that serves its calls, either by the use case in this process or by another process.
 */
export interface ServedCall {
  readonly endpoint: Endpoint;
  readonly serve: ServeIdentified;
}
