import type { Violation } from './source/tree.mjs';

export function requirementViolations(root: string): Violation[];
