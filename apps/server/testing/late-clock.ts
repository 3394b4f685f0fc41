/**
 * URL of a module that sets the clock of a process back by a number of milliseconds. `node --import=URL` loads the
 * module before the program.
 */
export function lateClockModule(behindMs: number): string {
  const source = `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...parts) { parts.length === 0 ? super(Real.now() - ${behindMs}) : super(...parts); }
  static now() { return Real.now() - ${behindMs}; }
};`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
