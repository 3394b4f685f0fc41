import desktopHome from './desktop-home.json';
import home from './home.json';
import market from './market.json';
import shell from './shell.json';

/** What the first screen of an app says in Chinese; everything else comes right after it. */
export const first = {
  'desktop-home': desktopHome,
  home,
  market,
  shell,
};
