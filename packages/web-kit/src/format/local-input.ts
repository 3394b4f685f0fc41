/** Moments as `<input type="datetime-local">` has them: local time to the minute, `2026-11-21T08:05`. */

/** A moment (milliseconds UTC) as the field's text, cut to the minute; empty for none. */
export function localInputOf(atMs: number | undefined): string {
  if (atMs === undefined) return '';
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A moment (milliseconds UTC) cut to the minute that the field shows; undefined for none. */
export function shownMoment(atMs: number | undefined): number | undefined {
  return momentOfLocalInput(localInputOf(atMs));
}

/** The moment (milliseconds UTC) that the field says; undefined while it is incomplete. */
export function momentOfLocalInput(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined;
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? undefined : time;
}
