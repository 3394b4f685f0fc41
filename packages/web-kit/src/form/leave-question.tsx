import { useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/overlay.tsx';
import css from './leave-question.module.css';

interface LeaveQuestionProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Text that explains what the user loses by leaving the screen. */
  readonly text: string;
  readonly stay: string;
  readonly leave: string;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/**
 * Dialog that asks the user to confirm leaving a screen whose input would be lost. Escape, Back and a press outside the
 * dialog mean that the user stays.
 */
export function LeaveQuestion({ isOpen, title, text, stay, leave, onStay, onLeave }: LeaveQuestionProps) {
  const t = useWords('shell');
  return (
    <Dialog isOpen={isOpen} onClose={onStay} title={title} closeLabel={t('close')}>
      <p className={css.text}>{text}</p>
      <div className={css.answers}>
        <Button look="secondary" onClick={onLeave}>
          {leave}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {stay}
        </Button>
      </div>
    </Dialog>
  );
}

/** While `isUnfinished` is true, the browser asks the user for confirmation before it closes or reloads the page. */
export function useAskBeforeUnload(isUnfinished: boolean): void {
  useEffect(() => {
    if (!isUnfinished) return undefined;
    const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isUnfinished]);
}
