import type { ReactNode } from 'react';
import { TextField } from './text-field.tsx';

const LONGEST_CODE = 16;

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

/** The digits of a mailed code, six or sixteen; spaces and dashes of a pasted one are dropped. */
export function CodeField({ onChange, resend, ...rest }: CodeFieldProps) {
  return (
    <TextField
      {...rest}
      onChange={(value) => onChange(value.replace(/\D/g, '').slice(0, LONGEST_CODE))}
      inputMode="numeric"
      autoComplete="one-time-code"
      name="code"
      end={resend}
    />
  );
}
