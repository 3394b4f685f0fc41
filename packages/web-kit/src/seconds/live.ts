import { askAnew } from '../api/query-client.ts';
import { askForBalances } from '../balance/live-balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { SECONDS } from './keys.ts';

/** Keeps positions, the account and limits that are shown in step with the private feed. */
export const useSecondsUpdates = joinedWhileShown(() => {
  const stops = [
    feed.subscribe('contract', askForSeconds),
    onRefresh(() => {
      if (!receivesOwn('contract')) askForSeconds();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

/** Asks again for everything of the seconds contract that is on screen, and for the balances it moves. */
export function askForSeconds(): void {
  askAnew(SECONDS.now());
  askForBalances();
}
