import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { InviteView } from '@exchange/web-kit/invite/invite-view.tsx';
import { SettingFrame } from './setting-frame.tsx';

/** The user's invitation code and the rewards from invitations. */
export default function InviteScreen() {
  const t = useWords('invite');
  return (
    <SettingFrame title={t('title')}>
      <InviteView look="table" />
    </SettingFrame>
  );
}
