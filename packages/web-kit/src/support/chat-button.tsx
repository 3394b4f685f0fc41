import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import css from './support.module.css';
import { lazyPart } from '../part/lazy-part.tsx';

const ChatPopup = lazyPart('chat-popup', () => import('./chat-popup.tsx'), { whenMissing: 'dialog' });

const SCROLL_THRESHOLD_PX = 8;

/** True while the user scrolls down to read; false after scrolling up. */
function useIsScrollingDown(): boolean {
  const [isReadingOn, setReadingOn] = useState(false);
  useEffect(() => {
    let before = window.scrollY;
    const trackScroll = () => {
      const moved = window.scrollY - before;
      if (Math.abs(moved) < SCROLL_THRESHOLD_PX) return;
      before = window.scrollY;
      const isAtEnd =
        before + window.innerHeight >= document.documentElement.scrollHeight - SCROLL_THRESHOLD_PX;
      setReadingOn(moved > 0 && !isAtEnd);
    };
    window.addEventListener('scroll', trackScroll, { passive: true });
    return () => window.removeEventListener('scroll', trackScroll);
  }, []);
  return isReadingOn;
}

/**
 * The round support button, and its popup with the chat, or with the contact form when no chat is configured.
 */
export default function ChatButton({ helpPath }: { readonly helpPath: string }) {
  const t = useWords('help');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isReadingOn = useIsScrollingDown();
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
        data-away={(isReadingOn && !isOpen) || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <MessageCircleQuestion size={24} aria-hidden="true" />
      </button>
      {isOpen && <ChatPopup helpPath={helpPath} onClose={close} />}
    </>
  );
}
