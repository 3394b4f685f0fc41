import type { OperatorWarning } from '@exchange/web-kit/console/calls.ts';
import { formatNumbersIn } from './texts.ts';
import { WORDS } from './words.ts';

/** Unusual properties and costs of a call; renders nothing when there are none. */
export function Warnings({ warnings }: { readonly warnings: readonly OperatorWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="warnings" aria-label={WORDS.warnings}>
      <h3>{WORDS.warnings}</h3>
      <ul>
        {warnings.map(({ field, text }) => (
          <li key={`${field} ${text}`}>{formatNumbersIn(text)}</li>
        ))}
      </ul>
    </section>
  );
}
