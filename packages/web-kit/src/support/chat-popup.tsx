import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { IconButton } from '../ui/button.tsx';
import { ContactForm } from './contact.tsx';
import { useHistoryLayer } from '../ui/overlay-history.ts';
import { useChat } from './queries.ts';
import css from './support.module.css';

/**
 * Permissions of the chat's iframe: a chat needs scripts and its own storage. `allow-same-origin` is safe, because the
 * server does not start if the chat is on the server's own origin.
 */
const CHAT_SANDBOX = 'allow-scripts allow-forms allow-same-origin allow-popups';

interface ChatPopupProps {
  readonly helpPath: string;
  readonly onClose: () => void;
}

/** Popup with the chat in an iframe; without a chat, with the contact form and a link to the help centre. */
export default function ChatPopup({ helpPath, onClose }: ChatPopupProps) {
  const t = useWords('help');
  const tShell = useWords('shell');
  const chat = useChat();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useHistoryLayer(true, onClose);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={t('chatTitle')}
      tabIndex={-1}
      className={css.popup}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header>
        <b>{t('chatTitle')}</b>
        <IconButton label={tShell('close')} onClick={onClose}>
          <X size={20} aria-hidden="true" />
        </IconButton>
      </header>
      <ListBody isLoading={chat.isPending} error={chat.error} onRetry={() => void chat.refetch()}>
        {chat.data === undefined ? null : chat.data === '' ? (
          <div className={css.offline}>
            <p className={css.text}>{t('contactText')}</p>
            <Link to={helpPath} onClick={onClose}>
              {t('helpLink')}
            </Link>
            <ContactForm />
          </div>
        ) : (
          <iframe
            key={chat.data}
            src={chat.data}
            title={t('chatTitle')}
            sandbox={CHAT_SANDBOX}
            referrerPolicy="no-referrer"
          />
        )}
      </ListBody>
    </div>
  );
}
