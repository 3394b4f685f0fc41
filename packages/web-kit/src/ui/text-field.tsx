import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './class-names.ts';
import css from './field.module.css';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  /** Sits inside the field at its end. */
  end?: ReactNode;
}

/** A line of text with its label, hint and error. */
export function TextField({ label, value, onChange, error, hint, end, className, ...rest }: TextFieldProps) {
  const id = useId();
  const about = classes(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`);
  return (
    <div className={className}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <div className={css.frame}>
        <input
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={classes(css.input, end !== undefined && css.withEnd)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={about === '' ? undefined : about}
        />
        {end === undefined ? null : <div className={css.inside}>{end}</div>}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
