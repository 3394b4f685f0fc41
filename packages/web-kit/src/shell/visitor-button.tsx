import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { loginPathFor } from './guard.ts';
import { ButtonLink, type ButtonLook } from '../ui/button.tsx';
import css from './visitor-button.module.css';

interface VisitorButtonProps extends Pick<ButtonLook, 'look'> {
  readonly className?: string | undefined;
  /** What the button of somebody who is logged in does: `Buy BTC`. */
  readonly children: ReactNode;
}

/**
 * The button of an order for a visitor: as it will be, in the colour of its side, with the way to it inside. It leads to
 * the login, which leads back to this page.
 */
export function VisitorButton({ look, className, children }: VisitorButtonProps) {
  const t = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <ButtonLink look={look} wide to={loginPathFor(pathname + search)} className={className}>
      <span className={css.lines}>
        <b>{children}</b> <small>{t('loginOrSignUp')}</small>
      </span>
    </ButtonLink>
  );
}
