import { typedDigits } from './typed-text.ts';
import css from './field.module.css';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './class-names.ts';
import { useComposedInput } from './use-composed-input.ts';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  end?: ReactNode;
}

/** A text field of one line, with label, hint and error. */
export function TextField({ label, value, onChange, error, hint, end, className, ...rest }: TextFieldProps) {
  const id = useId();
  const composed = useComposedInput(value, onChange);
  const describedBy = classes(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`);
  return (
    <div className={className}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <div className={css.frame}>
        <input
          {...rest}
          {...composed}
          id={id}
          className={classes(css.input, end !== undefined && css.withEnd)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy === '' ? undefined : describedBy}
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

interface TextAreaProps extends Pick<TextFieldProps, 'label' | 'onChange' | 'value' | 'error' | 'hint'> {
  readonly maxLength: number;
  readonly rows?: number;
  readonly onBlur?: () => void;
}

/** A text field of several lines, with label, hint and error. */
export function TextArea({ label, value, onChange, error, hint, ...rest }: TextAreaProps) {
  const id = useId();
  const composed = useComposedInput(value, onChange);
  const describedBy = classes(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`);
  return (
    <div>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        rows={5}
        {...rest}
        {...composed}
        id={id}
        className={classes(css.input, css.lines)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
      />
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

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  showLabel: string;
  hideLabel: string;
}

/** A password field with a button that makes the text readable. */
export function PasswordField({ showLabel, hideLabel, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...rest}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <IconButton
          label={isShown ? hideLabel : showLabel}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
        </IconButton>
      }
    />
  );
}

const CODE_LENGTH_MAX = 16;

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  placeholder?: string | undefined;
  /** The button that requests another code, with its countdown. */
  resend: ReactNode;
}

/**
 * A field for an email code of six or sixteen digits. Full-width digits are converted to half-width ones, all
 * characters other than digits are removed, and at most 16 digits are kept.
 */
export function CodeField({ onChange, resend, ...rest }: CodeFieldProps) {
  return (
    <TextField
      {...rest}
      onChange={(value) => onChange(typedDigits(value).slice(0, CODE_LENGTH_MAX))}
      inputMode="numeric"
      autoComplete="one-time-code"
      name="code"
      end={resend}
    />
  );
}
