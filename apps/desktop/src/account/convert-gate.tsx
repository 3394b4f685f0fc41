import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { loginPathFor, pathWithReturn } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { usePurchaseGate, type PurchaseObstacle } from '@exchange/web-kit/user/purchase-gate.ts';
import { useLocation } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';

/**
 * The reason for which a user cannot convert coins. A missing trade password does not prevent a conversion,
 * so it is not included.
 */
type ConvertObstacle = Exclude<PurchaseObstacle, 'needsPassword'>;

/**
 * Hook that returns what prevents the current user from converting coins; undefined when nothing does, and
 * while the user's status is unknown.
 */
export function useConvertObstacle(): ConvertObstacle | undefined {
  const { gate } = usePurchaseGate();
  return gate === 'needsPassword' ? undefined : gate;
}

interface ConvertGateProps {
  readonly obstacle: ConvertObstacle;
  /** Sentence that explains why the user cannot convert coins. */
  readonly text: string;
}

/**
 * States why the user cannot convert coins, with a link to the screen where the user can change that, if there is one.
 */
export function ConvertGate({ obstacle, text }: ConvertGateProps) {
  const t = useWords('convert');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  const links = {
    needsLogin: [loginPathFor(pathname + search), shell('login')],
    needsVerification: [pathWithReturn(paths.verify, pathname + search), t('toVerification')],
    notPermitted: undefined,
  } as const;
  const link = links[obstacle];
  return (
    <>
      <p>{text}</p>
      {link === undefined ? null : <ButtonLink to={link[0]}>{link[1]}</ButtonLink>}
    </>
  );
}
