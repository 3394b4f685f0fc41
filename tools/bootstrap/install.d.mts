export function requireNode(version: string): void;
export function ensureInstalled(root: string, say: (line: string) => void): void;
