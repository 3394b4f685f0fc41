import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useMessage } from '@exchange/web-kit/message/queries.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useSearchParams } from 'react-router';
import { orderPath, paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import css from './my.module.css';

/** One message. */
export default function MessageScreen() {
  const t = useWords('messages');
  const [query] = useSearchParams();
  const message = useMessage(query.get('id') ?? '');
  return (
    <Screen title={t('title')} parent={paths.messages}>
      <ListBody
        look="cards"
        isLoading={message.isPending}
        error={message.error}
        onRetry={() => void message.refetch()}
      >
        {message.data === undefined ? null : (
          <article>
            <h2>{message.data.title}</h2>
            <When at={message.data.createTime} className={css.messageTime} />
            <p className={css.content}>{message.data.content}</p>
            {message.data.orderId === '' ? null : (
              <ButtonLink look="secondary" size="m" to={orderPath(message.data.orderId)}>
                {t('order')}
              </ButtonLink>
            )}
          </article>
        )}
      </ListBody>
    </Screen>
  );
}
