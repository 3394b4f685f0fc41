import type { Violation } from './source/tree.mjs';

/** The limit for the scripts of the first screen of each app, in bytes after gzip. */
export const BUDGETS_BYTES: ReadonlyMap<string, number>;

export interface FirstScreen {
  readonly app: string;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** Total of all files in bytes after gzip. */
  readonly bytes: number;
}

/**
 * Returns the scripts that the first screen of a built app loads: its entry, all static imports, and the lazy chunks
 * that the first screen needs.
 */
export function firstScreenOf(root: string, app: string): FirstScreen;

export function budgetViolations(
  root: string,
  budgets?: ReadonlyMap<string, number>,
  print?: (line: string) => void,
): Violation[];
