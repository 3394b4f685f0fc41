import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDeleteMessages, useMessage } from '@exchange/web-kit/message/queries.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Trash2 } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { notify } from '@exchange/web-kit/notify.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { paths, messageLinkPath } from '@exchange/web-kit/paths.ts';
import { orderPath } from '../paths.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

/** Screen with a single message of the inbox; opening it marks the message as read. */
export default function MessageScreen() {
  const t = useWords('messages');
  const [search] = useSearchParams();
  const id = search.get('id') ?? '';
  const message = useMessage(id);
  const link =
    message.data === undefined
      ? undefined
      : messageLinkPath(message.data.place, message.data.item, orderPath);
  const remove = useDeleteMessages();
  const leave = useLeaveFor(paths.messages);
  const deleteMessage = (): void =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          notify.success(t('deleted'));
          leave();
        },
        onError: notify.failure,
      },
    );
  return (
    <SettingFrame
      title={message.data?.title ?? t('title')}
      end={
        <div className={classes.actions}>
          {message.data !== undefined && (
            <Button
              look="secondary"
              size="s"
              icon={<Trash2 size={15} aria-hidden="true" />}
              busy={remove.isPending}
              onClick={deleteMessage}
            >
              {t('pressDelete')}
            </Button>
          )}
          <ButtonLink look="secondary" size="s" to={paths.messages}>
            {t('back')}
          </ButtonLink>
        </div>
      }
    >
      <section className={classes.card}>
        <ListBody
          isLoading={message.isPending}
          error={message.error}
          onRetry={() => void message.refetch()}
          missing={{ text: t('missing'), list: { name: t('back'), path: paths.messages } }}
        >
          {message.data !== undefined && (
            <article className={classes.openMessage}>
              <When at={message.data.createTime} />
              {message.data.content.split('\n').map((line, index) => (
                <p key={index}>{line}</p>
              ))}
              {link === undefined ? null : (
                <ButtonLink look="secondary" size="s" to={link}>
                  {t(message.data.place === 'order' ? 'order' : 'details')}
                </ButtonLink>
              )}
            </article>
          )}
        </ListBody>
      </section>
    </SettingFrame>
  );
}
