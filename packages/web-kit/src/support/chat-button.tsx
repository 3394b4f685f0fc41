import { MessageCircleQuestion } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import css from './support.module.css';

const ChatPopup = lazy(() => import('./chat-popup.tsx'));

/** The round button of customer service, and the popup with the chat, or with the form where there is none. */
export default function ChatButton({ helpPath }: { readonly helpPath: string }) {
  const t = useWords('help');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css.button}
        aria-label={t('chatOpen')}
        aria-expanded={isOpen}
        title={t('chatOpen')}
        onClick={() => setOpen(!isOpen)}
      >
        <MessageCircleQuestion size={24} aria-hidden="true" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ChatPopup helpPath={helpPath} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
