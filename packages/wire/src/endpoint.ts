import type { RefusalKey } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import type { CodePurpose } from './step-up.ts';

/** Base path of all endpoints that are described here; those of the public trading API are elsewhere. */
export const API_BASE = '/bb/app';
/** Base path of the endpoints in the market dialect; no other endpoints are below it. */
export const MARKET_BASE = `${API_BASE}/huobi/`;

/**
 * The access rules of an endpoint: one row of the access matrix. There is no default; the server does not
 * start if a route has none.
 */
export type Access = CommonAccess &
  (
    | { readonly mailCode?: undefined; readonly mailCodeBinds?: undefined }
    | {
        /**
         * Requires a code mailed for this purpose in the field `code` (`mailCodeField`), and of users with an
         * authenticator also its code in `googleCode`; otherwise refuses with −5. The answer of a passkey in
         * `passkey` replaces both codes.
         */
        readonly mailCode: CodePurpose;
        /**
         * Request fields to which the mailed code or the passkey's answer is bound. A code that was mailed
         * for other values or for another endpoint is refused.
         */
        readonly mailCodeBinds: readonly string[];
      }
  );

interface CommonAccess {
  /** `anyone`: works with or without a session; `user`: without a session the response has code −2. */
  readonly who: 'anyone' | 'user';
  /** True refuses the shared account of a demo, whose visitors could otherwise lock each other out. */
  readonly ownAccount?: boolean;
  /** True requires a verified identity; otherwise refuses with −3. */
  readonly verified?: boolean;
  /**
   * True requires the trade password in the field `assetsPwd` (`tradePasswordField`); otherwise refuses with
   * −4.
   */
  readonly tradePassword?: boolean;
  /** Whether a recovery code is accepted in place of the authenticator's code; by default it is refused. */
  readonly takesRecoveryCode?: boolean;
  /** The endpoint exists only in demo mode. */
  readonly demoOnly?: boolean;
  /**
   * Reason why a session without further confirmation is enough. Endpoints of `GUARDED` for signed-in users
   * must have a reason or require a mailed code; the server does not start otherwise.
   */
  readonly sessionAlone?: SessionAloneReason;
}

/**
 * Why an endpoint requires only a session. - `reads`: changes nothing. - `mailsCode`: mails a code to the
 * owner that confirms another request. - `endsAccess`: ends sessions or freezes the account; in an emergency
 * the owner may have no access to mail. - `keepsFunds`: prevents withdrawals from the account. -
 * `personalises`: changes names, pictures, languages, and notifications that are not security-relevant. -
 * `confirmedLater`: takes effect only after a request that requires a code, or after a review.
 */
export type SessionAloneReason =
  | 'reads'
  | 'mailsCode'
  | 'endsAccess'
  | 'keepsFunds'
  | 'personalises'
  | 'confirmedLater';

/**
 * Access requirements of an endpoint beyond a session. The server does not start unless each of them is
 * enforced before the endpoint's use case.
 */
export type Requirement = Exclude<
  keyof Access,
  'who' | 'demoOnly' | 'mailCodeBinds' | 'takesRecoveryCode' | 'sessionAlone'
>;

/** The rate limit to which a request is charged, and its weight. The server defines the limits. */
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
 * A minimum interval between a user's requests to an endpoint, whether served or refused. The repetition of a
 * served request with its key does not count.
 */
export interface Spacing {
  readonly charge: Charge;
  /**
   * Translation key of the refusal of a request that comes too early; its sentence mentions `limit` and
   * `seconds`.
   */
  readonly refusalKey: RefusalKey;
}

/**
 * Format of a response. `tick` and `data` are the market dialect: `status: 'ok'` in addition to the code, the
 * payload in the field of that name, decimals as JSON numbers. `csv` streams a file without an envelope,
 * `image` sends the bytes of a picture, `pdf` a document; refusals of all three have the plain format.
 */
export type Envelope = 'plain' | 'tick' | 'data' | 'csv' | 'image' | 'pdf';

/** Cost of a request that depends on its fields, in addition to the endpoint's charge. */
export interface FieldsCost {
  /** Additional weight on the endpoint's rate limit. */
  readonly surcharge?: number;
  /** True for a large or expensive response; the server limits how many of them it produces at a time. */
  readonly isHeavy?: boolean;
}

type FieldShape = z.core.$ZodLooseShape;

/**
 * The single description of an API endpoint: the server registers it, clients call it, tests enumerate it,
 * the API page prints it.
 */
export interface Endpoint<
  Fields extends z.ZodMiniType = z.ZodMiniType,
  Data extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'POST' | 'GET';
  /** Path below `API_BASE`, e.g. `/user/login`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly charge: Charge;
  /**
   * The cost of a request, evaluated after its fields are parsed and before it is executed; without it only
   * `charge` applies.
   */
  costOf?(fields: z.infer<Fields>): FieldsCost;
  readonly spacing?: Spacing;
  readonly envelope: Envelope;
  /** Whether requests can carry an idempotency key, in the field `clientId` or the header `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** True for `multipart/form-data` requests, with the fields and one file in the part `file`. */
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

/** Describes an API endpoint. Fields are form-encoded, so each field schema must accept a string. */
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

/** Describes an endpoint that responds with a CSV file; its data is the whole text. */
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

/** Name of the multipart part that contains an uploaded file. */
export const FILE_PART = 'file';

/**
 * Request fields of every endpoint with `idempotent`, although they are not in its schema: `clientId` is the
 * idempotency key.
 */
export const COMMON_FIELDS: readonly string[] = ['clientId'];
export const CLIENT_ID_MAX_LENGTH = 36;

export const ANYONE: Access = { who: 'anyone' };
export const USER: Access = { who: 'user' };

/** The access rules of an endpoint that guards an account and requires only a session. */
export function sessionAlone(reason: SessionAloneReason): Access {
  return { who: 'user', sessionAlone: reason };
}
export const publicRead = (weight: number): Charge => ({ limit: 'publicRead', weight });
export const signedInRead = (weight = 1): Charge => ({ limit: 'signedInRead', weight });

/** Returns whether a value, such as an export of a module, is an endpoint description. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
