import css from './grouped-code.module.css';

/** Number of characters shown at each end of a shortened code; enough for comparing two codes. */
const KEPT = 8;
const GROUP = 4;

/** Replaces the middle of an address or transaction ID of more than 20 characters by `…`. */
export function shortenCode(code: string): string {
  return code.length <= 2 * KEPT + 4 ? code : `${code.slice(0, KEPT)}…${code.slice(-KEPT)}`;
}

/** Splits a code into groups of four characters, which are easier to read. */
export function groupsOfFour(code: string): readonly string[] {
  return code.match(new RegExp(`.{1,${GROUP}}`, 'gs')) ?? [];
}

/**
 * Shows a full address in groups of four characters, of which the first and last are highlighted. If the user selects
 * and copies it, the copied address has no gaps.
 */
export function GroupedCode({ text }: { readonly text: string }) {
  const groups = groupsOfFour(text);
  return (
    <code className={css.code}>
      {groups.map((group, index) => (
        // The index is a stable key, because the groups of a code do not change their order.
        <span key={index} data-edge={index === 0 || index === groups.length - 1 || undefined}>
          {group}
        </span>
      ))}
    </code>
  );
}
