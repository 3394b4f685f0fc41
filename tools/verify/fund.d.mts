import type { Evidence } from './evidence.mjs';

export function positionFault(proof: unknown, evidence: Pick<Evidence, 'lines'>): string | undefined;
