export function levelOf(module: string): number | null;
