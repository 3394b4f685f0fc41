export function scratchFolder(
  run: number,
  machine?: { readonly memory?: string; readonly available?: number },
): string;
