import css from './grouped-code.module.css';

/** Number of characters shown at each end of a shortened code; enough for comparing two codes. */
const KEPT = 8;
const GROUP = 4;

/** Replaces the middle of an address or transaction ID of more than 20 characters by `…`. */
export function shortenCode(code: string): string {
  return code.length <= 2 * KEPT + 4 ? code : `${code.slice(0, KEPT)}…${code.slice(-KEPT)}`;
}

/**
 * Splits a code into groups of four characters, which are easier to read. If the length of a code of three groups or
 * more is no multiple of four, the group before the last one is shorter, so that the ends that users compare have four
 * characters each.
 */
export function groupsOfFour(code: string): readonly string[] {
  const groups = code.match(new RegExp(`.{1,${GROUP}}`, 'gs')) ?? [];
  const rest = code.length % GROUP;
  if (groups.length < 3 || rest === 0) return groups;
  const tail = code.slice(-GROUP - rest);
  return [...groups.slice(0, -2), tail.slice(0, rest), tail.slice(rest)];
}

/** Matches the beginning that all addresses of a kind share, which therefore does not distinguish them. */
const SHARED_START = /^(?:0x|(?:bc|ltc|addr)1)/i;

/**
 * Number of groups at the beginning of a code that together contain at least four characters after the
 * beginning that all addresses of the kind share.
 */
export function leadingGroups(code: string): number {
  const shared = SHARED_START.exec(code)?.[0].length ?? 0;
  return Math.ceil((shared + GROUP) / GROUP);
}

/**
 * Shows a full address in groups of four characters. Highlights the last group, and at the beginning the groups up to
 * the fourth character after the part that all addresses of the kind share, because users compare the highlighted
 * characters. If the user selects and copies it, the copied address has no gaps.
 */
export function GroupedCode({ text }: { readonly text: string }) {
  const groups = groupsOfFour(text);
  const leading = leadingGroups(text);
  return (
    <code className={css.code}>
      {groups.map((group, index) => (
        // The index is a stable key, because the groups of a code do not change their order.
        <span key={index} data-edge={index < leading || index === groups.length - 1 || undefined}>
          {group}
        </span>
      ))}
    </code>
  );
}
