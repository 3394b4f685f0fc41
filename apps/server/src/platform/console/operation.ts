import type { FormFields } from '../http/form.ts';

/** What an operator has sent: the named parts of the path, and the form's fields. */
export interface OperatorCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: FormFields;
}

/** Something an operator may see or do on the console's port. Only who has the operator's token reaches it. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Below `/ops/`; `:name` stands for one part of the path. */
  readonly path: string;
  /** Gives what is answered as JSON; throws `Refused` for what cannot be done. */
  run(call: OperatorCall): Promise<unknown>;
}
