/** Does what a command is for, and tells its operator in one sentence why where it cannot be done; of a bug, where. */
export async function commandLine(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    const { message, stack } = cause instanceof Error ? cause : new Error(String(cause));
    const isBug =
      cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError;
    process.stderr.write(`${isBug ? stack : message}\n`);
    process.exitCode = 1;
  }
}
