import type { Violation } from './source/tree.mjs';

/** What the first screen of an app may weigh, compressed. */
export const BUDGET_BYTES: number;

export function budgetViolations(
  root: string,
  budgetBytes?: number,
  print?: (line: string) => void,
): Violation[];
