export function findExecutable(
  names: readonly string[],
  furtherFolders?: readonly string[],
): string | undefined;
export function isExecutable(path: string): boolean;
