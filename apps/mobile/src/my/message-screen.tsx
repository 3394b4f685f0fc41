import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useDeleteMessages, useMessage } from '@exchange/web-kit/message/queries.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { ButtonLink, IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Trash2 } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { paths, messageLinkPath } from '@exchange/web-kit/paths.ts';
import { orderPath } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './my.module.css';

export default function MessageScreen() {
  const t = useWords('messages');
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
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
    <Screen
      title={t('title')}
      parent={paths.messages}
      end={
        message.data === undefined ? null : (
          <IconButton label={t('delete')} disabled={remove.isPending} onClick={deleteMessage}>
            <Trash2 size={20} aria-hidden="true" />
          </IconButton>
        )
      }
    >
      <ListBody
        look="cards"
        isLoading={message.isPending}
        error={message.error}
        onRetry={() => void message.refetch()}
        missing={{ text: t('missing'), list: { name: t('back'), path: paths.messages } }}
      >
        {message.data === undefined ? null : (
          <article>
            <h2>{message.data.title}</h2>
            <When at={message.data.createTime} className={css.messageTime} />
            <p className={css.content}>{message.data.content}</p>
            {link === undefined ? null : (
              <ButtonLink look="secondary" size="m" to={link}>
                {t(message.data.place === 'order' ? 'order' : 'details')}
              </ButtonLink>
            )}
          </article>
        )}
      </ListBody>
    </Screen>
  );
}
