import type { Decimal } from '@exchange/core/decimal.ts';
import type { Locale, TextByLocale } from '@exchange/core/locale.ts';

/** Roles of operators. Owners may call every operation; each operation lists the other roles that may call it. */
export const ROLES = ['support', 'reviewer', 'finance', 'approver', 'product', 'auditor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A field in the form of an operation; the operation itself checks the value. */
export interface OperationField {
  readonly label: string;
  /**
   * Type of the input. `percent` and `durations` contain rates, which the form shows in percent and sends as fractions.
   */
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
  /** Name of a column of the selected row with a boolean; the form hides the field unless that value is true. */
  readonly onlyWhere?: string;
  /**
   * Name of the column of the selected row with the present value of the field; by default the column with the name of
   * the field.
   */
  readonly startsFrom?: string;
  /** Language of the present value, if the column of `startsFrom` contains a text in every language. */
  readonly locale?: Locale;
  /**
   * True if the field is initially empty, so that the operator must enter a value; the confirmation still shows the
   * present value for comparison.
   */
  readonly startsEmpty?: boolean;
  /**
   * True if the row has no present value of the field, even if it has a column with the field's name: the field is
   * initially empty, and nothing is compared with its new value.
   */
  readonly isNew?: boolean;
  /** True if the input has the whole width of the form; for lists that are written in one line. */
  readonly isWide?: boolean;
  /** Texts that the operator can insert into the field and then edit. */
  readonly templates?: readonly TextTemplate[];
  /** Name of the column of the selected row with the language in which templates are inserted; without it, English. */
  readonly templatesIn?: string;
}

/**
 * A text that an operator can insert, in the languages of the users; a user whose language is missing gets the English
 * text.
 */
export interface TextTemplate {
  readonly name: string;
  readonly text: TextByLocale;
}

export type OperationFields = Readonly<Record<string, OperationField>>;

/** A warning that the console shows before the operator confirms an operation; the operation can still be called. */
export interface OperatorWarning {
  /** Name of the field to which the warning belongs. */
  readonly field: string;
  readonly text: string;
}

/** Notes that the console shows beside a field's value in the preview of a call: market data, bounds and costs. */
export interface FieldNeighbours {
  readonly field: string;
  /**
   * Present market data for the field's value: a price, the depth of an order book, or the value of an
   * amount; undefined if there are none.
   */
  readonly market?: string | undefined;
  /** The maximum value that an operator may publish for the field; undefined if there is no maximum. */
  readonly ceiling?: string | undefined;
  /**
   * What the operation costs with the field's new value, such as `one win 800`; for some fields also who pays
   * the cost, or what the exchange keeps. Undefined for fields without such a text.
   */
  readonly cost?: string | undefined;
}

/** Result of comparing the value of a call with the maximum of the operator's roles; amounts are decimal text. */
export interface CeilingNote {
  /** Code of the coin whose amount the call decides about. */
  readonly asset: string;
  /** Value of the amount in USDT; absent if the coin has no price. */
  readonly value?: string;
  /** Maximum value in USDT about which the operator may decide in one call; absent if there is no maximum. */
  readonly most?: string;
}

/** Type of the values by kind of column, as the server's code returns them; JSON converts a `Decimal` to text. */
interface ColumnValues {
  /** Value of a column: a text, shown unchanged. */
  readonly text: string;
  /**
   * Value of a column: an ID, an address or a hash; tables show a long one shortened, and it can be copied.
   */
  readonly id: string;
  /** Value of a column: the ID of a user, shown as a link to the user's page. */
  readonly user: string;
  /**
   * Value of a column: an email address, shown as a link to the page of the user; the ID of the user is the
   * row's value in the column that `userIn` names.
   */
  readonly email: string;
  /** Value of a column: the account number (UID) of a user. */
  readonly uid: string | number;
  /**
   * Value of a column: a number that identifies something, such as a version; shown without thousands
   * separators.
   */
  readonly ordinal: string | number;
  /** Value of a column: a time in milliseconds UTC. */
  readonly instant: number;
  readonly flag: boolean;
  /** Value of a column: a status, shown as a word in colour; `tones` determines the colours. */
  readonly status: string;
  /** Value of a column: an identifier in camel case, such as `cancelOnly`; shown as words. */
  readonly word: string;
  /**
   * Value of a column: the name of an account or of a kind of ledger entry, such as `seconds.won`; shown as
   * `Seconds: won`.
   */
  readonly term: string;
  /** Value of a column: the symbol of a pair, or a text with symbols; shown with the names of the pairs. */
  readonly pairs: string;
  /** Value of a column: the method and path of an operation; shown as the name of the operation. */
  readonly operation: string;
  /** Value of a column: the field values of a call by field name, as JSON text. */
  readonly record: string;
  /**
   * Value of a column: durations of the seconds contract, such as `30:0.8:5 60:0.85:5`; shown in words. Each
   * contains the seconds, the profit rate as a fraction, and the minimum stake in USDT.
   */
  readonly durations: string;
  /** Value of a column: a fraction, shown in percent. */
  readonly rate: Decimal | string;
  /**
   * Value of a column: a decimal amount of a coin, which is the row's value in the column that `assetIn`
   * names.
   */
  readonly amount: Decimal | string;
  /** Value of a column: a decimal number; its unit, if it has one, is part of the label. */
  readonly figure: Decimal | string | number;
  /** Value of a column: a number of things, such as orders; an integer. */
  readonly count: number;
  /** Value of a column: a text in several languages; the English one is always present. */
  readonly texts: TextByLocale;
  /** Value of a column: the URL of a picture that can be loaded only once. */
  readonly picture: string;
}

export type ColumnKind = keyof ColumnValues;
/** The meaning of a status, which determines its colour. */
export type Tone = 'good' | 'waits' | 'bad';

/** A column of a list, or a fact in the evidence of an approval. */
export interface Column {
  readonly kind: ColumnKind;
  /** Heading of the column; by default its name in words: `Same document` for `sameDocument`. */
  readonly label?: string;
  /** True if a row can have no value in this column. */
  readonly isOptional?: boolean;
  /** For a column of amounts: the name of the column with their coin. */
  readonly assetIn?: string;
  /** For a column of email addresses: the name of the column with the ID of the user. */
  readonly userIn?: string;
  /** For a column of times: true if tables show the seconds. */
  readonly isExact?: boolean;
  /** For a column of records: the name of the column with the operation whose field values the record contains. */
  readonly operationIn?: string;
  /** True if tables and the details of a row omit this column, because the page shows its value in another way. */
  readonly isHidden?: boolean;
  /**
   * For a column with a status: the tone by value; a value that is missing here is shown without a colour.
   */
  readonly tones?: Readonly<Record<string, Tone>>;
}

export type Columns = Readonly<Record<string, Column>>;

type ValueOf<Described extends Column> = ColumnValues[Described['kind']];
type OptionalNames<Described extends Columns> = {
  [Name in keyof Described]: Described[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Described];

/** Converts an intersection to a single object type, so that a literal with an unknown property does not compile. */
export type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] };

/** Type of a row with the described columns, as the server's code returns it. */
export type RowOf<Described extends Columns> = Flat<
  {
    readonly [Name in Exclude<keyof Described, OptionalNames<Described>>]: ValueOf<Described[Name]>;
  } & {
    readonly [Name in OptionalNames<Described>]?: ValueOf<Described[Name]> | null | undefined;
  }
>;

/** Type of a row in a response, as the console reads it: each described column can have any value. */
export type AnsweredRow<Described extends Columns> = { readonly [Name in keyof Described]?: unknown };

/** Type with which a row that has a column without a description does not compile. */
export type NoOther<Row, Described extends Columns> = {
  readonly [Name in Exclude<keyof Row, keyof Described>]: never;
};

/** A condition of a row: the value of the column is one of the given values. */
export interface RowCondition {
  readonly column: string;
  readonly is: readonly (string | boolean)[];
}

/** Description of the rows of a list, or of the details of one object. */
export interface RowsDescription {
  /** Name of the field in the response that contains the rows. */
  readonly in: string;
  /** All columns that a row can have. */
  readonly columns: Columns;
  /** Names of the columns whose values together identify a row. */
  readonly key: readonly string[];
  /**
   * Names of the columns that a table shows, in sequence; `age` is the time that has passed since the time in the
   * column `since`. By default, all columns except the IDs among `key`.
   */
  readonly shown?: readonly string[];
  /** Names of the columns whose values form the heading of a row; the coin follows an amount. */
  readonly title?: readonly string[];
  /** Name of the column with the time since which the row has been waiting. */
  readonly since?: string;
  /**
   * Name of the column with the time by which the user was promised an answer; the age of a row is shown relative to
   * that time.
   */
  readonly promised?: string;
  /**
   * Condition of the rows in a queue that wait for a decision and are counted on the overview; without it, all rows
   * wait.
   */
  readonly pending?: RowCondition;
  /** Text that is shown when the list has no rows. */
  readonly empty?: string;
}

/**
 * Columns of what the console shows to the second operator for an approval. An approval is refused if `facts`
 * have changed since the proposal; `context` may change.
 */
export interface EvidenceDescription {
  readonly facts: Columns;
  readonly context?: Columns;
}

/** A list or an action on the operators' port, with all that the console needs to show it. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST';
  /** Path of the operation; begins with `/ops/` and the area of the console. `:name` is a path parameter. */
  readonly path: string;
  /** Name of the operation on tabs and buttons; the audit log shows it after the name of the area. */
  readonly name: string;
  /** A sentence about the operation, which the console shows. */
  readonly summary: string;
  /** Roles that may call the operation; owners may call every operation. */
  readonly roles: readonly Role[];
  /**
   * Form fields of a POST; the field `reason` is added to every POST that is not immediate (`isImmediate`). For a GET,
   * the fields that filter its list. If the list has more rows, the response contains `next`; a request with that value
   * as `before` returns the next rows.
   */
  readonly fields?: OperationFields;
  /** The rows of a GET's response; absent if the response is a file, a picture or the evidence of a proposal. */
  readonly rows?: RowsDescription;
  /**
   * Paths of the lists whose rows the operation can be called for; the path parameters are columns of these lists.
   * Absent if the operation is not for a row.
   */
  readonly concerns?: readonly string[];
  /**
   * Paths of the lists from whose selected row the path parameters are taken; if no row is selected, the operator types
   * them.
   */
  readonly mayConcern?: readonly string[];
  /** Conditions of the selected row; the console offers the operation only if the row satisfies all of them. */
  readonly appliesWhere?: readonly RowCondition[];
  /**
   * Present if the operation creates a new record; `name` is the text of its button. With `isOnlyFirst`, the button is
   * shown only while the list has no record.
   */
  readonly creates?: { readonly name: string; readonly isOnlyFirst?: boolean };
  /** Look of the operation's button: `main` for an approval, `danger` for a refusal or a restriction. */
  readonly emphasis?: 'main' | 'danger';
  /** Key of the keyboard that opens the form of the operation. */
  readonly key?: 'a' | 'r';
  /**
   * True if a click on the operation's button calls it immediately, without a form, a reason or a code. Only for
   * operations that decide nothing and can be undone.
   */
  readonly isImmediate?: boolean;
  /** True if the operation only records who works on a row of a queue, and decides nothing about the row. */
  readonly sharesWork?: boolean;
  /** Texts for the reason that the operator can insert and then edit. */
  readonly templates?: readonly string[];
  /** Label of the field `reason`, for operations in which the reason is the main content, such as a note. */
  readonly reasonLabel?: string;
  /**
   * Evidence that the second operator gets for the approval of a call; present if calls of the operation can require an
   * approval.
   */
  readonly evidence?: EvidenceDescription;
  /**
   * True if the list is a queue of pending work; the console's overview shows the number of its rows that wait for a
   * decision (`pending`).
   */
  readonly isQueue?: boolean;
  /**
   * True if the operation funds one of the exchange's own accounts; the console then offers it in the area of these
   * accounts too.
   */
  readonly isFunding?: boolean;
  /**
   * True if the form contains whole documents in every language, such as a whitepaper; the server then
   * accepts a longer request body than for other operations.
   */
  readonly takesDocuments?: boolean;
  /** True if the response of the operation is a file. */
  readonly isFile?: boolean;
  /**
   * True if the operator can only save the file; if false, the console shows the JSON of the file in the details of a
   * row.
   */
  readonly isDownload?: boolean;
  /** True if the response of the operation is a picture. */
  readonly isPicture?: boolean;
  /**
   * True if a call contains the number of the published version that the operator saw; the call is refused if another
   * version is current.
   */
  readonly isVersioned?: boolean;
  /** True if the console can show, before the operator confirms a call, what users would see afterwards. */
  readonly isPreviewed?: boolean;
  /**
   * True if the operation is a routine decision: during a confirmation period, its calls within the limits of the
   * period need no code of their own. A call that a second operator must approve needs a code in any case.
   */
  readonly isRoutine?: boolean;
  /** True if the operator can decide several rows with one confirmation. */
  readonly takesSeveral?: boolean;
  /**
   * True if the operator can enter a later time at which the confirmed call takes effect (form field `START_FIELD`).
   */
  readonly canStartLater?: boolean;
  /** Reason why a POST needs no authenticator code; absent for a POST that needs one. */
  readonly withoutCode?: string;
  /**
   * Path of the operation that publishes the versions in this list; the fields of that operation are the terms of a
   * version.
   */
  readonly versionsOf?: string;
}

/** Name of the form field with the time at which a call takes effect, for operations with `canStartLater`. */
export const START_FIELD = 'startsAt';
const START: OperationField = {
  label: 'Takes effect at; at once if empty',
  kind: 'time',
  isOptional: true,
  startsEmpty: true,
};

/** Description of an operation whose response is a list. */
export interface ListDescription extends OperationDescription {
  readonly method: 'GET';
  readonly rows: RowsDescription;
}

/** Returns the description of an operation unchanged, but with the exact types of its fields and rows. */
export function describeOperation<const Described extends OperationDescription>(
  description: Described,
): Described {
  return description;
}

/**
 * Returns whether an operator must confirm a call of the operation: with an authenticator code, or, if the operation is
 * a routine decision, by an open confirmation period.
 */
export function takesCode({
  method,
  withoutCode,
}: Pick<OperationDescription, 'method' | 'withoutCode'>): boolean {
  return method === 'POST' && withoutCode === undefined;
}

/**
 * Returns the text by which proposals and the audit log identify an operation: the method, a space and the
 * path.
 */
export function operationKey({ method, path }: Pick<OperationDescription, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** An operation in the list of those that an operator's session may call. */
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
   * True if the operator must confirm a call: with an authenticator code, or, if the operation is a routine decision,
   * by an open confirmation period.
   */
  readonly takesCode: boolean;
  readonly isRoutine: boolean;
  readonly takesSeveral: boolean;
}

/**
 * Returns the form fields of an operation: those of its description, and if it can start later, the field for
 * the time of its start.
 */
export function formFieldsOf({
  fields = {},
  canStartLater,
}: Pick<OperationDescription, 'fields' | 'canStartLater'>): OperationFields {
  return canStartLater === true ? { ...fields, [START_FIELD]: START } : fields;
}

/** Converts the description of an operation to the form in which an operator's session receives it. */
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

/** Returns the names of the parameters in a path: `code` for `/ops/fund/funds/:code`. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
