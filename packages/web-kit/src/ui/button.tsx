import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import css from './button.module.css';
import { classes } from './class-names.ts';

export interface ButtonLook {
  /** `buy` has the colour of rising prices, `sell` that of falling prices. */
  look?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'buy' | 'sell' | undefined;
  size?: 's' | 'm' | 'l' | undefined;
  wide?: boolean | undefined;
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'size'> {
  /** A busy button is disabled and keeps its width. */
  busy?: boolean | undefined;
  icon?: ReactNode;
}

export function Button({
  look,
  size,
  wide,
  busy = false,
  icon,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(buttonClass({ look, size, wide }), className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      <span className={css.label}>
        {icon}
        {children}
      </span>
      {busy ? <span className={css.spinner} aria-hidden="true" /> : null}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  size,
  wide,
  icon,
  children,
  className,
  ...rest
}: ButtonLook & LinkProps & { icon?: ReactNode }) {
  return (
    <Link {...rest} className={classes(buttonClass({ look, size, wide }), className)}>
      <span className={css.label}>
        {icon}
        {children}
      </span>
    </Link>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
}

/** A round button that contains only an icon. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={rest.title ?? label}
      className={classes(css.icon, className)}
    />
  );
}

function buttonClass({ look = 'primary', size = 'm', wide = false }: ButtonLook): string {
  return classes(css.button, css[look], css[size], wide && css.wide);
}
