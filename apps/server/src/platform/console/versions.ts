import type { ListDescription } from '@exchange/wire/operation.ts';
import type { StoredVersion, VersionsBelow } from '../database/kept-versions.ts';
import { FieldValues } from './field-values.ts';
import type { CallOf, Operation, OperatorCall } from './operation.ts';

/** Number of versions on a page of the list of an object's published versions. */
const PAGE_SIZE = 20;

interface VersionsOptions<Call> {
  /**
   * Reads the published versions of the object of an operator's call, newest first: at most `limit`, with
   * numbers below `before`.
   */
  readonly read: (call: Call, range: VersionsBelow) => Promise<readonly StoredVersion[]>;
  /** Converts the names of stored terms to the names of the form's fields; absent if they are equal. */
  readonly shown?: (terms: StoredVersion['terms']) => StoredVersion['terms'];
}

/**
 * Serves the described list of the published versions of an object's terms, newest first, in pages. A row contains
 * operator, time, reason and terms, and in `was` the previous version's values of the changed terms (null for no
 * value). The first version has no `was`. Terms of earlier releases may have names that the description does not
 * contain.
 */
export function serveVersions<Described extends ListDescription>(
  description: Described,
  { read, shown = (terms) => terms }: VersionsOptions<CallOf<Described>>,
): Operation {
  const list = async (call: OperatorCall) => {
    const values = new FieldValues(call.fields);
    const before = values.isSet('before') ? values.whole('before') : undefined;
    const rows = await read(call, { before, limit: PAGE_SIZE + 1 });
    const allVersions = rows.map((version) => ({ ...version, terms: shown(version.terms) }));
    const versions = allVersions.slice(0, PAGE_SIZE).map(({ terms, ...attributes }, index) => {
      const earlier = allVersions[index + 1];
      return {
        ...attributes,
        ...terms,
        ...(earlier === undefined ? {} : { was: changed(earlier.terms, terms) }),
      };
    });
    const last = versions.at(-1);
    return allVersions.length > PAGE_SIZE && last !== undefined
      ? { versions, next: String(last.version) }
      : { versions };
  };
  return { ...description, run: list };
}

/** Returns the earlier values of the terms that differ between two versions. */
function changed(earlier: StoredVersion['terms'], later: StoredVersion['terms']): Record<string, unknown> {
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => canonicalJson(earlier[name]) !== canonicalJson(later[name]))
      .map((name) => [name, earlier[name] ?? null]),
  );
}

/** Converts a value to JSON text that does not depend on the order of object keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}
