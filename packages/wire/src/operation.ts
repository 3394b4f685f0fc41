import type { Decimal } from '@exchange/core/decimal.ts';
import type { Locale, TextByLocale } from '@exchange/core/locale.ts';

/** Roles of operators. Owners may use every operation; each operation lists the other permitted roles. */
export const ROLES = ['support', 'reviewer', 'finance', 'approver', 'product', 'auditor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A field in the form of an operation. The operation itself checks the values. */
export interface OperationField {
  readonly label: string;
  /** Input type. `percent` and `durations` contain rates: they are sent as fractions and shown in percent. */
  readonly kind:
    | 'text'
    | 'longText'
    | 'decimal'
    | 'percent'
    | 'durations'
    | 'whole'
    | 'choice'
    | 'several'
    | 'time'
    | 'day'
    | 'switch';
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
  /** Name of a boolean column of the selected row; the field is hidden unless it is true. */
  readonly onlyWhere?: string;
  /**
   * Column of the selected row that holds the field's present value; by default the column with the
   * field's own name.
   */
  readonly startsFrom?: string;
  /** The language of `startsFrom`, where that column holds a text in every language. */
  readonly locale?: Locale;
  /**
   * Whether the field starts empty, so that the operator enters a value deliberately; the present
   * value is still compared.
   */
  readonly startsEmpty?: boolean;
  /** Whether the input takes the whole width of a form, for lists in one line. */
  readonly isWide?: boolean;
  /** Predefined texts that the form offers for the field; they can be edited. */
  readonly templates?: readonly TextTemplate[];
  /** The column of the selected row with the language in which templates are written; English without it. */
  readonly templatesIn?: string;
}

/**
 * A predefined text in the languages of its readers; readers of a missing language get English.
 */
export interface TextTemplate {
  readonly name: string;
  readonly text: TextByLocale;
}

export type OperationFields = Readonly<Record<string, OperationField>>;

/** A warning before an operation is confirmed; it does not refuse the call. */
export interface OperatorWarning {
  /** The field that the warning concerns. */
  readonly field: string;
  readonly text: string;
}

/** What the preview of a call shows beside a field; each is a sentence for operators. */
export interface FieldNeighbours {
  readonly field: string;
  /** What the market says now: a price, the depth of a book, what an amount is worth. */
  readonly market?: string | undefined;
  /** The greatest value that the rules permit. */
  readonly ceiling?: string | undefined;
  /** What the new value costs, and whom. */
  readonly cost?: string | undefined;
}

/**
 * Result of checking a call's value against the ceiling of the operator's roles; amounts are
 * decimal text.
 */
export interface CeilingNote {
  /** The coin whose amount the call decides about. */
  readonly asset: string;
  /** Value in USDT; absent if the coin has no price. */
  readonly value?: string;
  /**
   * The highest value in USDT that the operator may decide about in one call; absent if there is no
   * ceiling.
   */
  readonly most?: string;
}

/**
 * Type of the values in each kind of column, as the server returns them; JSON turns a `Decimal`
 * into its text.
 */
interface ColumnValues {
  /** Text that is shown unchanged. */
  readonly text: string;
  /** An id, address or hash; long ones are shortened in tables and can be copied. */
  readonly id: string;
  /** The id of a user; links to the user's page. */
  readonly user: string;
  /** A mail address; links to the page of the user in the column `userIn`. */
  readonly email: string;
  /** The account number (UID) of a user. */
  readonly uid: string | number;
  /** A number that identifies an object, such as a version; shown without separators. */
  readonly ordinal: string | number;
  /** A time in milliseconds. */
  readonly instant: number;
  readonly flag: boolean;
  /** A state as a coloured word; `tones` gives the colours. */
  readonly status: string;
  /** A camel-case identifier, such as `cancelOnly`; shown as separate words. */
  readonly word: string;
  /** The name of an account or of a kind of ledger entry, such as `seconds.won`; shown as `Seconds: won`. */
  readonly term: string;
  /** A pair's symbol, or a text that contains symbols; shown with the names of the pairs. */
  readonly pairs: string;
  /** The method and path of an operation; shown by its name. */
  readonly operation: string;
  /** A call's values by name, as JSON text. */
  readonly record: string;
  /** Durations of the seconds contract, `30:0.8:5 60:0.85:5`; shown in words. */
  readonly durations: string;
  /** A fraction; shown in percent. */
  readonly rate: Decimal | string;
  /** A decimal amount in units of the coin in the column `assetIn`. */
  readonly amount: Decimal | string;
  /** A decimal number whose unit, if any, is part of its label. */
  readonly figure: Decimal | string | number;
  /** A number of objects, such as orders; whole. */
  readonly count: number;
  /** A text in several languages; English is always present. */
  readonly texts: TextByLocale;
  /** The address of a picture that can be loaded once. */
  readonly picture: string;
}

export type ColumnKind = keyof ColumnValues;
/** The meaning of a status, which gives its colour. */
export type Tone = 'good' | 'waits' | 'bad';

/** A column of a list, or a fact of an approval's evidence. */
export interface Column {
  readonly kind: ColumnKind;
  /** Heading; without it the name of the column in words, `sameDocument` as `Same document`. */
  readonly label?: string;
  /** Whether rows may lack this column. */
  readonly isOptional?: boolean;
  /** For an amount: the column with its coin. */
  readonly assetIn?: string;
  /** For a mail address: the column with the id of its user. */
  readonly userIn?: string;
  /** For a time: whether tables show the seconds. */
  readonly isExact?: boolean;
  /** For a record: the column with the operation whose fields it holds. */
  readonly operationIn?: string;
  /**
   * Whether tables and the details of a row leave this column out, because the page shows its value in
   * another way.
   */
  readonly isHidden?: boolean;
  /** For a status: the tone of each value; values without one have no colour. */
  readonly tones?: Readonly<Record<string, Tone>>;
}

export type Columns = Readonly<Record<string, Column>>;

type ValueOf<Described extends Column> = ColumnValues[Described['kind']];
type OptionalNames<Described extends Columns> = {
  [Name in keyof Described]: Described[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Described];

/** One object type of an intersection, so that a literal with a further property does not compile. */
export type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] };

/** A row with the described columns, as the server returns it. */
export type RowOf<Described extends Columns> = Flat<
  {
    readonly [Name in Exclude<keyof Described, OptionalNames<Described>>]: ValueOf<Described[Name]>;
  } & {
    readonly [Name in OptionalNames<Described>]?: ValueOf<Described[Name]> | null | undefined;
  }
>;

/** A row of an answer as the console reads it: the described columns, each with any value. */
export type AnsweredRow<Described extends Columns> = { readonly [Name in keyof Described]?: unknown };

/** A type that rejects rows with columns that the description does not name. */
export type NoOther<Row, Described extends Columns> = {
  readonly [Name in Exclude<keyof Row, keyof Described>]: never;
};

/** A condition on a row: the column has one of these values. */
export interface RowCondition {
  readonly column: string;
  readonly is: readonly (string | boolean)[];
}

/** Description of the rows of a list, or of the details of an object. */
export interface RowsDescription {
  /** Name of the field of the answer that holds the rows. */
  readonly in: string;
  /** Every column of a row. */
  readonly columns: Columns;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /**
   * The columns of a table, in order; `age` is the time since the column named by `since`. By
   * default all columns except the ids of `key`.
   */
  readonly shown?: readonly string[];
  /** The columns whose values are the heading of a row; an amount is followed by its coin. */
  readonly title?: readonly string[];
  /** The column with the time since which a row waits. */
  readonly since?: string;
  /**
   * The column with the time by which users were promised an answer; a row's age is shown relative
   * to it.
   */
  readonly promised?: string;
  /** Condition for rows that wait for a decision; without it all rows of a queue do. */
  readonly pending?: RowCondition;
  /** The sentence for a list without rows. */
  readonly empty?: string;
}

/** The facts that a second operator decides on, and the context that may change meanwhile. */
export interface EvidenceDescription {
  readonly facts: Columns;
  readonly context?: Columns;
}

/** A list or action on the operators' port, with everything that the console needs to show it. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST';
  /** Path, which begins with `/ops/` and the area of the console; `:name` is a path parameter. */
  readonly path: string;
  /**
   * Name of the operation on tabs and buttons, and in the audit log after the name of its area.
   */
  readonly name: string;
  /** One sentence that the console shows about the operation. */
  readonly summary: string;
  /** Roles that may use the operation, besides owners. */
  readonly roles: readonly Role[];
  /**
   * Form fields of a POST; the field `reason` is added to every POST except immediate ones (`isImmediate`).
   * For a GET, the filters of its list. A list with further pages answers `next`, which is sent as `before`
   * to read the next page.
   */
  readonly fields?: OperationFields;
  /** The rows of a GET. Files, pictures and the evidence of a proposal have none. */
  readonly rows?: RowsDescription;
  /**
   * Paths of the lists whose rows the operation is about. The path parameters are columns of these
   * lists. Absent if the operation needs no row.
   */
  readonly concerns?: readonly string[];
  /** Paths of the lists whose selected row gives the path parameters; without a row they are typed. */
  readonly mayConcern?: readonly string[];
  /** Conditions on the selected row; the operation is offered where all hold. */
  readonly appliesWhere?: readonly RowCondition[];
  /**
   * Name of the button for a new record; with `isOnlyFirst` it is offered only while there is no
   * record.
   */
  readonly creates?: { readonly name: string; readonly isOnlyFirst?: boolean };
  /**
   * Look of the operation's button: `main` for a decision to go ahead, `danger` for a refusal or restriction.
   */
  readonly emphasis?: 'main' | 'danger';
  /** Keyboard key that opens the operation's form. */
  readonly key?: 'a' | 'r';
  /**
   * Whether the button executes the operation at once, without a form, a reason or a code. Only for
   * calls that decide nothing and can be undone.
   */
  readonly isImmediate?: boolean;
  /**
   * Whether the operation records who works on a row of a queue; it is no decision about the row.
   */
  readonly sharesWork?: boolean;
  /** Predefined texts that the form offers for the reason; they can be edited. */
  readonly templates?: readonly string[];
  /** Label of the reason field, for operations whose reason is the content of the call. */
  readonly reasonLabel?: string;
  /** Evidence for the second operator who approves a call; set for operations whose calls may need one. */
  readonly evidence?: EvidenceDescription;
  /** Whether the list is a queue of pending work, which the overview counts. */
  readonly isQueue?: boolean;
  /** Whether the operation funds a house account; the area of the house accounts then offers it too. */
  readonly isFunding?: boolean;
  /**
   * Whether the operation's form contains whole documents, e.g. a whitepaper, in every language.
   */
  readonly takesDocuments?: boolean;
  /** Whether the operation answers a file. */
  readonly isFile?: boolean;
  /** Whether the answered file can only be saved; otherwise the details of a row show its JSON. */
  readonly isDownload?: boolean;
  /** Whether the operation answers a picture. */
  readonly isPicture?: boolean;
  /**
   * Whether the call names the published version that the operator saw, and is refused if another
   * one is current.
   */
  readonly isVersioned?: boolean;
  /** Whether the console can show the effect of a call before it is confirmed, as users would see it. */
  readonly isPreviewed?: boolean;
  /**
   * Whether the operation is a routine decision, which a confirmation period can confirm within its bounds. A
   * call that a second operator must approve needs a code of its own nevertheless.
   */
  readonly isRoutine?: boolean;
  /** Whether the operation can decide several rows with one confirmation. */
  readonly takesSeveral?: boolean;
  /** Whether a confirmed call can take effect at a later time, which its form asks for (`START_FIELD`). */
  readonly canStartLater?: boolean;
  /** Reason why a POST needs no authenticator code. */
  readonly withoutCode?: string;
  /**
   * Path of the operation whose published versions this list shows; that operation's fields
   * describe a version.
   */
  readonly versionsOf?: string;
}

/** The field with the time at which a call takes effect, for operations that can start later. */
export const START_FIELD = 'startsAt';
const START: OperationField = {
  label: 'Takes effect at; at once if empty',
  kind: 'time',
  isOptional: true,
  startsEmpty: true,
};

/** Description of an operation that is a list. */
export interface ListDescription extends OperationDescription {
  readonly method: 'GET';
  readonly rows: RowsDescription;
}

/** Describes an operation, with the types of its fields and rows. */
export function describeOperation<const Described extends OperationDescription>(
  description: Described,
): Described {
  return description;
}

/**
 * Whether a call has to be confirmed: with the operator's authenticator code, or for routine decisions by a
 * confirmation period.
 */
export function takesCode({
  method,
  withoutCode,
}: Pick<OperationDescription, 'method' | 'withoutCode'>): boolean {
  return method === 'POST' && withoutCode === undefined;
}

/** The name of an operation in proposals and in the audit log. */
export function operationKey({ method, path }: Pick<OperationDescription, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** An operation in the list that an operator's session receives. */
export interface OfferedOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly fields: OperationFields;
  readonly rows?: RowsDescription | undefined;
  readonly concerns: readonly string[];
  readonly mayConcern: readonly string[];
  readonly appliesWhere: readonly RowCondition[];
  readonly creates?: OperationDescription['creates'] | undefined;
  readonly emphasis?: OperationDescription['emphasis'] | undefined;
  readonly key?: OperationDescription['key'] | undefined;
  readonly reasonLabel?: string | undefined;
  readonly templates?: readonly string[] | undefined;
  readonly isImmediate: boolean;
  readonly sharesWork: boolean;
  readonly versionsOf?: string | undefined;
  readonly mayNeedApproval: boolean;
  readonly isQueue: boolean;
  readonly isFunding: boolean;
  readonly isFile: boolean;
  readonly isDownload: boolean;
  readonly isPicture: boolean;
  readonly isVersioned: boolean;
  readonly isPreviewed: boolean;
  /**
   * Whether a call has to be confirmed: with the operator's authenticator code, or for routine decisions by a
   * confirmation period.
   */
  readonly takesCode: boolean;
  readonly isRoutine: boolean;
  readonly takesSeveral: boolean;
}

/** The fields of an operation's form: its own, and the time of its start where that can be later. */
export function formFieldsOf({
  fields = {},
  canStartLater,
}: Pick<OperationDescription, 'fields' | 'canStartLater'>): OperationFields {
  return canStartLater === true ? { ...fields, [START_FIELD]: START } : fields;
}

/** An operation in the list of an operator's session, from its description. */
export function offeredOperation(operation: OperationDescription): OfferedOperation {
  return {
    method: operation.method,
    path: operation.path,
    name: operation.name,
    summary: operation.summary,
    fields: formFieldsOf(operation),
    rows: operation.rows,
    concerns: operation.concerns ?? [],
    mayConcern: operation.mayConcern ?? [],
    appliesWhere: operation.appliesWhere ?? [],
    creates: operation.creates,
    emphasis: operation.emphasis,
    key: operation.key,
    reasonLabel: operation.reasonLabel,
    templates: operation.templates,
    isImmediate: operation.isImmediate === true,
    sharesWork: operation.sharesWork === true,
    versionsOf: operation.versionsOf,
    mayNeedApproval: operation.evidence !== undefined,
    isQueue: operation.isQueue === true,
    isFunding: operation.isFunding === true,
    isFile: operation.isFile === true,
    isDownload: operation.isDownload === true,
    isPicture: operation.isPicture === true,
    isVersioned: operation.isVersioned === true,
    isPreviewed: operation.isPreviewed === true,
    takesCode: takesCode(operation),
    isRoutine: operation.isRoutine === true,
    takesSeveral: operation.takesSeveral === true,
  };
}

/** Names of the path parameters in a path: `code` in `/ops/fund/funds/:code`. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
