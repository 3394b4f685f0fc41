import { isRecord, parseJson, readStored, store } from '@exchange/web-kit/storage.ts';
import { type DeskLayout, layoutToJson, parseLayout } from './desk-layout.ts';

const STORAGE_KEY = 'desk';
/** Version of the stored format. A desk stored in another version is ignored. */
const VERSION = 1;

/** Maximum number of layouts that a user can save on a device. */
export const SAVED_MAX = 20;
/** Maximum number of characters of a layout's name. */
export const NAME_MAX = 30;

/** A layout that the user has saved under a name. */
export interface SavedLayout {
  readonly name: string;
  readonly layout: DeskLayout;
}

/**
 * The data of the desk that a device stores: the current arrangement, the name of the saved layout from which
 * it started, and the saved layouts.
 */
export interface StoredDesk {
  /** The arrangement of the last visit; undefined before the first and when it cannot be read. */
  readonly current: DeskLayout | undefined;
  /**
   * Name of the saved layout that the current arrangement started from; undefined if it started from a preset, or from
   * a layout that is no longer saved.
   */
  readonly name: string | undefined;
  /** Saved layouts in the order in which they were first saved; at most `SAVED_MAX`. */
  readonly saved: readonly SavedLayout[];
}

/**
 * Parses the stored text of the desk. A text that is damaged or of another version gives a desk without layouts; a
 * damaged layout in a valid text is dropped without an effect on the others. Of several layouts with one name the last
 * is used, and layouts after the first `SAVED_MAX` are dropped.
 */
export function parseDesk(text: string | null): StoredDesk {
  const stored = parseJson(text);
  if (!isRecord(stored) || stored['version'] !== VERSION)
    return { current: undefined, name: undefined, saved: [] };
  const layouts = Array.isArray(stored['saved']) ? stored['saved'] : [];
  const saved = new Map<string, SavedLayout>();
  for (const entry of layouts.slice(0, SAVED_MAX)) {
    const layout = isRecord(entry) ? parseLayout(entry['layout']) : undefined;
    const name = isRecord(entry) && typeof entry['name'] === 'string' ? layoutName(entry['name']) : undefined;
    if (layout !== undefined && name !== undefined) saved.set(name, { name, layout });
  }
  const { name } = stored;
  return {
    current: parseLayout(stored['current']),
    name: typeof name === 'string' && saved.has(name) ? name : undefined,
    saved: [...saved.values()],
  };
}

/**
 * Returns a typed name with surrounding spaces removed and inner runs of spaces replaced by one; undefined
 * when it is empty or too long.
 */
export function layoutName(typed: string): string | undefined {
  const name = typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const { length } = Array.from(name);
  return length >= 1 && length <= NAME_MAX ? name : undefined;
}

/**
 * Reads the desk that is stored on this device; without one, or for another version of the format, a desk
 * without arrangement, name and saved layouts.
 */
export function readDesk(): StoredDesk {
  return parseDesk(readStored(STORAGE_KEY));
}

/**
 * Applies `change` to the desk that is stored on this device now, which another tab may have changed meanwhile, stores
 * the result and returns it.
 */
export function changeDesk(change: (desk: StoredDesk) => StoredDesk): StoredDesk {
  const desk = change(readDesk());
  const { current, name, saved } = desk;
  store(
    STORAGE_KEY,
    JSON.stringify({
      version: VERSION,
      current: current && layoutToJson(current),
      name,
      saved: saved.map((entry) => ({ name: entry.name, layout: layoutToJson(entry.layout) })),
    }),
  );
  return desk;
}

/**
 * Returns the desk with `layout` saved under `name`, in place of an earlier layout of that name; `name`
 * becomes the name of the current arrangement. Returns the desk unchanged when the name is new and the desk
 * already has the maximum number of layouts.
 */
export function withSaved(desk: StoredDesk, name: string, layout: DeskLayout): StoredDesk {
  const isReplaced = desk.saved.some((entry) => entry.name === name);
  if (!isReplaced && desk.saved.length >= SAVED_MAX) return desk;
  const saved = isReplaced
    ? desk.saved.map((entry) => (entry.name === name ? { name, layout } : entry))
    : [...desk.saved, { name, layout }];
  return { ...desk, name, saved };
}

/**
 * Returns the desk with the saved layout `before` renamed to `name`; unchanged when the new name belongs to
 * another layout.
 */
export function withRenamed(desk: StoredDesk, before: string, name: string): StoredDesk {
  if (before !== name && desk.saved.some((entry) => entry.name === name)) return desk;
  return {
    ...desk,
    name: desk.name === before ? name : desk.name,
    saved: desk.saved.map((entry) => (entry.name === before ? { ...entry, name } : entry)),
  };
}

/**
 * Returns the desk without the saved layout `name`. The current arrangement stays as it is; it has no name
 * any more if it started from this layout.
 */
export function withoutSaved(desk: StoredDesk, name: string): StoredDesk {
  return {
    ...desk,
    name: desk.name === name ? undefined : desk.name,
    saved: desk.saved.filter((entry) => entry.name !== name),
  };
}
