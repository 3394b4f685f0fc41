import type { ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { ButtonLink, type ButtonLook } from '../ui/button.tsx';
import css from './visitor-button.module.css';

interface VisitorButtonProps extends Pick<ButtonLook, 'look'> {
  /** Path of the login page, with the current page as the target after login. */
  readonly to: string;
  readonly className?: string | undefined;
  /** The label that signed-in users see, such as `Buy BTC`; visitors see it too. */
  readonly children: ReactNode;
}

/** The order button for visitors: it looks like the order button of signed-in users, but is a link to the login. */
export function VisitorButton({ look, to, className, children }: VisitorButtonProps) {
  const t = useWords('shell');
  return (
    <ButtonLink look={look} wide to={to} className={className}>
      <span className={css.lines}>
        <b>{children}</b> <small>{t('loginOrSignUp')}</small>
      </span>
    </ButtonLink>
  );
}
