import { withWords } from '@exchange/web-kit/i18n/words.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import css from './shell.module.css';

const ChatButton = lazyPart(
  'chat-button',
  () => withWords(import('@exchange/web-kit/support/chat-button.tsx')),
  { whenMissing: 'nothing' },
);

/** The button for customer support, at the end of a screen's title bar, where it covers no content. */
export function SupportButton() {
  return (
    <span className={css.support}>
      <ChatButton helpPath={paths.contact} place="bar" />
    </span>
  );
}
