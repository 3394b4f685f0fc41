/** A finding of a repository check; `file` is relative to the root, `line` counts from 1. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly why: string;
}

/** Returns all files of the workspaces, or of `folders`, as sorted paths relative to the root. */
export function filesUnder(root: string, folders?: readonly string[]): string[];
