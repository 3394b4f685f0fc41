/**
 * A window of the trading desk. The page that opened it draws its content and closes it; this script closes the window
 * when that page has gone without doing so, for example after a crash.
 */
const CHECK_MS = 1000;

if (window.opener === null) window.location.replace('/pc/trade/desk');
else
  setInterval(() => {
    if (window.opener === null || window.opener.closed) window.close();
  }, CHECK_MS);
