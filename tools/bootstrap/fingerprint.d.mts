export type Target = 'server' | 'desktop' | 'mobile' | 'console';

export function staleTargets(root: string): Target[];
export function fingerprintOf(root: string, target: Target): string;
export function stampOf(root: string, target: Target): string;
