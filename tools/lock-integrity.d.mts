import type { Violation } from './source/tree.mjs';

export function lockViolations(root: string): Violation[];
