import type { ReactNode } from 'react';
import { directionOfPercent } from '../format/format.ts';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';

/** Currency of all values of the tax report. */
export const CASH = 'USDT';

/** Shows a value with its name in a list of figures. */
export function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface WorthProps {
  /** Value in USDT; null if it is not known. */
  readonly value: string | null;
  readonly signed?: boolean;
}

/**
 * Shows a value in USDT, or that it is unknown (null). With `signed`, its colour shows whether it is positive
 * or negative.
 */
export function Worth({ value, signed = false }: WorthProps) {
  const t = useWords('tax');
  if (value === null) return <span>{t('unknown')}</span>;
  return (
    <span data-way={signed ? directionOfPercent(value) : undefined}>
      <Amount value={value} kind="worth" coin={CASH} signed={signed} />
    </span>
  );
}

/** Shows the name of the sub-account of an event, and a separator after it; nothing for the main account. */
export function SubAccount({ name }: { readonly name: string }) {
  const t = useWords('tax');
  return name === '' ? null : <>{t('subAccount', { name })} · </>;
}
