/** The part of a form that some of its text fields make up: what a group of fields needs to know of it. */
export interface FormPart<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly set: (field: Field, value: string) => void;
  /** The person has left the field: its problem may be shown. */
  readonly leave: (field: Field) => void;
  readonly errorOf: (field: Field) => string | undefined;
  /** Shows one field's problem; gives whether there is none. */
  readonly checkField: (field: Field) => boolean;
}
