export type Target = 'server' | 'desktop' | 'mobile' | 'console';

export const TARGET_NAMES: readonly Target[];

export function staleTargets(root: string): Target[];
export function fingerprintOf(root: string, target: Target): string;
export function stampOf(root: string, target: Target): string;
