import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useLocation } from 'react-router';
import { paths } from '../paths.ts';
import classes from './ticket.module.css';

/** What stands in place of the order button for somebody who is not logged in. */
export function VisitorButtons() {
  const tShell = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <div className={classes.visitor}>
      <ButtonLink look="primary" wide to={loginPathFor(pathname + search)}>
        {tShell('login')}
      </ButtonLink>
      <ButtonLink look="secondary" wide to={paths.login.register}>
        {tShell('register')}
      </ButtonLink>
    </div>
  );
}
