/**
 * Returns the URL of a module that sets the time that `Date` returns in a process back by `behindMs`
 * milliseconds; the monotonic clock is not changed. `node --import=URL` loads the module before the program.
 */
export function lateClockModule(behindMs: number): string {
  const source = `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...parts) { parts.length === 0 ? super(Real.now() - ${behindMs}) : super(...parts); }
  static now() { return Real.now() - ${behindMs}; }
};`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
