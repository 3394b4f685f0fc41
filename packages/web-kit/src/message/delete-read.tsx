import { useState, type ComponentType, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import css from './message-settings.module.css';
import { useDeleteMessages } from './queries.ts';

interface Frame {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

/** Deletes what has been read, once that is confirmed. `Frame` is the dialog or the sheet of the site. */
export function DeleteRead({ Frame, wide }: { Frame: ComponentType<Frame>; wide?: boolean }) {
  const t = useWords('messages');
  const shell = useWords('shell');
  const [isOpen, setOpen] = useState(false);
  const remove = useDeleteMessages();
  const close = (): void => setOpen(false);
  const confirm = (): void =>
    remove.mutate('read', {
      onSuccess: () => {
        close();
        notify.success(t('deletedRead'));
      },
      onError: notify.failure,
    });
  return (
    <>
      <Button look="secondary" size={wide === true ? 'm' : 's'} wide={wide} onClick={() => setOpen(true)}>
        {t('deleteRead')}
      </Button>
      <Frame isOpen={isOpen} onClose={close} title={t('deleteReadTitle')} closeLabel={shell('close')}>
        <p>{t('deleteReadText')}</p>
        <div className={css.actions}>
          <Button look="secondary" size="m" onClick={close}>
            {t('cancel')}
          </Button>
          <Button look="danger" size="m" busy={remove.isPending} onClick={confirm}>
            {t('pressDelete')}
          </Button>
        </div>
      </Frame>
    </>
  );
}
