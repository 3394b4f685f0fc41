import { Camera, CircleCheck, RotateCw, Trash2 } from 'lucide-react';
import { useId, useState, type DragEvent, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import css from './upload-field.module.css';
import { offeredTypes } from './shrink-picture.ts';
import type { UploadControl } from './use-upload.ts';

interface UploadFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Drawn in the empty frame: what a good picture looks like. */
  readonly example?: ReactNode;
  readonly control: UploadControl;
  /** Of the form, e.g. that there is none yet. */
  readonly error?: string | undefined;
}

/** One picture: chosen, dropped or taken with the camera; shown at once, with its way to the server. */
export function UploadField({ label, hint, example, control, error }: UploadFieldProps) {
  const t = useWords('upload');
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { state, choose } = control;
  const problem = 'error' in state ? (state.error ?? error) : error;
  const over = (isNow: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isNow);
  };
  const drop = (event: DragEvent) => {
    over(false)(event);
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
        onDragOver={over(true)}
        onDragLeave={over(false)}
        onDrop={drop}
      >
        <input
          type="file"
          className="visually-hidden"
          accept={offeredTypes()}
          aria-label={label}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-about`}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            // The same file can then be chosen again.
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
      <About id={`${id}-about`} label={label} hint={hint} control={control} problem={problem} />
    </div>
  );
}

interface AboutProps extends Pick<UploadFieldProps, 'label' | 'hint' | 'control'> {
  readonly id: string;
  readonly problem: string | undefined;
}

/** How the picture stands, and what can be done about it. */
function About({ id, label, hint, control, problem }: AboutProps) {
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
