import { askAnew } from '../api/query-client.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedOnce } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
import { signedIn } from '../session/session-store.ts';

/**
 * Keeps a kind's products, orders and income that are shown in step with its private topic while at least one component
 * that uses it is on screen. What others buy is asked for with every heartbeat.
 */
export function earnUpdates(topic: 'finance' | 'mining') {
  const keys = ownKeys(topic);
  const ask = () => askAnew(keys.now());
  const follow = joinedOnce(() => {
    const stops = [
      feed.subscribe(topic, ask),
      onRefresh(() => {
        if (signedIn() && receivesOwn(topic)) askAnew(keys.now('products'));
        else ask();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  });
  return { keys, ask, follow };
}
