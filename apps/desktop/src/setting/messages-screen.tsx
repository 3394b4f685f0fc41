import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { DeleteRead } from '@exchange/web-kit/message/message-settings.tsx';
import { KindTabs, type KindChoice } from '@exchange/web-kit/message/kind-tabs.tsx';
import {
  useDeleteMessages,
  useMessages,
  useReadMessages,
  type Message,
} from '@exchange/web-kit/message/queries.ts';
import { useUnreadCount } from '@exchange/web-kit/message/unread-count.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button, ButtonLink, IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { Settings, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

/** Inbox screen: the user's messages, newest first; the user can restrict them to a kind and to unread ones. */
export default function MessagesScreen() {
  const t = useWords('messages');
  const [kind, setKind] = useState<KindChoice>('all');
  const [unreadOnly, setUnreadOnly] = useState(false);
  const unread = useUnreadCount();
  const read = useReadMessages();
  const messages = useMessages({ type: kind === 'all' ? undefined : kind, unreadOnly });

  const readAll = (): void =>
    read.mutate('all', { onSuccess: () => notify.success(t('allRead')), onError: notify.failure });

  return (
    <SettingFrame
      title={t('title')}
      end={
        <div className={classes.actions}>
          <Button look="secondary" size="s" disabled={unread === 0} busy={read.isPending} onClick={readAll}>
            {t('readAll')}
          </Button>
          <DeleteRead Frame={Dialog} />
          <ButtonLink
            look="secondary"
            size="s"
            to={paths.messageSettings}
            icon={<Settings size={15} aria-hidden="true" />}
          >
            {t('settings')}
          </ButtonLink>
        </div>
      }
    >
      <section className={classes.card}>
        <div className={classes.bar}>
          <KindTabs value={kind} onChange={setKind} />
          <Switch label={t('unreadOnly')} checked={unreadOnly} onChange={setUnreadOnly} />
        </div>
        <ListBody
          isLoading={messages.isLoading}
          error={messages.error}
          onRetry={() => void messages.reload()}
          isEmpty={messages.rows.length === 0}
          empty={t(unreadOnly ? 'nothingUnread' : 'none')}
          skeletonRows={6}
        >
          <ul>
            {messages.rows.map((message) => (
              <MessageRow key={message.id} message={message} />
            ))}
          </ul>
          <ListEnd list={messages} />
        </ListBody>
      </section>
    </SettingFrame>
  );
}

function MessageRow({ message }: { message: Message }) {
  const t = useWords('messages');
  const remove = useDeleteMessages();
  const deleteMessage = (): void =>
    remove.mutate(message, { onSuccess: () => notify.success(t('deleted')), onError: notify.failure });
  return (
    <li className={classes.message} data-unread={message.readFlag === 0 || undefined}>
      <Link to={`${paths.message}?id=${message.id}`}>
        <b>{message.title}</b>
        {message.readFlag === 0 && <Badge tone="accent">{t('unread')}</Badge>}
        <When at={message.createTime} look="minute" />
        <p>{message.summary}</p>
      </Link>
      <IconButton
        label={t('delete')}
        aria-description={message.title}
        disabled={remove.isPending}
        onClick={deleteMessage}
      >
        <Trash2 size={16} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
