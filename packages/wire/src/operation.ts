import type { Decimal } from '@exchange/core/decimal.ts';
import type { Locale, TextByLocale } from '@exchange/core/locale.ts';

/** Roles of operators. An owner may do everything; each operation names the other permitted roles. */
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
  /** Name of a boolean in the selected row; the field is hidden if it is not true. */
  readonly onlyWhere?: string;
  /** Column of the selected row with the field's present value; without it the column of the field's own name. */
  readonly startsFrom?: string;
  /** The language of `startsFrom`, where that column holds a text in every language. */
  readonly locale?: Locale;
  /** Whether the field starts empty, so that the operator decides anew; the present value is still compared. */
  readonly startsEmpty?: boolean;
  /** Whether its input takes the whole width of a form, for lists in one line. */
  readonly isWide?: boolean;
  /** Usual texts that the field offers; they can be edited. */
  readonly templates?: readonly TextTemplate[];
  /** The column of the selected row with the language in which templates are written; English without it. */
  readonly templatesIn?: string;
}

/** A usual text in the languages of its readers; where one is missing, they read English. */
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

/** What the check of a call says about its value, where the roles of operators have ceilings; amounts are decimal text. */
export interface CeilingNote {
  /** The coin whose amount the call decides about. */
  readonly asset: string;
  /** In USDT; without it the coin has no price. */
  readonly value?: string;
  /** The highest value that the operator may decide about in one call, in USDT; without it there is no ceiling. */
  readonly most?: string;
}

/** The value of each kind of column, as the server hands it over; JSON turns a `Decimal` into its text. */
interface ColumnValues {
  /** Words, shown as they are. */
  readonly text: string;
  /** An id, address or hash; long ones are shortened in tables and can be copied. */
  readonly id: string;
  /** The id of a user; links to the user's page. */
  readonly user: string;
  /** A mail address; links to the page of the user in the column `userIn`. */
  readonly email: string;
  /** A user's number. */
  readonly uid: string | number;
  /** A number that identifies something, such as a version; shown without separators. */
  readonly ordinal: string | number;
  /** A time in milliseconds. */
  readonly instant: number;
  readonly flag: boolean;
  /** A state as a coloured word; `tones` gives the colours. */
  readonly status: string;
  /** A name used in code, such as `cancelOnly`; shown in words. */
  readonly word: string;
  /** A name of an account or entry, such as `seconds.won`; shown as `Seconds: won`. */
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
  /** A whole number of things. */
  readonly count: number;
  /** A text in every language. */
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
  /** Whether rows may lack it. */
  readonly isOptional?: boolean;
  /** For an amount: the column with its coin. */
  readonly assetIn?: string;
  /** For a mail address: the column with the id of its user. */
  readonly userIn?: string;
  /** For a time: whether tables show the seconds. */
  readonly isExact?: boolean;
  /** For a record: the column with the operation whose fields it holds. */
  readonly operationIn?: string;
  /** Whether details leave it out, because the page shows it in another way. */
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

/** A row with the described columns, as the server hands it over. */
export type RowOf<Described extends Columns> = Flat<
  {
    readonly [Name in Exclude<keyof Described, OptionalNames<Described>>]: ValueOf<Described[Name]>;
  } & {
    readonly [Name in OptionalNames<Described>]?: ValueOf<Described[Name]> | null | undefined;
  }
>;

/** A row of an answer as the console reads it: the described columns, each with any value. */
export type AnsweredRow<Described extends Columns> = { readonly [Name in keyof Described]?: unknown };

/** Refuses, as a type, columns of a row that its description lacks. */
export type NoOther<Row, Described extends Columns> = {
  readonly [Name in Exclude<keyof Row, keyof Described>]: never;
};

/** A condition on the selected row: the column has one of these values. */
export interface RowCondition {
  readonly column: string;
  readonly is: readonly (string | boolean)[];
}

/** The rows of a list or of the details of something. */
export interface RowsDescription {
  /** The name of the rows in the answer. */
  readonly in: string;
  /** Every column of a row. */
  readonly columns: Columns;
  /** The columns that tell rows apart. */
  readonly key: readonly string[];
  /** The columns of a table, in order; `age` is the time since `since`. Without it all but the ids of `key`. */
  readonly shown?: readonly string[];
  /** The columns that name a row in headings; an amount is followed by its coin. */
  readonly title?: readonly string[];
  /** The time since which a row waits. */
  readonly since?: string;
  /** The column with the time by which users were promised an answer; ages are shown against it. */
  readonly promised?: string;
  /** The rows that wait for a decision; without it all rows of a queue do. */
  readonly pending?: RowCondition;
  /** The sentence for a list without rows. */
  readonly empty?: string;
}

/** The facts that a second person decides on, and what may change meanwhile. */
export interface EvidenceDescription {
  readonly facts: Columns;
  readonly context?: Columns;
}

/** A list or action on the operators' port: all that the console shows of it. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST';
  /** Path below `/ops/`; `:name` is a path parameter. The first part is the area of the console. */
  readonly path: string;
  /** Its name on tabs and buttons, and in the audit log after the name of its area. */
  readonly name: string;
  /** One sentence for the console. */
  readonly summary: string;
  /** Roles that may use it, besides owners. */
  readonly roles: readonly Role[];
  /**
   * Form fields of a POST; `reason` is added to every POST. For a GET, the filters of its list. A list with
   * further pages answers `next`, which is sent as `before` to read the next page.
   */
  readonly fields?: OperationFields;
  /** The rows of a GET; only files and pictures have none. */
  readonly rows?: RowsDescription;
  /**
   * Paths of the lists whose rows it is about. The path parameters are columns of these lists. Without it the
   * operation needs no row.
   */
  readonly concerns?: readonly string[];
  /** Paths of the lists whose selected row gives the path parameters; without a row they are typed. */
  readonly mayConcern?: readonly string[];
  /** Conditions on the selected row; the operation is offered where all hold. */
  readonly appliesWhere?: readonly RowCondition[];
  /** The name of its button for a new record; `isOnlyFirst` offers it only while there is no record. */
  readonly creates?: { readonly name: string; readonly isOnlyFirst?: boolean };
  /** The look of its button: a decision to go ahead, or a refusal or restriction. */
  readonly emphasis?: 'main' | 'danger';
  /** The key that opens its form. */
  readonly key?: 'a' | 'r';
  /**
   * Whether its button executes it at once, without a form, a reason or a code. Only for calls that decide nothing and
   * can be undone.
   */
  readonly isImmediate?: boolean;
  /** Whether it says who works on a row of a queue; it is no decision about the row. */
  readonly sharesWork?: boolean;
  /** Usual reasons or answers that its form offers; they can be edited. */
  readonly templates?: readonly string[];
  /** The label of the reason, where the reason is the content of the call. */
  readonly reasonLabel?: string;
  /** The evidence of a call that may need a second person. */
  readonly evidence?: EvidenceDescription;
  /** Whether its list is pending work, which the overview counts. */
  readonly isQueue?: boolean;
  /** Whether it funds a house account; it is then also shown beside that account. */
  readonly isFunding?: boolean;
  /** Whether its form contains whole documents, e.g. a whitepaper, in every language. */
  readonly takesDocuments?: boolean;
  /** Whether it answers a file. */
  readonly isFile?: boolean;
  /** Whether its file is only saved; without it, the details of a row show a file's JSON. */
  readonly isDownload?: boolean;
  /** Whether it answers a picture. */
  readonly isPicture?: boolean;
  /** Whether the call names the published version that its operator saw, and is refused after another one. */
  readonly isVersioned?: boolean;
  /** Whether a call can be shown as users would see it. */
  readonly isPreviewed?: boolean;
  /**
   * Whether it is a routine decision, which an open period of confirmations can confirm within its bounds. Calls that need
   * a second person have a code of their own nevertheless.
   */
  readonly isRoutine?: boolean;
  /** Whether several rows can be decided by it with one confirmation. */
  readonly takesSeveral?: boolean;
  /** Whether a confirmed call can take effect at a later time, which its form asks for (`START_FIELD`). */
  readonly canStartLater?: boolean;
  /** Why a POST needs no authenticator code. */
  readonly withoutCode?: string;
  /** The path of the operation whose published versions it lists; that operation's fields describe a version. */
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

/** A described list. */
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

/** Whether a call has to be confirmed with the caller's authenticator code. */
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

/** An operation as the session of an operator lists it. */
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
  /** Whether a call has to be confirmed with a code of the operator's authenticator. */
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

/** An operation as an operator's session lists it, from its description. */
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
