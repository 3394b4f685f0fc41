import { AnnouncementList } from '@exchange/web-kit/board/announcement-list.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import screen from '../style/screen.module.css';

/** Screen with the public announcements of the exchange. */
export default function AnnouncementsScreen() {
  const t = useWords('board');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <AnnouncementList />
    </div>
  );
}
