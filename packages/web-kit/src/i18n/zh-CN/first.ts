import desktopHome from './desktop-home.json';
import home from './home.json';
import market from './market.json';
import shell from './shell.json';

/** Chinese texts of the first screen; the app loads all other texts after the first screen is shown. */
export const first = {
  'desktop-home': desktopHome,
  home,
  market,
  shell,
};
