/** Returns whether `error` has one of these error codes of the operating system (ENOENT, EEXIST …). */
export function isFileSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
