import type { RefusalKey } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import type { CodePurpose } from './step-up.ts';

/** Every call lives under this path. */
export const API_BASE = '/bb/app';
/** Below this lie the calls of the market dialect, and no others. */
export const MARKET_BASE = `${API_BASE}/huobi/`;

/**
 * Who may make a call and what else it demands: one row of the access matrix. There is no default:
 * a route without a row does not start.
 */
export type Access = CommonAccess &
  (
    | { readonly mailCode?: undefined; readonly mailCodeBinds?: undefined }
    | {
        /**
         * Asks for a code mailed for this purpose in the field `code` (`mailCodeField`); refuses with −5. Of those who have
         * bound an authenticator, its code in `googleCode` as well.
         */
        readonly mailCode: CodePurpose;
        /** The fields that say what is done: a code mailed for other values, or for another call, is wrong here. */
        readonly mailCodeBinds: readonly string[];
      }
  );

interface CommonAccess {
  /** `anyone` is served with or without a session; `user` answers code −2 without one. */
  readonly who: 'anyone' | 'user';
  /** Not for the account that every visitor of a demo shares: others could not undo it for a day, or ever. */
  readonly ownAccount?: boolean;
  /** Only for a verified identity; others are refused with −3. */
  readonly verified?: boolean;
  /** Asks for the trade password in the field `assetsPwd` (`tradePasswordField`); refuses with −4. */
  readonly tradePassword?: boolean;
  /** Whether a recovery code stands for the authenticator's. */
  readonly takesRecoveryCode?: boolean;
  /** Exists only when the server runs in demo mode. */
  readonly demoOnly?: boolean;
  /**
   * Why a session without any further proof is enough. Calls of the groups that guard an account (`GUARDED` of the
   * catalogue) name a reason or demand a mailed code.
   */
  readonly sessionAlone?: SessionAloneReason;
}

/**
 * - `reads`: changes nothing.
 * - `mailsCode`: mails a code to the owner; the code confirms another call.
 * - `endsAccess`: ends sessions or freezes the account. Whoever must do that at once may have no mailbox at hand.
 * - `keepsFunds`: stops coins from leaving the account.
 * - `personalises`: changes names, pictures, languages, and notices that no decision rests on.
 * - `confirmedLater`: takes effect only after a call that demands a code, or after a review by people.
 */
export type SessionAloneReason =
  | 'reads'
  | 'mailsCode'
  | 'endsAccess'
  | 'keepsFunds'
  | 'personalises'
  | 'confirmedLater';

/** What a row may demand beyond a session. Each is enforced before the use case runs, or the server does not start. */
export type Demand = Exclude<
  keyof Access,
  'who' | 'demoOnly' | 'mailCodeBinds' | 'takesRecoveryCode' | 'sessionAlone'
>;

/** Which counter a call is charged to, and how much: see the server's limits. */
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
 * What a user's request is charged beside the call, so that requests come apart, served or refused. The last one that was
 * served, sent again under its key, is none.
 */
export interface Spacing {
  readonly charge: Charge;
  /** The sentence of what comes too early; it mentions `limit` and `seconds`. */
  readonly told: RefusalKey;
}

/**
 * How an answer is wrapped. `tick` and `data` are the market dialect: `status: 'ok'` stands beside the code,
 * the payload lies in the field of that name, and its decimals are JSON numbers instead of text. `csv` is a
 * file: a successful answer is its text, sent row by row without any envelope; a refusal is the plain one. `image`
 * is likewise the bytes of a picture.
 */
export type Envelope = 'plain' | 'tick' | 'data' | 'csv' | 'image';

/** What a call costs by its fields, beyond its own charge. */
export interface FieldsCost {
  /** Further weight of the call's own limit. */
  readonly surcharge?: number;
  /** Whether the answer is large or costs much to make: few of those are made and sent at a time. */
  readonly isHeavy?: boolean;
}

type FieldShape = z.core.$ZodLooseShape;

/** One call, described once: the server registers it, browsers call it, tests walk it, the API page prints it. */
export interface Endpoint<
  Fields extends z.ZodMiniType = z.ZodMiniType,
  Data extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'POST' | 'GET';
  /** Below `API_BASE`, e.g. `/user/login`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly charge: Charge;
  /** Charged after the fields are read and before anything is done; without it the charge above is all. */
  costOf?(fields: z.infer<Fields>): FieldsCost;
  readonly spacing?: Spacing;
  readonly envelope: Envelope;
  /** Whether `clientId` / `Idempotency-Key` is honoured. */
  readonly idempotent: boolean;
  /** Sent as `multipart/form-data`: its fields, and one file in the part `file`. */
  readonly takesFile: boolean;
  readonly fields: Fields;
  readonly data: Data;
}

export type FieldsOf<E extends Endpoint> = z.infer<E['fields']>;
export type FieldsSent<E extends Endpoint> = z.input<E['fields']>;
export type DataOf<E extends Endpoint> = z.infer<E['data']>;

interface Described<Shape extends FieldShape, Data extends z.ZodMiniType> {
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

/** Describes a call. Fields arrive form-encoded, so each field schema starts from a string. */
export function endpoint<Shape extends FieldShape, Data extends z.ZodMiniType>(
  described: Described<Shape, Data>,
): Endpoint<z.ZodMiniObject<Shape>, Data> {
  return {
    method: 'POST',
    envelope: 'plain',
    idempotent: false,
    takesFile: false,
    ...described,
    fields: z.object(described.fields),
  };
}

/** A call that answers with a file of comma-separated rows. */
export interface CsvEndpoint<Fields extends z.ZodMiniType = z.ZodMiniType> extends Endpoint<
  Fields,
  z.ZodMiniString
> {
  readonly envelope: 'csv';
}

/** Describes a call whose answer is a file: its data is the whole text. */
export function csvEndpoint<Shape extends FieldShape>(
  described: Omit<Described<Shape, z.ZodMiniString>, 'data' | 'envelope' | 'idempotent'>,
): CsvEndpoint<z.ZodMiniObject<Shape>> {
  return { ...endpoint({ ...described, data: z.string() }), envelope: 'csv' };
}

/** A call that answers with a picture. */
export interface ImageEndpoint<Fields extends z.ZodMiniType = z.ZodMiniType> extends Endpoint<
  Fields,
  z.ZodMiniString
> {
  readonly envelope: 'image';
}

/** Describes a call whose answer is a picture. */
export function imageEndpoint<Shape extends FieldShape>(
  described: Omit<Described<Shape, z.ZodMiniString>, 'data' | 'envelope' | 'idempotent'>,
): ImageEndpoint<z.ZodMiniObject<Shape>> {
  return { ...endpoint({ ...described, data: z.string() }), envelope: 'image' };
}

/** The part of a multipart body that holds the file. */
export const FILE_PART = 'file';

/** Fields that every call may carry and no schema lists. */
export const COMMON_FIELDS: readonly string[] = ['clientId'];
export const CLIENT_ID_MAX_LENGTH = 36;

export const ANYONE: Access = { who: 'anyone' };
export const USER: Access = { who: 'user' };

/** The access row of a call that guards an account and asks for a session only. */
export function sessionAlone(reason: SessionAloneReason): Access {
  return { who: 'user', sessionAlone: reason };
}
export const publicRead = (weight: number): Charge => ({ limit: 'publicRead', weight });
export const signedInRead = (weight = 1): Charge => ({ limit: 'signedInRead', weight });
