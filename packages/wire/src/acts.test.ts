import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { actText as textOf } from '@exchange/core/canonical.ts';
import { CONFIRMED_ENDPOINTS, confirmationProblem } from './confirmed-endpoints.ts';
import { sessionAlone, USER, type Endpoint } from './endpoint.ts';
import { ENDPOINTS, GUARDED } from './catalogue.ts';
import { addAddress, removeAddress, setWhitelist } from './withdrawal.ts';
import { unbindGoogle } from './user.ts';

const actText = ({ path, access }: Endpoint, fields: Record<string, unknown>) =>
  textOf(path, access.mailCodeBinds ?? [], fields);

/**
 * Request fields to which a confirmation is not bound: fields that authenticate the caller, or secrets that no mail may
 * contain; the remark, which has no effect; a new passkey, whose challenge binds it to the session; the displayed fee,
 * which can only cause a refusal; and the statements about a recipient, which do not change the payment.
 */
const UNBOUND = new Set([
  'code',
  'googleCode',
  'passkey',
  'credential',
  'newCode',
  'assetsPwd',
  'oldAssetsPwd',
  'confirmAssetsPwd',
  'password',
  'oldPassword',
  'newPassword',
  'confirmPassword',
  'remark',
  'fee',
  'recipientOwn',
  'recipientName',
  'recipientProvider',
]);

describe('endpoints that require a mailed code', () => {
  const endpoints = ENDPOINTS.filter(({ access }) => access.mailCode !== undefined);

  it('SEC-862 a code can be mailed for each of them, and is bound to every field that defines the action', () => {
    expect([...CONFIRMED_ENDPOINTS.keys()].toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
    for (const { path, access, fields } of endpoints) {
      const names = Object.keys((fields as z.ZodMiniObject).shape).filter((name) => !UNBOUND.has(name));
      expect([...(access.mailCodeBinds ?? [])].toSorted(), path).toEqual(names.toSorted());
    }
  });

  it('SEC-862 the bound text differs by endpoint and by field', () => {
    const destination = { currency: 'USDT', network: 'TRC20', address: 'T1' };
    const texts = [
      actText(addAddress, destination),
      actText(addAddress, { ...destination, address: 'T2' }),
      actText(addAddress, { ...destination, memo: 'T1' }),
      actText(removeAddress, { id: 'a' }),
      actText(removeAddress, { id: 'b' }),
      actText(setWhitelist, { on: true }),
      actText(setWhitelist, { on: false }),
      actText(unbindGoogle, {}),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(actText(addAddress, { ...destination, remark: 'x', code: '1' })).toBe(texts[0]);
  });
});

describe('endpoints that guard an account', () => {
  it('SEC-940 each requires a mailed code or gives a reason why a session is enough', () => {
    const problems = [...GUARDED].flatMap((endpoint) => {
      const problem = confirmationProblem(endpoint);
      return problem === undefined ? [] : [`${endpoint.path} ${problem}`];
    });
    expect(problems).toEqual([]);
    expect(GUARDED.size).toBeGreaterThan(40);
    for (const endpoint of ENDPOINTS.filter(({ access }) => access.mailCode !== undefined))
      expect(GUARDED.has(endpoint), endpoint.path).toBe(true);
  });

  it.each([
    ['a session', USER, 'does not say what confirms it'],
    ['a session and a reason', sessionAlone('reads'), undefined],
    ['nothing, for visitors', { who: 'anyone' }, undefined],
    ['a mailed code', { who: 'user', mailCode: 'address', mailCodeBinds: ['id'] }, undefined],
    [
      'the trade password',
      { who: 'user', tradePassword: true, sessionAlone: 'keepsFunds' },
      'demands the trade password without a mailed code',
    ],
    [
      'a mailed code and a reason for a session',
      { who: 'user', mailCode: 'address', mailCodeBinds: ['id'], sessionAlone: 'reads' },
      'demands a mailed code and says that a session is enough',
    ],
  ] as const)('SEC-940 an endpoint that requires %s', (_, access, problem) => {
    expect(confirmationProblem({ access })).toBe(problem);
  });
});
