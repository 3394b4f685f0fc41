import type { StepResult } from './run-steps.mjs';

export function summaryOf(results: readonly StepResult[], cost: string): string[];
