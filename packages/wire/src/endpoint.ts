import type { RefusalKey } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import type { CodePurpose } from './step-up.ts';

/** Base path of all endpoints that this package describes; the public trading API has other base paths. */
export const API_BASE = '/bb/app';
/** Base path of the endpoints in the market dialect, which are all endpoints below this path. */
export const MARKET_BASE = `${API_BASE}/huobi/`;

/**
 * The access rules of an endpoint, which form a row of the access matrix. There is no default: the server does not
 * start if an endpoint has none.
 */
export type Access = CommonAccess &
  (
    | { readonly mailCode?: undefined; readonly mailCodeBinds?: undefined }
    | {
        /**
         * Requires an email code for this purpose in the field `code` (`mailCodeField`), and from users with an
         * authenticator app also an authenticator code in `googleCode`; otherwise the request is refused with −5. The
         * text that a passkey has produced, in `passkey`, replaces both codes.
         */
        readonly mailCode: CodePurpose;
        /**
         * Request fields to which the email code or the passkey's confirmation is bound. A code that was requested for
         * other values or for another endpoint is refused.
         */
        readonly mailCodeBinds: readonly string[];
      }
  );

interface CommonAccess {
  /**
   * `anyone`: can be called by signed-in users and by visitors, and an invalid or ended session counts as a visitor;
   * `user`: a request without a token, or with a token of no running session, is refused with −2.
   */
  readonly who: 'anyone' | 'user';
  /** True if the endpoint refuses the shared account of a demo, because a visitor could lock out all others. */
  readonly ownAccount?: boolean;
  /** True if the user's identity must be verified; otherwise the request is refused with −3. */
  readonly verified?: boolean;
  /**
   * True if the trade password must be in the field `assetsPwd` (`tradePasswordField`); otherwise the request is
   * refused with −4.
   */
  readonly tradePassword?: boolean;
  /** True if a recovery code is accepted instead of the authenticator code; by default it is refused. */
  readonly takesRecoveryCode?: boolean;
  /** True if the endpoint exists only in demo mode. */
  readonly demoOnly?: boolean;
  /**
   * Reason why a session without a further confirmation is enough. Each endpoint of `GUARDED` for signed-in users must
   * have such a reason or require an email code; otherwise the server does not start.
   */
  readonly sessionAlone?: SessionAloneReason;
}

/**
 * Why an endpoint requires only a session. `reads`: changes nothing; `mailsCode`: mails a code to the owner that
 * confirms another request; `endsAccess`: ends sessions or freezes the account, because in an emergency the owner may
 * have no access to mail; `keepsFunds`: prevents withdrawals from the account; `personalises`: changes names, pictures,
 * languages, and notifications that are not security-relevant; `confirmedLater`: takes effect only after a request that
 * requires a code, or after a review.
 */
export type SessionAloneReason =
  | 'reads'
  | 'mailsCode'
  | 'endsAccess'
  | 'keepsFunds'
  | 'personalises'
  | 'confirmedLater';

/**
 * Name of the field of `Access` that states what an endpoint requires besides a session. The server does not
 * start unless each requirement is checked before the endpoint is executed.
 */
export type Requirement = Exclude<
  keyof Access,
  'who' | 'demoOnly' | 'mailCodeBinds' | 'takesRecoveryCode' | 'sessionAlone'
>;

/** The rate limit that a request counts towards, and the request's weight. The server defines the limits. */
export interface Charge {
  readonly limit:
    | 'publicRead'
    | 'signedInRead'
    | 'order'
    | 'transfer'
    | 'leaving'
    | 'lightChange'
    | 'withdrawal'
    | 'signIn'
    | 'mail'
    | 'upload';
  readonly weight: number;
}

/**
 * Second limit of an endpoint, by which a user must wait between two requests: `charge` names the rate limit
 * that defines the interval. Refused requests count too; a repetition of a successful request with its
 * idempotency key does not count.
 */
export interface Spacing {
  readonly charge: Charge;
  /**
   * Translation key of the refusal of a request that follows the previous one too early; its text contains
   * the parameters `limit` and `seconds`.
   */
  readonly refusalKey: RefusalKey;
}

/**
 * Format of a response. `tick` and `data` are the market dialect: `status: 'ok'` besides the code, the data in the
 * field `tick` or `data`, and decimals as JSON numbers. `csv`, `image` and `pdf` send a CSV file, a picture or a
 * document without JSON around it; their refusals have the plain JSON format.
 */
export type Envelope = 'plain' | 'tick' | 'data' | 'csv' | 'image' | 'pdf';

/**
 * The part of a request's cost that depends on the request's fields, in addition to the `charge` of the
 * endpoint.
 */
export interface FieldsCost {
  /** Weight that is added to the endpoint's charge. */
  readonly surcharge?: number;
  /** True for a large or expensive response; the server limits how many such responses it prepares at the same time. */
  readonly isHeavy?: boolean;
}

type FieldShape = z.core.$ZodLooseShape;

/**
 * The only description of an API endpoint: the server registers the endpoint from the description, clients
 * pass the description to `call`, tests run over all descriptions, and the API page documents them.
 */
export interface Endpoint<
  Fields extends z.ZodMiniType = z.ZodMiniType,
  Data extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'POST' | 'GET';
  /** Path below `API_BASE`, such as `/user/login`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly charge: Charge;
  /**
   * Returns the cost of a request from its parsed fields, before the request is executed. Without this function, only
   * `charge` counts.
   */
  costOf?(fields: z.infer<Fields>): FieldsCost;
  readonly spacing?: Spacing;
  readonly envelope: Envelope;
  /** True if requests may contain an idempotency key, in the field `clientId` or the header `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** True if requests are `multipart/form-data`, with the fields and one file in the part `file`. */
  readonly takesFile: boolean;
  readonly fields: Fields;
  readonly data: Data;
}

export type FieldsOf<E extends Endpoint> = z.infer<E['fields']>;
export type FieldsSent<E extends Endpoint> = z.input<E['fields']>;
export type DataOf<E extends Endpoint> = z.infer<E['data']>;

interface EndpointDescription<Shape extends FieldShape, Data extends z.ZodMiniType> {
  path: string;
  summary: string;
  access: Access;
  charge: Charge;
  costOf?: (fields: z.infer<z.ZodMiniObject<Shape>>) => FieldsCost;
  spacing?: Spacing;
  fields: Shape;
  data: Data;
  method?: 'POST' | 'GET';
  envelope?: Envelope;
  idempotent?: boolean;
  takesFile?: boolean;
}

/** Describes an API endpoint. Requests are form-encoded, so the schema of each field must accept a string. */
export function endpoint<Shape extends FieldShape, Data extends z.ZodMiniType>(
  description: EndpointDescription<Shape, Data>,
): Endpoint<z.ZodMiniObject<Shape>, Data> {
  return {
    method: 'POST',
    envelope: 'plain',
    idempotent: false,
    takesFile: false,
    ...description,
    fields: z.object(description.fields),
  };
}

/** An endpoint that responds with a CSV file. */
export interface CsvEndpoint<Fields extends z.ZodMiniType = z.ZodMiniType> extends Endpoint<
  Fields,
  z.ZodMiniString
> {
  readonly envelope: 'csv';
}

/** Describes an endpoint that responds with a CSV file; the data of the response is the text of the file. */
export function csvEndpoint<Shape extends FieldShape>(
  description: Omit<EndpointDescription<Shape, z.ZodMiniString>, 'data' | 'envelope' | 'idempotent'>,
): CsvEndpoint<z.ZodMiniObject<Shape>> {
  return { ...endpoint({ ...description, data: z.string() }), envelope: 'csv' };
}

/** An endpoint that responds with a picture. */
export interface ImageEndpoint<Fields extends z.ZodMiniType = z.ZodMiniType> extends Endpoint<
  Fields,
  z.ZodMiniString
> {
  readonly envelope: 'image';
}

/** Describes an endpoint that responds with a picture. */
export function imageEndpoint<Shape extends FieldShape>(
  description: Omit<EndpointDescription<Shape, z.ZodMiniString>, 'data' | 'envelope' | 'idempotent'>,
): ImageEndpoint<z.ZodMiniObject<Shape>> {
  return { ...endpoint({ ...description, data: z.string() }), envelope: 'image' };
}

/** An endpoint that responds with a PDF document. */
export interface PdfEndpoint<Fields extends z.ZodMiniType = z.ZodMiniType> extends Endpoint<
  Fields,
  z.ZodMiniString
> {
  readonly envelope: 'pdf';
}

/** Describes an endpoint that responds with a PDF document. */
export function pdfEndpoint<Shape extends FieldShape>(
  description: Omit<EndpointDescription<Shape, z.ZodMiniString>, 'data' | 'envelope' | 'idempotent'>,
): PdfEndpoint<z.ZodMiniObject<Shape>> {
  return { ...endpoint({ ...description, data: z.string() }), envelope: 'pdf' };
}

/** Name of the multipart part with the uploaded file. */
export const FILE_PART = 'file';

/**
 * Names of request fields that every endpoint with `idempotent` accepts, although its schema does not contain them:
 * `clientId` is the idempotency key.
 */
export const COMMON_FIELDS: readonly string[] = ['clientId'];
export const CLIENT_ID_MAX_LENGTH = 36;

export const ANYONE: Access = { who: 'anyone' };
export const USER: Access = { who: 'user' };

/** Returns the access rules of a guarded endpoint that requires a session only, with the reason for it. */
export function sessionAlone(reason: SessionAloneReason): Access {
  return { who: 'user', sessionAlone: reason };
}
export const publicRead = (weight: number): Charge => ({ limit: 'publicRead', weight });
export const signedInRead = (weight = 1): Charge => ({ limit: 'signedInRead', weight });

/** Returns true if a value, such as an export of a module, is the description of an endpoint. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
