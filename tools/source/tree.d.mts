/** Something a repository check objects to; `file` is relative to the root, `line` counts from 1. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly why: string;
}

/** Every file of the workspaces, or of some folders, as sorted paths relative to the root. */
export function filesUnder(root: string, folders?: readonly string[]): string[];
