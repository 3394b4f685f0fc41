import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { BookUser, Gift, IdCard, Inbox, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { IDENTITY } from '../paths.ts';
import screen from '../style/screen.module.css';
import classes from './setting.module.css';

interface SettingFrameProps {
  readonly title: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of the settings screens: the navigation between them on the left, the selected screen beside it. */
export function SettingFrame({ title, end, children }: SettingFrameProps) {
  const tSettings = useWords('settings');
  const tShell = useWords('shell');
  const tWallet = useWords('transfer');
  const tInvite = useWords('invite');
  useTitle(title);
  const places = [
    { to: paths.security, name: tSettings('title'), icon: ShieldCheck },
    { to: IDENTITY, name: tShell('identity'), icon: IdCard },
    { to: paths.address, name: tWallet('addressTitle'), icon: BookUser },
    { to: paths.invite, name: tInvite('title'), icon: Gift },
    { to: paths.messages, name: tShell('messages'), icon: Inbox },
  ];
  return (
    <div className={`${screen.screen} ${classes.frame}`}>
      <nav className={classes.nav} aria-label={tShell('navPersonal')}>
        {places.map(({ to, name, icon: Icon }) => (
          <NavLink key={to} to={to}>
            <Icon size={18} aria-hidden="true" /> {name}
          </NavLink>
        ))}
      </nav>
      <div className={classes.content} data-in-order>
        <header className={screen.title}>
          <h1>{title}</h1>
          {end}
        </header>
        {children}
      </div>
    </div>
  );
}
