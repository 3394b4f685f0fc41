import type { ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { ButtonLink, type ButtonLook } from '../ui/button.tsx';
import css from './visitor-button.module.css';

interface VisitorButtonProps extends Pick<ButtonLook, 'look'> {
  /** The login, which leads back to this page. */
  readonly to: string;
  readonly className?: string | undefined;
  /** What the button of somebody who is logged in does: `Buy BTC`. */
  readonly children: ReactNode;
}

/**
 * The button of an order for a visitor: as it will be, in the colour of its side, with the way to it inside.
 */
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
