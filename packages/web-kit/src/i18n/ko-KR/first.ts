import desktopHome from './desktop-home.json';
import home from './home.json';
import market from './market.json';
import shell from './shell.json';

/**
 * Korean texts of the first screen. All other texts are loaded separately, so that the first screen does not wait for
 * them.
 */
export const first = {
  'desktop-home': desktopHome,
  home,
  market,
  shell,
};
