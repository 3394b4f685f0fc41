import type { ReactNode } from 'react';
import css from './shell.module.css';
import { TopBar } from './top-bar.tsx';

/** A screen below a bar with a way back. */
export function Screen({
  title,
  end,
  parent,
  children,
}: {
  title: string;
  end?: ReactNode;
  parent?: string;
  children: ReactNode;
}) {
  return (
    <>
      <TopBar title={title} end={end} {...(parent === undefined ? {} : { parent })} />
      <main className={css.body}>{children}</main>
    </>
  );
}
