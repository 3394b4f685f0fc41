/** Something a repository check objects to; `file` is relative to the root, `line` counts from 1. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly why: string;
}
