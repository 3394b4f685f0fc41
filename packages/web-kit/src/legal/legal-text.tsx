import { AgreedDocument } from './agreed-document.tsx';
import { OperatorFacts, type OperatorFactsProps } from './operator-facts.tsx';
import { OwnDocument } from './own-document.tsx';
import type { Check } from './pages.ts';

interface LegalTextProps {
  readonly page: 'us' | 'protocol' | 'legal' | 'policy';
  /** Who runs the exchange; undefined until it is known. */
  readonly operator: OperatorFactsProps | undefined;
  /** Where on this site everything that can be checked is found. */
  readonly checks: Readonly<Record<Check, string>>;
  readonly licenses: string;
  /** Whether it lies over another page. */
  readonly isOver?: boolean;
}

/** One of the legal texts, below who runs the exchange. */
export function LegalText({ page, operator, checks, licenses, isOver = false }: LegalTextProps) {
  const around = { isOver, head: operator && <OperatorFacts {...operator} /> };
  if (page === 'protocol' || page === 'policy') return <AgreedDocument page={page} {...around} />;
  return <OwnDocument page={page} checks={checks} licenses={licenses} {...around} />;
}
