import { inFours } from './codes.ts';
import css from './grouped-code.module.css';

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
