import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { cancelOrder, createOrder, spotAssets } from '@exchange/wire/spot.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { IdentifiedCall } from '../http/identified-call.ts';
import { NoAnswer, type Commands } from './command-sender.ts';
import { forwardedCalls, readsOnly } from './forwarded-calls.ts';

const ORDER = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: 'buy', price: '1', amount: '1' };

/**
 * Calls whose commands get no answer: each command rejects with this outcome. `repeatable` contains the `isRepeatable`
 * of each sent command.
 */
function unanswered(outcome: NoAnswer['outcome']) {
  const repeatable: boolean[] = [];
  const commands: Commands = {
    send: (_command, { isRepeatable }) => {
      repeatable.push(isRepeatable);
      return Promise.reject(new NoAnswer(outcome, 'a test'));
    },
  };
  const calls = forwardedCalls(ENDPOINTS, { commands, clock: new FakeClock() });
  const serve = async (path: string, fields: Readonly<Record<string, string>>, locale = 'en-US') => {
    const call: IdentifiedCall = {
      session: { id: 'session', userId: 'user' as UserId },
      locale: locale as IdentifiedCall['locale'],
      address: '203.0.113.7',
      userAgent: '',
      traceId: 'trace',
      traceparent: undefined,
      sentKey: undefined,
      fields,
      file: undefined,
    };
    const answer = await calls.find(({ endpoint }) => endpoint.path === path)!.serve(call, undefined);
    if (!('body' in answer)) throw new Error('a file');
    return { status: answer.status, ...(JSON.parse(answer.body) as { code: number; errKey: string }) };
  };
  return { serve, repeatable };
}

describe('calls that the writer executes', () => {
  it('CLU-053 the sentence of an unknown outcome says whether repeating is safe', async () => {
    const { serve, repeatable } = unanswered('unknown');
    expect(await serve(createOrder.path, { ...ORDER, clientId: 'key' })).toMatchObject({
      status: 503,
      code: -17,
      errKey: 'l.outcome_unknown',
    });
    expect(await serve(createOrder.path, ORDER)).toMatchObject({ code: -17, errKey: 'l.outcome_to_check' });
    expect(await serve(cancelOrder.path, { clientId: 'key' })).toMatchObject({
      errKey: 'l.outcome_to_check',
    });
    expect(await serve(demoLogin.path, {})).toMatchObject({ errKey: 'l.outcome_to_check' });
    expect(await serve(spotAssets.path, {})).toMatchObject({ status: 503, code: -15, errKey: 'l.busy' });
    expect(repeatable).toEqual([true, false, false, false, true]);
  });

  it('CLU-054 what was not sent is refused as not executed', async () => {
    const { serve } = unanswered('notExecuted');
    expect(await serve(createOrder.path, ORDER)).toMatchObject({ status: 503, code: -15, errKey: 'l.busy' });
  });

  it('CLU-060 malformed calls are refused without the writer', async () => {
    const { serve, repeatable } = unanswered('unknown');
    await expect(serve(createOrder.path, { ...ORDER, price: 'many' })).rejects.toThrow('l.field_number');
    expect(repeatable).toEqual([]);
  });

  it('CLU-051 calls that store first answers are not taken for reads', () => {
    expect(ENDPOINTS.filter((endpoint) => endpoint.idempotent && readsOnly(endpoint))).toEqual([]);
  });
});
