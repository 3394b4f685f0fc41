import type { Step } from './run-steps.mjs';

export const GATES: readonly Step[];
export const PROOFS: readonly Step[];
export const SCRATCH: string;
export const SEEDED_DATA: string;
export function seedOfCommit(): string;
