import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useUnreadCount } from '@exchange/web-kit/message/queries.ts';
import { Bell } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import classes from './top-bar.module.css';

/** The bell with the number of unread messages; it opens the inbox. */
export function MessageBell() {
  const t = useWords('shell');
  const count = useUnreadCount();
  return (
    <Link className={classes.icon} to={paths.setting.messages} aria-label={t('unread', { count })}>
      <Bell size={18} aria-hidden="true" />
      {count > 0 && (
        <span className={classes.badge} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}
