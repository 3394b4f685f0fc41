import type { ReactNode } from 'react';
import { TextField } from './text-field.tsx';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  placeholder?: string | undefined;
  /** The button that sends the code, with its countdown. */
  resend: ReactNode;
}

/** Six digits from a mail; spaces and dashes of a pasted code are dropped. */
export function CodeField({ onChange, resend, ...rest }: CodeFieldProps) {
  return (
    <TextField
      {...rest}
      onChange={(value) => onChange(value.replace(/\D/g, '').slice(0, 6))}
      inputMode="numeric"
      autoComplete="one-time-code"
      name="code"
      end={resend}
    />
  );
}
