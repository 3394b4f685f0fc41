import { askAnew } from '../api/query-client.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { FINANCE } from './keys.ts';

/**
 * Keeps products, orders and income that are shown in step with the private feed while at least one component that
 * uses it is on screen. What others buy is asked for with every heartbeat.
 */
export const useFinanceUpdates = joinedWhileShown(join);

function join(): () => void {
  const stops = [
    feed.subscribe('finance', askForFinance),
    onRefresh(() => {
      if (signedIn() && receivesOwn('finance')) askAnew(FINANCE.now('products'));
      else askForFinance();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Asks again for everything of finance that is on screen. */
export function askForFinance(): void {
  askAnew(FINANCE.now());
}
