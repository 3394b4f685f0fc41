import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { Answer } from './envelope.ts';
import type { FileAnswer } from './file-answer.ts';
import type { FormFields } from './form.ts';
import type { Caller } from './route.ts';

/**
 * A call after its request was read and its caller identified. It consists of data only, so that the process that
 * received the request can have it served by another one.
 */
export interface IdentifiedCall extends Pick<
  Caller,
  'session' | 'locale' | 'address' | 'userAgent' | 'traceId'
> {
  /** W3C trace parent of the request; undefined for a request without a well-formed one. */
  readonly traceparent: string | undefined;
  /** The idempotency key in the request's header; the form field `clientId` may contain one too. */
  readonly sentKey: string | undefined;
  /** The form fields as they were sent. */
  readonly fields: FormFields;
  /** The uploaded file; undefined for endpoints without upload. */
  readonly file: Buffer | undefined;
}

/**
 * Charges the rate-limit surcharge of the checked fields, and waits for a slot when the answer is
 * heavy.
 */
export type Admit = (fields: unknown) => Promise<void>;

/**
 * Serves an API request, from the check of its fields to its JSON answer or the start of its file.
 * Rejects when it is refused.
 */
export type ServeIdentified = (
  call: IdentifiedCall,
  admit: Admit | undefined,
) => Promise<Answer | FileAnswer>;

/**
 * An endpoint, and the function that serves it: its use case in this process, or another process.
 */
export interface ServedCall {
  readonly endpoint: Endpoint;
  readonly serve: ServeIdentified;
}
