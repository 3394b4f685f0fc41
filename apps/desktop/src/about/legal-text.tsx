import { AgreedDocument } from '@exchange/web-kit/legal/agreed-document.tsx';
import { OperatorFacts } from '@exchange/web-kit/legal/operator-facts.tsx';
import { OwnDocument } from '@exchange/web-kit/legal/own-document.tsx';
import { useOperator } from '@exchange/web-kit/server/operator.ts';
import { DEFAULT_INFO, LICENSES, paths, VERIFY_HELP, type LegalPage } from '../paths.ts';

const CHECKS = {
  proofs: paths.proofs,
  sources: DEFAULT_INFO,
  times: paths.withdrawalTimes,
  statistics: paths.seconds,
  verifier: VERIFY_HELP,
};

interface LegalTextProps {
  readonly page: Exclude<LegalPage, 'connect'>;
  /** Whether it lies over another page. */
  readonly isOver?: boolean;
}

/** One of the legal texts, below who runs the exchange. */
export function LegalText({ page, isOver = false }: LegalTextProps) {
  const operator = useOperator();
  const around = { isOver, head: operator && <OperatorFacts {...operator} /> };
  if (page === 'protocol' || page === 'policy') return <AgreedDocument page={page} {...around} />;
  return <OwnDocument page={page} checks={CHECKS} licenses={LICENSES} {...around} />;
}
