/**
 * A field in the form of an operation on the operators' port, as the console shows it. The operation itself
 * checks the values.
 */
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
}

/** A warning before an operation is confirmed; it does not refuse the call. */
export interface OperatorWarning {
  /** The field that the warning concerns. */
  readonly field: string;
  readonly text: string;
}
