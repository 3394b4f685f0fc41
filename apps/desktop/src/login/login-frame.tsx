import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import type { ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';
import classes from './login.module.css';

interface LoginFrameProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Beside the form, such as the demo's way in. */
  readonly aside?: ReactNode;
}

/** The calm card in the middle of the page that all four login screens share. */
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
