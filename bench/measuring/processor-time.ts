/** Answers every message of the parent process with the processor time used so far, in microseconds. */
export function answerProcessorTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
}
