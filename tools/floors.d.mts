import type { Violation } from './source/tree.mjs';

export function floorViolations(root: string): Violation[];
