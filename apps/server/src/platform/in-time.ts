/**
 * Resolves to the outcome of `work`. If it takes longer than `ms` milliseconds, resolves to what `late` returns, or
 * rejects with what `late` throws; the work continues, and its outcome is ignored.
 */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
