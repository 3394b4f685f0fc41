import type { Evidence } from './evidence.mjs';

export function settlementFault(settlement: unknown, evidence?: Evidence): string | undefined;
