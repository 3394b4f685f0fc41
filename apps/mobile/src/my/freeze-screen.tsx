import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { FreezeByLink } from '@exchange/web-kit/user/freeze-by-link.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

/** Page that the link in a security mail opens; on it the user can freeze the account. */
export default function FreezeScreen() {
  const t = useWords('security');
  return (
    <Screen title={t('freeze')} parent={paths.home}>
      <FreezeByLink />
    </Screen>
  );
}
