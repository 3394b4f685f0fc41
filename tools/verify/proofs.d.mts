import type { Evidence } from './evidence.mjs';

export function leafFault(document: unknown, evidence?: Pick<Evidence, 'keys'>): string | undefined;
