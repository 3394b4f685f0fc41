import type { Violation } from './source/tree.mjs';

/** What the first screen of an app may weigh, compressed. */
export const BUDGET_BYTES: number;

export interface FirstScreen {
  readonly app: string;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** Of all files together, compressed with gzip. */
  readonly bytes: number;
}

/** Weighs the entry of a built app, everything it imports, and the lazy parts its first screen needs. */
export function firstScreenOf(root: string, app: string): FirstScreen;

export function budgetViolations(
  root: string,
  budgetBytes?: number,
  print?: (line: string) => void,
): Violation[];
