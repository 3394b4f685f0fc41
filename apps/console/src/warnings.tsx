import type { CeilingNote, OperatorWarning } from '@exchange/web-kit/console/calls.ts';
import { formatNumbersIn } from './texts.ts';
import { WORDS } from './words.ts';

/** The server's warnings about unusual properties and costs of a request; renders nothing when there are none. */
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

/**
 * The value of a request in USDT beside the highest value that the operator's roles may decide about; it says
 * so if the coin has no price in USDT, or if there is no ceiling. Renders nothing for a request without such
 * a comparison.
 */
export function Ceiling({ ceiling }: { readonly ceiling: CeilingNote | undefined }) {
  if (ceiling === undefined) return null;
  const { value, most, asset } = ceiling;
  const worth = value === undefined ? WORDS.noPrice(asset) : WORDS.worth(formatNumbersIn(value));
  const limit = most === undefined ? WORDS.noCeiling : WORDS.ceiling(formatNumbersIn(most));
  return (
    <p className="dim">
      {worth} {limit}
    </p>
  );
}
