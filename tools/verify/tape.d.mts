export function canonical(value: unknown): string;
export function tapeFault(texts: readonly string[], digits?: number): string | undefined;
