import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { FreezeByLink } from '@exchange/web-kit/user/freeze-by-link.tsx';

/** Landing page of the mailed link that freezes an account. */
export default function FreezeScreen() {
  const t = useWords('security');
  useTitle(t('freeze'));
  return <FreezeByLink />;
}
