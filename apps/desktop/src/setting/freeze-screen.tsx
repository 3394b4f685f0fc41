import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { FreezeByLink } from '@exchange/web-kit/user/freeze-by-link.tsx';

/** Page that the link in a security mail opens; on it the user can freeze the account. */
export default function FreezeScreen() {
  const t = useWords('security');
  useTitle(t('freeze'));
  return <FreezeByLink />;
}
