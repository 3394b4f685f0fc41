import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { InviteView } from '@exchange/web-kit/invite/invite-view.tsx';
import { SettingFrame } from './setting-frame.tsx';

/** Screen with the user's invitation code, and the rewards that the user received for invitations. */
export default function InviteScreen() {
  const t = useWords('invite');
  return (
    <SettingFrame title={t('title')}>
      <InviteView look="table" />
    </SettingFrame>
  );
}
