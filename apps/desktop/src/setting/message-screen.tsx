import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useMessage } from '@exchange/web-kit/message/queries.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useSearchParams } from 'react-router';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { orderPath, paths } from '../paths.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

/** One message; opening it marks it read. */
export default function MessageScreen() {
  const t = useWords('messages');
  const [search] = useSearchParams();
  const message = useMessage(search.get('id') ?? '');
  return (
    <SettingFrame
      title={message.data?.title ?? t('title')}
      end={
        <ButtonLink look="secondary" size="s" to={paths.setting.messages}>
          {t('back')}
        </ButtonLink>
      }
    >
      <section className={classes.card}>
        <ListBody
          isLoading={message.isPending}
          error={message.error}
          onRetry={() => void message.refetch()}
          isEmpty={false}
          empty=""
        >
          {message.data !== undefined && (
            <article className={classes.openMessage}>
              <When at={message.data.createTime} />
              {message.data.content.split('\n').map((line, index) => (
                <p key={index}>{line}</p>
              ))}
              {message.data.orderId !== '' && (
                <ButtonLink look="secondary" size="s" to={orderPath(message.data.orderId)}>
                  {t('order')}
                </ButtonLink>
              )}
            </article>
          )}
        </ListBody>
      </section>
    </SettingFrame>
  );
}
