import type { Violation } from './source/tree.mjs';

export function spellingViolations(root: string): Violation[];
