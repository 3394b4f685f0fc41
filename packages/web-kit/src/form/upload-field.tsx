import { Camera, CircleCheck, RotateCw, Trash2 } from 'lucide-react';
import { useId, useState, type DragEvent, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import css from './upload-field.module.css';
import { acceptedFileTypes } from './shrink-picture.ts';
import type { UploadControl } from './use-upload.ts';

interface UploadFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** An example of a good picture, shown until the user's picture has been prepared for upload. */
  readonly example?: ReactNode;
  readonly control: UploadControl;
  /** An error that the form reports for this field, such as a missing picture. */
  readonly error?: string | undefined;
}

/**
 * Upload field for one picture, which the user selects, drops, or takes with the camera. Shows a preview and the
 * progress of the upload.
 */
export function UploadField({ label, hint, example, control, error }: UploadFieldProps) {
  const t = useWords('upload');
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { state, choose } = control;
  const problem = 'error' in state ? (state.error ?? error) : error;
  const onDragState = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isInside);
  };
  const onDropFile = (event: DragEvent) => {
    onDragState(false)(event);
    const dropped = event.dataTransfer.files[0];
    if (dropped !== undefined) choose(dropped);
  };
  return (
    <div className={css.field} data-status={state.status}>
      <span className={css.label}>{label}</span>
      <label
        className={css.frame}
        data-over={isOver || undefined}
        data-error={problem !== undefined || undefined}
        onDragOver={onDragState(true)}
        onDragLeave={onDragState(false)}
        onDrop={onDropFile}
      >
        <input
          type="file"
          className="visually-hidden"
          accept={acceptedFileTypes()}
          aria-label={label}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-about`}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            // Empties the file input, so that selecting the same file again triggers a change event.
            event.currentTarget.value = '';
            if (chosen !== undefined) choose(chosen);
          }}
        />
        {state.status === 'empty' || state.status === 'preparing' ? (
          <>
            {example}
            <span className={css.invite}>
              <Camera size={18} aria-hidden="true" />
              {t('choosePicture')}
            </span>
          </>
        ) : (
          <img src={state.preview} alt={t('preview', { label })} />
        )}
        {state.status === 'sending' ? (
          <progress className={css.progress} max={100} value={state.percent} aria-label={t('uploading')} />
        ) : null}
      </label>
      <UploadStatus id={`${id}-about`} label={label} hint={hint} control={control} problem={problem} />
    </div>
  );
}

interface UploadStatusProps extends Pick<UploadFieldProps, 'label' | 'hint' | 'control'> {
  readonly id: string;
  readonly problem: string | undefined;
}

/** State of the upload, with a button that retries a failed upload and a button that removes the picture. */
function UploadStatus({ id, label, hint, control, problem }: UploadStatusProps) {
  const t = useWords('upload');
  const { state } = control;
  return (
    <div id={id} className={css.about}>
      {problem === undefined ? (
        <span className={css.hint} data-good={state.status === 'done' || undefined}>
          {state.status === 'done' ? (
            <>
              <CircleCheck size={14} aria-hidden="true" />
              {t('uploaded', { width: state.width, height: state.height })}
            </>
          ) : state.status === 'preparing' ? (
            t('preparing')
          ) : state.status === 'sending' ? (
            t('uploading')
          ) : (
            hint
          )}
        </span>
      ) : (
        <span className={css.error} role="alert">
          {problem}
        </span>
      )}
      {state.status === 'empty' ? null : (
        <span className={css.actions}>
          {state.status === 'failed' ? (
            <Button
              size="s"
              look="quiet"
              icon={<RotateCw size={14} aria-hidden="true" />}
              onClick={control.retry}
            >
              {t('retry')}
            </Button>
          ) : null}
          <Button
            size="s"
            look="quiet"
            icon={<Trash2 size={14} aria-hidden="true" />}
            onClick={control.remove}
            aria-label={`${t('remove')}: ${label}`}
          >
            {t('remove')}
          </Button>
        </span>
      )}
    </div>
  );
}
