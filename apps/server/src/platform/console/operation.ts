import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { OperationField, OperatorWarning } from '@exchange/wire/operation.ts';
import type { BoundedRows } from '../database/bounded-rows.ts';
import type { FormFields } from '../http/form.ts';
import type { ApprovalEvidence } from './evidence.ts';
import type { OperatorPreview } from './preview.ts';

/** Roles of operators. An owner may do everything; each operation names the other permitted roles. */
export const ROLES = ['support', 'reviewer', 'finance', 'approver', 'product', 'auditor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The calling operator, with the approving operator if a second person has approved. */
export interface Operator {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly approvedBy?: string;
}

/** Form field of the authenticator code; it is passed only to the code's verification. */
export const CODE_FIELD = 'authenticatorCode';

/** An operator's request: path parameters and form fields, without the authenticator code. */
export interface OperatorCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: FormFields;
  readonly operator: Operator;
}

/** The `id` in the path of a request. Refuses what is not a UUID as not found. */
export function idOf({ parameters }: OperatorCall): string {
  const id = parameters['id'] ?? '';
  if (!isUuid(id)) throw new Refused(refusal('generic', 'l.not_found'));
  return id;
}

/**
 * Form fields for a text in every language, e.g. `nameEn`; where Korean or Japanese is missing, readers see
 * English.
 */
export function textFields(
  name: string,
  label: string,
  kind: 'text' | 'longText',
): Readonly<Record<string, OperationField>> {
  return {
    [`${name}En`]: { label: `${label} (English)`, kind },
    [`${name}Zh`]: { label: `${label} (Chinese)`, kind },
    [`${name}Ko`]: { label: `${label} (Korean)`, kind, isOptional: true },
    [`${name}Ja`]: { label: `${label} (Japanese)`, kind, isOptional: true },
  };
}

/** How an operation involves a second person; evidence is required. */
export interface SecondPerson {
  /** Whether a call needs a second person; by default every call does. */
  readonly isNeeded?: (call: OperatorCall) => boolean | Promise<boolean>;
  /** The evidence shown to the second person; throws `Refused` when the subject of the call does not exist. */
  readonly evidence: (call: OperatorCall) => ApprovalEvidence | Promise<ApprovalEvidence>;
}

/** A list or action on the operators' port. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Path below `/ops/`; `:name` is a path parameter. */
  readonly path: string;
  /** One sentence for the console and the audit log. */
  readonly summary: string;
  /** Roles that may use the operation, besides owners. */
  readonly roles: readonly Role[];
  /**
   * Form fields of a POST; `reason` is added to every POST. For a GET, the filters of its list. A list with
   * further pages answers `next`, which is sent as `before` to read the next page.
   */
  readonly fields?: Readonly<Record<string, OperationField>>;
  /** Whether its list is pending work, which the overview counts. */
  readonly isQueue?: boolean;
  /** Whether it funds a house account; it is then also shown beside that account. */
  readonly isFunding?: boolean;
  /** Whether its form contains whole documents, e.g. a whitepaper, in every language. */
  readonly takesDocuments?: boolean;
  /** Whether it answers an `OperatorFile`. */
  readonly isFile?: boolean;
  /** Whether it answers an `OperatorPicture`. */
  readonly isPicture?: boolean;
  /**
   * Why a POST needs no authenticator code. All others require a code of the caller, and their approval
   * requires a code of the approver.
   */
  readonly withoutCode?: string;
  /**
   * The published version of the object that it changes, 0 without one. A call names the version that its
   * operator saw and is refused when another version has been published since, also at its approval.
   */
  readonly versionOf?: (call: OperatorCall) => Promise<number>;
  /**
   * The operation whose published versions it lists; that operation's fields describe a version. Set by
   * `versionsOperation`.
   */
  readonly versionsOf?: Pick<Operation, 'path' | 'fields'>;
  /** Shows a call's proposed content as users would see it; throws `Refused` when it could not be published. */
  readonly preview?: (call: OperatorCall) => Promise<OperatorPreview>;
  /**
   * The call is executed only after another operator, an approver or owner, has approved it on the same
   * evidence.
   */
  readonly secondPerson?: SecondPerson;
  /**
   * Throws `Refused` for problems that are visible at the preview, before a code is used or a second person is
   * asked.
   */
  readonly check?: (call: OperatorCall) => unknown;
  /** Unusual properties of a permitted call and their consequences, shown to both persons. */
  readonly warnings?: (call: OperatorCall) => Promise<readonly OperatorWarning[]>;
  /** Executes the call and returns the JSON answer; throws `Refused`. */
  run(call: OperatorCall): Promise<unknown>;
}

/** Whether a call has to be confirmed with the caller's authenticator code. */
export function takesCode({ method, withoutCode }: Pick<Operation, 'method' | 'withoutCode'>): boolean {
  return method === 'POST' && withoutCode === undefined;
}

/** The acting operator (with the approver) and the reason, as modules store them. */
export function whyOf({ operator, fields: { reason = '' } }: OperatorCall): { by: string; reason: string } {
  const { name, approvedBy } = operator;
  return { by: approvedBy === undefined ? name : `${name}, approved by ${approvedBy}`, reason };
}

/**
 * The answer of a bounded list: its rows under `name`, and the total number, which the console shows and counts
 * in its overview.
 */
export function boundedAnswer<Row>(name: string, { list, total, hasMore }: BoundedRows<Row>) {
  return {
    [name]: list,
    total,
    hasMore,
  };
}

/** A JPEG as the answer of an operation, shown once. */
export class OperatorPicture {
  readonly jpeg: Buffer;

  constructor(jpeg: Buffer) {
    this.jpeg = jpeg;
  }
}

/** A downloadable text file as the answer of an operation, written in parts. */
export class OperatorFile {
  readonly name: string;
  readonly parts: AsyncIterable<string>;

  constructor(name: string, parts: AsyncIterable<string>) {
    this.name = name;
    this.parts = parts;
  }
}
