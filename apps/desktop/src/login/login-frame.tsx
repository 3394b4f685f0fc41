import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import type { ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';
import classes from './login.module.css';

interface LoginFrameProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Content beside the login form, such as the one-click login of the demo mode. */
  readonly aside?: ReactNode;
}

/** The centred card with a title that all login screens share. */
export function LoginFrame({ title, children, aside }: LoginFrameProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <section className={classes.card}>
        <Logo size={36} />
        <h1>{title}</h1>
        {children}
      </section>
      {aside}
    </div>
  );
}
