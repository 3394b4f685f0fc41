import { useId, type ReactNode } from 'react';
import css from './field.module.css';

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
  disabled?: boolean | undefined;
}

/** Checkbox with a label that may contain links, and an optional error text. */
export function Checkbox({ label, checked, onChange, error, disabled }: CheckboxProps) {
  const id = useId();
  return (
    <div>
      <label className={css.check}>
        <input
          type="checkbox"
          className={css.box}
          checked={checked}
          disabled={disabled}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {error === undefined ? null : (
        <p id={id} className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** A switch whose change takes effect without a submit button. */
export function Switch({ label, checked, onChange, disabled }: Omit<CheckboxProps, 'error'>) {
  return (
    <label className={css.switch}>
      <input
        type="checkbox"
        role="switch"
        className={css.track}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
