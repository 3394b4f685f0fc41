import type { Decimal } from '@exchange/core/decimal.ts';
import { isUuid, type UserId } from '@exchange/core/ids.ts';
import type { RoutineCall } from '@exchange/core/operator-period.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type {
  Columns,
  EvidenceDescription,
  FieldNeighbours,
  Flat,
  ListDescription,
  NoOther,
  OperationDescription,
  OperatorWarning,
  Role,
  RowOf,
} from '@exchange/wire/operation.ts';
import type { ApprovalEvidence } from './evidence.ts';
import type { OperatorPreview } from './preview.ts';

export { ROLES, START_FIELD, takesCode, type Role } from '@exchange/wire/operation.ts';

/**
 * The operator who makes a call. `approvedBy` is the name of the second operator who has approved the call; undefined
 * if none has.
 */
export interface Operator {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly approvedBy?: string;
}

/** Name of the form field with the authenticator code. Only the code's verification receives it. */
export const CODE_FIELD = 'authenticatorCode';

/** The form fields of an operator's call, by the names that its operation describes. */
export type CallFields<Name extends string = string> = { readonly [Field in Name]?: string | undefined };

/**
 * An operator's call: path parameters and form fields, without the authenticator code. `Name` is the type of the
 * described fields' names.
 */
export interface OperatorCall<Name extends string = string> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: CallFields<Name>;
  readonly operator: Operator;
}

/**
 * Returns the `id` in the path of an operator's call. Throws `Refused` with `l.not_found` if it is no UUID.
 */
export function idOf({ parameters }: OperatorCall): string {
  const id = parameters['id'] ?? '';
  if (!isUuid(id)) throw new Refused(refusal('generic', 'l.not_found'));
  return id;
}

/** Describes when an operation needs a second operator, and what that operator sees. */
export interface SecondPerson<Call = OperatorCall, Evidence = ApprovalEvidence> {
  /** Returns whether a call needs the approval of a second operator; if this function is absent, every call does. */
  readonly isNeeded?: (call: Call) => boolean | Promise<boolean>;
  /** Computes the evidence for the second operator. Throws `Refused` if the subject of the call does not exist. */
  readonly evidence: (call: Call) => Evidence | Promise<Evidence>;
  /**
   * Computes the value of a call in USDT and the highest value that an operator may decide about (the
   * operator's ceiling). A call whose value exceeds the ceiling is refused. The ceiling of the proposing
   * operator is checked at the proposal and at the approval, that of the approving operator at the approval.
   */
  readonly ceiling?: (call: Call, operator: Pick<Operator, 'roles'>) => Promise<CeilingCheck>;
}

/** The value of a call and the highest value about which the operator may decide, both in USDT. */
export interface CeilingCheck {
  /** The coin of the amount that the call decides about. */
  readonly asset: string;
  /** Current value in USDT of the amount that the call decides about; undefined if the coin has no price. */
  readonly value: Decimal | undefined;
  /** The highest value that the operator's roles may decide about in one call, in USDT; undefined for no ceiling. */
  readonly most: Decimal | undefined;
}

/** Functions that the server adds to the description of an operation. */
interface ActionParts<Call> {
  /**
   * Returns the number of the published version of the object that the operation changes; 0 if none is published. A
   * call contains the version that its operator saw. It is refused, also at its approval, if another version has been
   * published since.
   */
  readonly versionOf?: (call: Call) => Promise<number>;
  /**
   * Renders the content that a call proposes as users would see it. Throws `Refused` if the content could not be
   * published.
   */
  readonly preview?: (call: Call) => Promise<OperatorPreview>;
  /**
   * Throws `Refused` if the call cannot be executed. Called before an authenticator code is used and before a second
   * operator is involved.
   */
  readonly check?: (call: Call) => unknown;
  /**
   * For a routine operation: returns the number of decisions and the value in USDT with which the call counts
   * towards the limits of the confirmation period, in which no authenticator code is needed. If absent, the
   * call counts as one decision without money.
   */
  readonly routine?: (call: Call) => Promise<RoutineCall>;
  /**
   * Throws `Refused` for a call that must be decided alone, although its operation may be executed for several rows at
   * once.
   */
  readonly requireLowRisk?: (call: Call) => Promise<void>;
  /**
   * Returns warnings about unusual properties of a permitted call and their consequences. The proposing and the
   * approving operator see them.
   */
  readonly warnings?: (call: Call) => Promise<readonly OperatorWarning[]>;
  /**
   * Returns notes beside the fields of a permitted call, such as market prices, ceilings and costs, for the preview.
   */
  readonly neighbours?: (call: Call) => Promise<readonly FieldNeighbours[]>;
  /** Returns the user whose personal data the answer contains, for the audit log; undefined if it contains none. */
  readonly ownerOf?: (call: Call) => Promise<UserId | undefined>;
  /**
   * Executes the operator's call and resolves to the data of the JSON answer. Throws `Refused` if the call is not
   * permitted.
   */
  run(call: Call): Promise<unknown>;
}

/** Data about a read access that the audit log stores instead of the request's fields. */
export interface SeenFacts {
  readonly fields: CallFields;
  readonly result: string;
}

/**
 * A list or action of the console: its description and the functions that serve it. Created by `serveList` and
 * `serveAction`.
 */
export interface Operation extends OperationDescription, ActionParts<OperatorCall> {
  /**
   * If set, a call that needs a second operator is executed only after another operator, with the role approver or
   * owner, has approved it with unchanged evidence.
   */
  readonly secondPerson?: SecondPerson;
  /**
   * For a GET whose fields are confidential, or whose answer shows which user it concerns: returns the data that the
   * audit log stores about the read access. The answer is sent only after the log entry is stored.
   */
  readonly seen?: (call: OperatorCall, answer: unknown) => SeenFacts;
}

/**
 * The names of the form fields of a described operation: those of its description, and `before` for a GET,
 * otherwise `reason` and `version`.
 */
type FieldName<Described> =
  | (Described extends { readonly fields: infer Fields } ? Extract<keyof Fields, string> : never)
  | (Described extends { readonly method: 'GET' } ? 'before' : 'reason' | 'version');

/** A call of a described console operation, with its fields typed. */
export type CallOf<Described extends OperationDescription> = OperatorCall<FieldName<Described>>;

/** The evidence that an operation's description promises to the second operator. */
export type EvidenceOf<Described> = Described extends {
  readonly evidence: { readonly facts: infer Facts extends Columns };
}
  ? Flat<
      Omit<ApprovalEvidence, 'facts' | 'context'> & {
        readonly facts: RowOf<Facts>;
      } & (Described extends { readonly evidence: { readonly context: infer Context extends Columns } }
          ? { readonly context: RowOf<Context> }
          : { readonly context?: undefined })
    >
  : never;

/**
 * The functions that the server must add to an operation's description: evidence, versions and previews if the
 * description announces them.
 */
type PartsOf<Described extends OperationDescription> = ActionParts<CallOf<Described>> &
  (Described extends { readonly evidence: EvidenceDescription }
    ? { readonly secondPerson: SecondPerson<CallOf<Described>, EvidenceOf<Described>> }
    : { readonly secondPerson?: undefined }) &
  (Described extends { readonly isVersioned: true }
    ? Required<Pick<ActionParts<CallOf<Described>>, 'versionOf'>>
    : { readonly versionOf?: undefined }) &
  (Described extends { readonly isPreviewed: true }
    ? Required<Pick<ActionParts<CallOf<Described>>, 'preview'>>
    : { readonly preview?: undefined });

/**
 * Adds functions (e.g. the one that executes the call) to the description of an action, or of a GET whose answer is a
 * file, a picture or the evidence of a proposal.
 */
export function serveAction<Described extends OperationDescription>(
  description: Described,
  parts: PartsOf<Described>,
): Operation {
  return { ...description, ...(parts as unknown as Omit<Operation, keyof OperationDescription>) };
}

/** One page of a console list. */
interface ListPage<Row> {
  readonly list: readonly Row[];
  /** Number of rows of the whole list, possibly counted only up to a limit; undefined if they are not counted. */
  readonly total?: number;
  readonly hasMore?: boolean;
  /** Text that a request for the next page sends as `before`; undefined on the last page. */
  readonly next?: string | undefined;
  /** Further values in the answer of a list, for clients other than the console. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Adds to a described list the function that reads it. Each row must have exactly the described columns. The answer
 * contains the rows under the described name.
 *
 * @param parts for a list with personal data, a function that returns the user whose data they are
 */
export function serveList<Described extends ListDescription, Row extends RowOf<Described['rows']['columns']>>(
  description: Described,
  read: (call: CallOf<Described>) => Promise<ListPage<Row & NoOther<Row, Described['rows']['columns']>>>,
  parts: Pick<ActionParts<OperatorCall>, 'ownerOf'> = {},
): Operation {
  const { rows } = description;
  return {
    ...description,
    ...parts,
    run: async (call) => {
      const { list, total, hasMore, next, extra } = await read(call);
      return {
        [rows.in]: list,
        total,
        hasMore,
        next,
        ...extra,
      };
    },
  };
}

/**
 * Returns the name of the operator of a call (with the approving operator, if any) and the reason, in the
 * form in which modules store them.
 */
export function whyOf({ operator, fields: { reason = '' } }: OperatorCall): { by: string; reason: string } {
  const { name, approvedBy } = operator;
  return { by: approvedBy === undefined ? name : `${name}, approved by ${approvedBy}`, reason };
}

/** A JPEG picture as the answer of an operation. */
export class OperatorPicture {
  readonly jpeg: Buffer;

  constructor(jpeg: Buffer) {
    this.jpeg = jpeg;
  }
}

/** A text file for download as the answer of an operation. Its text is sent in parts. */
export class OperatorFile {
  readonly name: string;
  readonly parts: AsyncIterable<string>;

  constructor(name: string, parts: AsyncIterable<string>) {
    this.name = name;
    this.parts = parts;
  }
}
