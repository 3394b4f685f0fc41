import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';
import { type FormEvent, useState } from 'react';
import classes from './desk.module.css';
import { layoutName, NAME_MAX, SAVED_MAX, type SavedLayout } from './saved-layouts.ts';

/**
 * A question to the user about a layout. `name` is the present name of the layout to rename or delete, or the proposed
 * name of the layout to save.
 */
export interface LayoutQuestion {
  readonly kind: 'save' | 'rename' | 'delete';
  readonly name: string;
}

interface LayoutDialogProps {
  readonly question: LayoutQuestion;
  readonly saved: readonly SavedLayout[];
  readonly onSave: (name: string) => void;
  readonly onRename: (before: string, name: string) => void;
  readonly onDelete: (name: string) => void;
  readonly onClose: () => void;
}

/**
 * Dialog for a layout of the desk: it requests the name under which the layout is saved or to which it is
 * renamed, or a confirmation of its deletion.
 */
export function LayoutDialog(props: LayoutDialogProps) {
  const { question, onDelete, onClose } = props;
  const t = useWords('desk');
  const tShell = useWords('shell');
  return (
    <Dialog isOpen onClose={onClose} title={t(`${question.kind}Title`)} closeLabel={tShell('close')}>
      {question.kind === 'delete' ? (
        <div className={classes.form}>
          <p>{t('deleteQuestion', { name: question.name })}</p>
          <Button
            look="danger"
            wide
            onClick={() => {
              onDelete(question.name);
              onClose();
            }}
          >
            {t('deleteTitle')}
          </Button>
        </div>
      ) : (
        <NameForm {...props} kind={question.kind} />
      )}
    </Dialog>
  );
}

function NameForm({
  question,
  kind,
  saved,
  onSave,
  onRename,
  onClose,
}: LayoutDialogProps & { readonly kind: 'save' | 'rename' }) {
  const t = useWords('desk');
  const tShell = useWords('shell');
  const [typed, setTyped] = useState(question.name);
  const [isTried, setTried] = useState(false);
  const name = layoutName(typed);
  const isTaken = saved.some((layout) => layout.name === name);
  const isFull = kind === 'save' && !isTaken && saved.length >= SAVED_MAX;
  const problem =
    name === undefined
      ? t('nameProblem', { max: NAME_MAX })
      : isFull
        ? t('full', { max: SAVED_MAX })
        : kind === 'rename' && isTaken && name !== question.name
          ? t('nameTaken')
          : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (name === undefined || problem !== undefined) return;
    if (kind === 'save') onSave(name);
    else onRename(question.name, name);
    onClose();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        label={t('name')}
        value={typed}
        onChange={setTyped}
        error={isTried ? problem : undefined}
        hint={kind === 'save' && isTaken ? t('nameReplaced') : undefined}
        maxLength={2 * NAME_MAX}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit" wide>
        {tShell('save')}
      </Button>
    </form>
  );
}
