import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  useMessages,
  useReadMessages,
  useUnreadCount,
  type MessageKind,
} from '@exchange/web-kit/message/queries.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { paths } from '../paths.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

const KINDS = ['1', '2', '3', '4'] as const satisfies readonly MessageKind[];

/** The inbox by kind, newest first. */
export default function MessagesScreen() {
  const t = useWords('messages');
  const [kind, setKind] = useState<'all' | MessageKind>('all');
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
        <Button look="secondary" size="s" disabled={unread === 0} busy={read.isPending} onClick={readAll}>
          {t('readAll')}
        </Button>
      }
    >
      <section className={classes.card}>
        <div className={classes.bar}>
          <Tabs
            label={t('title')}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'all', label: t('all') },
              ...KINDS.map((value) => ({ value, label: t(`type${value}`) })),
            ]}
          />
          <Switch label={t('unreadOnly')} checked={unreadOnly} onChange={setUnreadOnly} />
        </div>
        <ListBody
          isLoading={messages.isLoading}
          error={messages.error}
          onRetry={() => void messages.reload()}
          isEmpty={messages.rows.length === 0}
          empty={t('none')}
          skeletonRows={6}
        >
          <ul>
            {messages.rows.map((message) => (
              <li
                key={message.id}
                className={classes.message}
                data-unread={message.readFlag === 0 || undefined}
              >
                <Link to={`${paths.setting.message}?id=${message.id}`}>
                  <b>{message.title}</b>
                  {message.readFlag === 0 && <Badge tone="accent">{t('unread')}</Badge>}
                  <When at={message.createTime} look="minute" />
                  <p>{message.summary}</p>
                </Link>
              </li>
            ))}
          </ul>
          <ListEnd list={messages} />
        </ListBody>
      </section>
    </SettingFrame>
  );
}
