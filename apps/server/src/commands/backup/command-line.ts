/** Runs a command. If it fails, prints the error's message, or for a bug its stack, and sets exit code 1. */
export async function commandLine(runCommand: () => Promise<void>): Promise<void> {
  try {
    await runCommand();
  } catch (cause) {
    const { message, stack } = cause instanceof Error ? cause : new Error(String(cause));
    const isBug =
      cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError;
    process.stderr.write(`${isBug ? stack : message}\n`);
    process.exitCode = 1;
  }
}
