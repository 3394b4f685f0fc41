import type { KeptVersion, VersionsBelow } from '../database/kept-versions.ts';
import { FieldValues } from './field-values.ts';
import { ROLES, type Operation, type OperatorCall } from './operation.ts';

/** Versions of one answer. */
const SHOWN = 20;

interface Kept {
  readonly summary: string;
  /** The versions of what a call names, the newest first. */
  readonly read: (call: OperatorCall, which: VersionsBelow) => Promise<readonly KeptVersion[]>;
  /** Stored terms by the names of the form's fields, where they are stored otherwise. */
  readonly shown?: (terms: KeptVersion['terms']) => KeptVersion['terms'];
}

/**
 * The list of versions of what an operation publishes, page by page, the newest first: who, when, why, the terms, and
 * as `was` what of them the version before had otherwise (null: it had nothing there). The first version has no `was`.
 */
export function versionsOperation(
  publishes: Pick<Operation, 'path' | 'fields'>,
  { summary, read, shown = (terms) => terms }: Kept,
): Operation {
  return {
    method: 'GET',
    path: `${publishes.path}/versions`,
    summary,
    roles: ROLES,
    versionsOf: publishes,
    run: async (call) => {
      const values = new FieldValues(call.fields);
      const before = values.isSet('before') ? values.whole('before') : undefined;
      const found = await read(call, { before, limit: SHOWN + 1 });
      const kept = found.map((one) => ({ ...one, terms: shown(one.terms) }));
      const versions = kept.slice(0, SHOWN).map(({ terms, ...made }, index) => {
        const earlier = kept[index + 1];
        return {
          ...made,
          ...terms,
          ...(earlier === undefined ? {} : { was: changed(earlier.terms, terms) }),
        };
      });
      const last = versions.at(-1);
      return kept.length > SHOWN && last !== undefined
        ? { versions, next: String(last.version) }
        : { versions };
    },
  };
}

/** What earlier terms say where later ones say something else. */
function changed(earlier: KeptVersion['terms'], later: KeptVersion['terms']): Record<string, unknown> {
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => ordered(earlier[name]) !== ordered(later[name]))
      .map((name) => [name, earlier[name] ?? null]),
  );
}

/** JSON in which the order of names says nothing. */
function ordered(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
