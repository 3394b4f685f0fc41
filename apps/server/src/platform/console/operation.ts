import type { OperationField, OperatorWarning } from '@exchange/wire/operation.ts';
import type { BoundedRows } from '../database/bounded-rows.ts';
import type { FormFields } from '../http/form.ts';
import type { ApprovalEvidence } from './evidence.ts';
import type { OperatorPreview } from './preview.ts';

/** What operators are. An owner may do everything; each operation names who else may. */
export const ROLES = ['support', 'reviewer', 'finance', 'approver', 'product', 'auditor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls. Where a second person has approved, both are named. */
export interface Operator {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly approvedBy?: string;
}

/** The field of a form in which the code of the authenticator comes; it goes no further than to who checks it. */
export const CODE_FIELD = 'authenticatorCode';

/** What an operator has sent: the named parts of the path, and the form's fields, without the code that confirms it. */
export interface OperatorCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: FormFields;
  readonly operator: Operator;
}

/** The fields of one text in every language, e.g. `nameEn`; where Korean or Japanese is left out, readers get English. */
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

/** How an operation takes a second person. Without evidence there is no such operation. */
export interface SecondPerson {
  /** Whether a call needs one; where this is left out, every call does. */
  readonly isNeeded?: (call: OperatorCall) => boolean | Promise<boolean>;
  /** What the second person is shown of a call; throws `Refused` where the call is about nothing that exists. */
  readonly evidence: (call: OperatorCall) => ApprovalEvidence | Promise<ApprovalEvidence>;
}

/** Something an operator may see or do on the console's port. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Below `/ops/`; `:name` stands for one part of the path. */
  readonly path: string;
  /** One sentence for the console and the audit log. */
  readonly summary: string;
  /** Who may, besides an owner. */
  readonly roles: readonly Role[];
  /**
   * What a POST takes besides the path; `reason` is asked of every one. Of a GET, what its list can be narrowed by. A
   * list that goes on answers `next`, which is sent as `before` for the rows behind.
   */
  readonly fields?: Readonly<Record<string, OperationField>>;
  /** Whether its list is work that waits: the overview counts it. */
  readonly isQueue?: boolean;
  /** Whether it funds an account of the house, beside which it is then shown as well. */
  readonly isFunding?: boolean;
  /** Whether its form has whole documents, e.g. a whitepaper, in every language. */
  readonly takesDocuments?: boolean;
  /** Whether it answers an `OperatorFile`. */
  readonly isFile?: boolean;
  /** Whether it answers an `OperatorPicture`. */
  readonly isPicture?: boolean;
  /**
   * Why a POST takes no code of the authenticator. Every other takes one of whoever calls it, and approving it another of
   * whoever approves.
   */
  readonly withoutCode?: string;
  /**
   * Which version of what it changes is published now, 0 where there is none. A call names the one that its operator
   * saw; it is refused when there is another by then, also where it was proposed before.
   */
  readonly versionOf?: (call: OperatorCall) => Promise<number>;
  /** What it lists the published versions of; the fields of that say what stands in one. Made by `versionsOperation`. */
  readonly versionsOf?: Pick<Operation, 'path' | 'fields'>;
  /** What a call proposes as users would see it; throws `Refused` for what could not be published. */
  readonly preview?: (call: OperatorCall) => Promise<OperatorPreview>;
  /** Such a call runs only when another operator, an approver or an owner, has approved the very same on its evidence. */
  readonly secondPerson?: SecondPerson;
  /** Throws `Refused` for what is seen to be wrong at its preview, before a code is used or a second person is asked. */
  readonly check?: (call: OperatorCall) => unknown;
  /** What is unusual about a call that is not refused, and what it costs; shown to both persons. */
  readonly warnings?: (call: OperatorCall) => Promise<readonly OperatorWarning[]>;
  /** Gives what is answered as JSON; throws `Refused` for what cannot be done. */
  run(call: OperatorCall): Promise<unknown>;
}

/** Whether a call has to be confirmed by a code of the caller's authenticator. */
export function takesCode({ method, withoutCode }: Pick<Operation, 'method' | 'withoutCode'>): boolean {
  return method === 'POST' && withoutCode === undefined;
}

/** Who did it and why, as modules keep it. */
export function whyOf({ operator, fields: { reason = '' } }: OperatorCall): { by: string; reason: string } {
  const { name, approvedBy } = operator;
  return { by: approvedBy === undefined ? name : `${name}, approved by ${approvedBy}`, reason };
}

/**
 * The answer of a list that is read up to a bound: its rows under `name`, and how many there are in all, which the console
 * shows beside them and counts in its overview.
 */
export function boundedAnswer<Row>(name: string, { list, total, hasMore }: BoundedRows<Row>) {
  return {
    [name]: list,
    total,
    hasMore,
  };
}

/** What an operation answers instead of JSON: a JPEG, shown once. */
export class OperatorPicture {
  readonly jpeg: Buffer;

  constructor(jpeg: Buffer) {
    this.jpeg = jpeg;
  }
}

/** What an operation answers instead of JSON: a text file to be saved, written part by part as it is read. */
export class OperatorFile {
  readonly name: string;
  readonly parts: AsyncIterable<string>;

  constructor(name: string, parts: AsyncIterable<string>) {
    this.name = name;
    this.parts = parts;
  }
}
