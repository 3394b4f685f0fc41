import css from './grouped-code.module.css';

/** Characters kept at each end of a shortened code, enough to compare it. */
const KEPT = 8;
const GROUP = 4;

/** Shortens an address or transaction ID of more than 20 characters in the middle. */
export function shortenCode(code: string): string {
  return code.length <= 2 * KEPT + 4 ? code : `${code.slice(0, KEPT)}…${code.slice(-KEPT)}`;
}

/** Splits a code into groups of four characters for reading. */
export function groupsOfFour(code: string): readonly string[] {
  return code.match(new RegExp(`.{1,${GROUP}}`, 'gs')) ?? [];
}

/**
 * Shows a full address in groups of four characters; the first and last are highlighted. Selecting and copying yields
 * the address without gaps.
 */
export function GroupedCode({ text }: { readonly text: string }) {
  const groups = groupsOfFour(text);
  return (
    <code className={css.code}>
      {groups.map((group, index) => (
        // The index is a stable key: the groups of a code never move.
        <span key={index} data-edge={index === 0 || index === groups.length - 1 || undefined}>
          {group}
        </span>
      ))}
    </code>
  );
}
