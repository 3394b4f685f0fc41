import css from './grouped-code.module.css';

/** Of a code that is shortened, so many characters stay at either end: enough to compare by. */
const KEPT = 8;
const GROUP = 4;

/** An address or the ID of a transaction, its middle left out. */
export function shortened(code: string): string {
  return code.length <= 2 * KEPT + 4 ? code : `${code.slice(0, KEPT)}…${code.slice(-KEPT)}`;
}

/** A code in groups of four, as people read it out. */
export function inFours(code: string): readonly string[] {
  return code.match(new RegExp(`.{1,${GROUP}}`, 'gs')) ?? [];
}

/** All of an address in groups of four, the first and the last set off to compare by; what is marked and copied has no gaps. */
export function GroupedCode({ text }: { readonly text: string }) {
  const groups = inFours(text);
  return (
    <code className={css.code}>
      {groups.map((group, at) => (
        // Groups of one code stay where they are.
        <span key={at} data-edge={at === 0 || at === groups.length - 1 || undefined}>
          {group}
        </span>
      ))}
    </code>
  );
}
