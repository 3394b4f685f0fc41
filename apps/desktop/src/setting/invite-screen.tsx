import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { InviteView } from '@exchange/web-kit/invite/invite-view.tsx';
import { SettingFrame } from './setting-frame.tsx';

/** The own invitation code, and what it has brought. */
export default function InviteScreen() {
  const t = useWords('invite');
  return (
    <SettingFrame title={t('title')}>
      <InviteView look="table" />
    </SettingFrame>
  );
}
