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

/** The operator who calls, with the approving operator if a second one has approved. */
export interface Operator {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly approvedBy?: string;
}

/** Form field of the authenticator code; it is passed only to the code's verification. */
export const CODE_FIELD = 'authenticatorCode';

/** The fields of a call, by the names that its operation describes. */
export type CallFields<Name extends string = string> = { readonly [Field in Name]?: string | undefined };

/**
 * An operator's request: path parameters and form fields, without the authenticator code. `Name` are the names
 * of the described fields.
 */
export interface OperatorCall<Name extends string = string> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: CallFields<Name>;
  readonly operator: Operator;
}

/** The `id` in the path of an operator's request. Refuses what is not a UUID as not found. */
export function idOf({ parameters }: OperatorCall): string {
  const id = parameters['id'] ?? '';
  if (!isUuid(id)) throw new Refused(refusal('generic', 'l.not_found'));
  return id;
}

/** How an operation involves a second operator; evidence is required. */
export interface SecondPerson<Call = OperatorCall, Evidence = ApprovalEvidence> {
  /** Whether an operator's call needs a second operator; by default every call does. */
  readonly isNeeded?: (call: Call) => boolean | Promise<boolean>;
  /**
   * The evidence shown to the second operator; throws `Refused` when the subject of the call does
   * not exist.
   */
  readonly evidence: (call: Call) => Evidence | Promise<Evidence>;
  /**
   * The value of a call and what an operator may decide about. A call above it is refused to its proposer, at the
   * proposal and again at the approval, and to its approver.
   */
  readonly ceiling?: (call: Call, operator: Pick<Operator, 'roles'>) => Promise<CeilingCheck>;
}

/** The value of a call beside the ceiling of an operator. */
export interface CeilingCheck {
  /** The coin whose amount the call decides about. */
  readonly asset: string;
  /** Current value of the call in USDT; undefined if the coin has no price. */
  readonly value: Decimal | undefined;
  /** The highest value that the operator's roles may decide about in one call, in USDT; undefined for no ceiling. */
  readonly most: Decimal | undefined;
}

/** The server's additions to the description of an operator's action. */
interface ActionParts<Call> {
  /**
   * Returns the published version of the object that the action changes, 0 if there is none. A call
   * names the version that its operator saw and is refused when another version has been published
   * since, also at its approval.
   */
  readonly versionOf?: (call: Call) => Promise<number>;
  /** Shows a call's proposed content as users would see it; throws `Refused` when it could not be published. */
  readonly preview?: (call: Call) => Promise<OperatorPreview>;
  /**
   * Throws `Refused` for problems of an operator's call that can be found before a code is used or
   * a second operator is asked.
   */
  readonly check?: (call: Call) => unknown;
  /**
   * For a routine operation: the number and value of the decisions that a confirmation period must
   * cover; by default one decision without money.
   */
  readonly routine?: (call: Call) => Promise<RoutineCall>;
  /** Throws `Refused` for a call that has to be decided alone, though its operation may decide several rows. */
  readonly requireLowRisk?: (call: Call) => Promise<void>;
  /**
   * Unusual properties of a permitted call and their consequences, shown to the proposing and the approving
   * operator.
   */
  readonly warnings?: (call: Call) => Promise<readonly OperatorWarning[]>;
  /** What the preview shows beside the fields of a permitted call: the market, ceilings, costs. */
  readonly neighbours?: (call: Call) => Promise<readonly FieldNeighbours[]>;
  /**
   * The user whose personal data a view shows; the audit log names that user. Undefined if there is
   * none.
   */
  readonly ownerOf?: (call: Call) => Promise<UserId | undefined>;
  /** Executes the operator's call and returns the JSON answer; throws `Refused`. */
  run(call: Call): Promise<unknown>;
}

/** Data about a view that the audit log stores instead of the view's form fields. */
export interface SeenFacts {
  readonly fields: CallFields;
  readonly result: string;
}

/** A described list or action with the functions that serve it. Created by `serveList` and `serveAction`. */
export interface Operation extends OperationDescription, ActionParts<OperatorCall> {
  /**
   * If set, a call that needs a second operator is executed only after another operator, an approver
   * or owner, has approved it on the same evidence.
   */
  readonly secondPerson?: SecondPerson;
  /**
   * For a GET: what the audit log stores about a view, from the call and its answer, if the fields
   * are confidential or the answer shows which user it concerns. The answer is sent only after the
   * log entry is stored.
   */
  readonly seen?: (call: OperatorCall, answer: unknown) => SeenFacts;
}

/** The names of the form fields of a described operation. */
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
 * The functions that an operation's description requires: evidence, versions and previews if it
 * announces them.
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

/** Serves a described action, or a GET that answers a file, a picture or the evidence of a proposal. */
export function serveAction<Described extends OperationDescription>(
  description: Described,
  parts: PartsOf<Described>,
): Operation {
  return { ...description, ...(parts as unknown as Omit<Operation, keyof OperationDescription>) };
}

/** One page of a list. */
interface ListPage<Row> {
  readonly list: readonly Row[];
  /** Number of rows of the whole list, possibly counted only up to a limit; undefined if they are not counted. */
  readonly total?: number;
  readonly hasMore?: boolean;
  /** Cursor sent as `before` to read the next page; undefined on the last one. */
  readonly next?: string | undefined;
  /** Further values of the answer for callers other than the console. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Serves a described list. Each row has the described columns and no other; the answer has the rows under the
 * described name.
 *
 * @param parts for a list with personal data: whose they are
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
 * The acting operator (with the approver) and the reason, in the form in which modules store them.
 */
export function whyOf({ operator, fields: { reason = '' } }: OperatorCall): { by: string; reason: string } {
  const { name, approvedBy } = operator;
  return { by: approvedBy === undefined ? name : `${name}, approved by ${approvedBy}`, reason };
}

/** A JPEG as the answer of an operation. */
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
