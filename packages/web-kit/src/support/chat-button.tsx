import { Headset, MessageCircleQuestion } from 'lucide-react';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { IconButton } from '../ui/button.tsx';
import css from './support.module.css';

const ChatPopup = lazyPart('chat-popup', () => import('./chat-popup.tsx'), { whenMissing: 'dialog' });

interface ChatButtonProps {
  readonly helpPath: string;
  /** `corner`: a round button that floats beside the content. `bar`: an icon in the bar at the top of a screen. */
  readonly place: 'corner' | 'bar';
}

/** The support button and its popup, which contains the chat, or the contact form when no chat is configured. */
export default function ChatButton({ helpPath, place }: ChatButtonProps) {
  const t = useWords('help');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const isInBar = place === 'bar';
  return (
    <>
      <IconButton
        ref={button}
        label={t('chatOpen')}
        className={isInBar ? css.inBar : css.button}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isInBar ? (
          <Headset size={20} aria-hidden="true" />
        ) : (
          <MessageCircleQuestion size={24} aria-hidden="true" />
        )}
      </IconButton>
      {/* The popup is a child of the document's body, because the bar has its own stacking context, in which the
          popup would be covered by the tab bar. */}
      {isOpen && createPortal(<ChatPopup helpPath={helpPath} onClose={close} />, document.body)}
    </>
  );
}
