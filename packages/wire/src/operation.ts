/** A field of an operation's form on the operators' port, as the console shows it; the operation checks what is sent. */
export interface OperationField {
  readonly label: string;
  /**
   * How it is typed. `percent` and `durations` hold rates: they are sent as fractions, and the console shows and reads
   * them in percent.
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
  /** The name of a value of the chosen row: where that value is not true, the field is not asked for. */
  readonly onlyWhere?: string;
}

/** What an operator should consider before confirming; the call is not refused for it. */
export interface OperatorWarning {
  /** The field it is about. */
  readonly field: string;
  readonly text: string;
}
