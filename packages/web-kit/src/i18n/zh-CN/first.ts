import desktopHome from './desktop-home.json';
import home from './home.json';
import market from './market.json';
import shell from './shell.json';

/** Chinese words of the first screen; all other words load right after it. */
export const first = {
  'desktop-home': desktopHome,
  home,
  market,
  shell,
};
