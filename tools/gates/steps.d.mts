import type { Step } from './run-steps.mjs';

export const GATES: readonly Step[];
export const PROOFS: readonly Step[];
export function seedOfCommit(): string;
