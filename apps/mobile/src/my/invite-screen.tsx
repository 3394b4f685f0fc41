import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { InviteView } from '@exchange/web-kit/invite/invite-view.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

/** Screen with the user's invitation code, and the rewards that the user received for invitations. */
export default function InviteScreen() {
  const t = useWords('invite');
  return (
    <Screen title={t('title')} parent={paths.my}>
      <InviteView look="cards" />
    </Screen>
  );
}
