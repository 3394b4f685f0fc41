import { useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/overlay.tsx';
import css from './leave-question.module.css';

interface LeaveQuestionProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Explains what the user would lose by leaving. */
  readonly text: string;
  readonly stay: string;
  readonly leave: string;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/**
 * Asks for confirmation before the user leaves something that would be lost. Escape, Back and a press outside
 * the dialog count as staying.
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

/** Lets the browser ask before the page is closed or reloaded while `isUnfinished` is true. */
export function useAskBeforeUnload(isUnfinished: boolean): void {
  useEffect(() => {
    if (!isUnfinished) return undefined;
    const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isUnfinished]);
}
