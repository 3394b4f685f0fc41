import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { type KindChoice, KindTabs } from '@exchange/web-kit/message/kind-tabs.tsx';
import { type Message, useMessages, useReadMessages } from '@exchange/web-kit/message/queries.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Bell, Settings } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { messagePath } from '../paths.ts';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { Screen } from '../shell/screen.tsx';
import css from './my.module.css';

export default function MessagesScreen() {
  const t = useWords('messages');
  const [tab, setTab] = useState<KindChoice>('all');
  const [unreadOnly, setUnreadOnly] = useState(false);
  const list = useMessages({ type: tab === 'all' ? undefined : tab, unreadOnly });
  return (
    <Screen title={t('title')} parent={paths.my} end={<Actions />}>
      <KindTabs look="text" value={tab} onChange={setTab} />
      <div className={css.unreadOnly}>
        <Switch label={t('unreadOnly')} checked={unreadOnly} onChange={setUnreadOnly} />
      </div>
      <PullToRefresh onRefresh={list.reload}>
        <ListBody
          look="cards"
          isLoading={list.isLoading}
          error={list.error}
          onRetry={() => void list.reload()}
        >
          {list.rows.length === 0 ? (
            <EmptyState icon={<Bell size={22} />} text={t(unreadOnly ? 'nothingUnread' : 'none')} />
          ) : null}
          {list.rows.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
          <ListEnd list={list} auto showsEnd />
        </ListBody>
      </PullToRefresh>
    </Screen>
  );
}

function MessageRow({ message }: { message: Message }) {
  const t = useWords('messages');
  const isUnread = message.readFlag === 0;
  return (
    <Link to={messagePath(message.id)} className={css.message}>
      <span className={css.dot} data-unread={isUnread}>
        {isUnread ? <span className="visually-hidden">{t('unread')}</span> : null}
      </span>
      <span className={css.messageBody}>
        <span className={css.messageTitle}>{message.title}</span>
        <p className={css.messageText}>{message.summary}</p>
        <When at={message.createTime} className={css.messageTime} />
      </span>
    </Link>
  );
}

function Actions() {
  const t = useWords('messages');
  return (
    <span className={css.actions}>
      <ReadAll />
      <Link to={paths.messageSettings} className={css.gear} aria-label={t('settings')}>
        <Settings size={20} aria-hidden="true" />
      </Link>
    </span>
  );
}

function ReadAll() {
  const t = useWords('messages');
  const read = useReadMessages();
  const markAllRead = async () => {
    try {
      await read.mutateAsync('all');
      notify.success(t('allRead'));
    } catch (error) {
      // Marking the messages of the inbox as read was refused, or the request failed. The notification states
      // the reason, and the list shows the messages that are still unread.
      notify.failure(error);
    }
  };
  return (
    <Button look="quiet" size="s" busy={read.isPending} onClick={() => void markAllRead()}>
      {t('readAll')}
    </Button>
  );
}
