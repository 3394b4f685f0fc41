import type { OperatorWarning } from '@exchange/web-kit/console/calls.ts';
import { groupedIn } from './texts.ts';
import { WORDS } from './words.ts';

/** What is unusual about a call, and what it costs; nothing where there is none. */
export function Warnings({ warnings }: { readonly warnings: readonly OperatorWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="warnings" aria-label={WORDS.warnings}>
      <h3>{WORDS.warnings}</h3>
      <ul>
        {warnings.map(({ field, text }) => (
          <li key={`${field} ${text}`}>{groupedIn(text)}</li>
        ))}
      </ul>
    </section>
  );
}
