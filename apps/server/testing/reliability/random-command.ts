import { randomUUID } from 'node:crypto';
import * as spot from '@exchange/wire/spot.ts';
import type { BankClient } from './bank-client.ts';
import { drawAmendment, drawOco, drawOrder } from './order-draws.ts';

/**
 * Sends a random command of a user, and records the stop prices, from which the holds are computed, of the
 * orders that it places or amends. Returns `ok` if the server accepted it, otherwise the key or the text of
 * the refusal.
 */
export async function randomCommand(client: BankClient, price: number): Promise<string> {
  const { account, open } = client;
  const { random } = account;
  const clientId = randomUUID();
  const draw = random.whole(0, 99);
  if (draw < 25 && open.length > 0)
    return resultOf(await account.requestWithRetries(spot.cancelOrder, { id: random.pick(open).id }));
  if (draw < 40 && open.length > 0) {
    const { id, tradeType } = random.pick(open);
    const amendment = drawAmendment(random, price, tradeType === 1 ? 'buy' : 'sell');
    const answer = await account.requestWithRetries(spot.amendOrder, { ...amendment, id, clientId });
    if (answer.code === 1) client.recordHolds([answer.data]);
    return resultOf(answer);
  }
  if (draw < 50) {
    const answer = await account.requestWithRetries(spot.createOco, { ...drawOco(random, price), clientId });
    if (answer.code === 1) client.recordHolds(answer.data.orders);
    return resultOf(answer);
  }
  if (draw < 52) return resultOf(await account.requestWithRetries(spot.cancelAllOrders, { clientId }));
  const order = drawOrder(random, price, Date.now());
  const answer = await account.requestWithRetries(spot.createOrder, { ...order, clientId });
  if (answer.code === 1) client.recordHolds([answer.data]);
  return resultOf(answer);
}

function resultOf({
  code,
  errKey,
  text,
}: {
  code: number;
  errKey: string | undefined;
  text: string;
}): string {
  return code === 1 ? 'ok' : (errKey ?? text);
}
