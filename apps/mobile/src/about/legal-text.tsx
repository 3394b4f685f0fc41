import type { LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import { LegalText as Text } from '@exchange/web-kit/legal/legal-text.tsx';
import { useOperator } from '@exchange/web-kit/server/operator.ts';
import { DEFAULT_INFO } from '@exchange/web-kit/market/trade-paths.ts';
import { VERIFY_HELP, paths } from '@exchange/web-kit/paths.ts';
import { LICENSES } from '../paths.ts';

const CHECKS = {
  proofs: paths.proofs,
  sources: DEFAULT_INFO,
  times: paths.withdrawalTimes,
  statistics: paths.seconds,
  verifier: VERIFY_HELP,
};

interface LegalTextProps {
  readonly page: LegalTextName;
  /** True when the legal text is shown in a sheet over another screen; omitted on the text's own screen. */
  readonly isOver?: boolean;
}

export function LegalText(props: LegalTextProps) {
  return <Text operator={useOperator()} checks={CHECKS} licenses={LICENSES} {...props} />;
}
