import { AnnouncementList } from '@exchange/web-kit/board/announcement-list.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Screen } from '../shell/screen.tsx';
import { SupportButton } from '../shell/support-button.tsx';

/** Screen with the public announcements of the exchange. */
export default function AnnouncementsScreen() {
  const t = useWords('board');
  return (
    <Screen title={t('title')} end={<SupportButton />}>
      <AnnouncementList />
    </Screen>
  );
}
