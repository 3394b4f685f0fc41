import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { actText as textOf } from '@exchange/core/canonical.ts';
import { ACTS } from './acts.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './catalogue.ts';
import { addAddress, setWhitelist } from './withdrawal.ts';
import { unbindGoogle } from './user.ts';

const actText = ({ path, access }: Endpoint, fields: Record<string, unknown>) =>
  textOf(path, access.mailCodeBinds ?? [], fields);

/** Fields that prove who asks, or are secrets of which no mail may tell; and the remark, which changes nothing. */
const UNBOUND = new Set([
  'code',
  'googleCode',
  'newCode',
  'assetsPwd',
  'oldAssetsPwd',
  'confirmAssetsPwd',
  'password',
  'oldPassword',
  'newPassword',
  'confirmPassword',
  'remark',
]);

describe('calls that take a mailed code', () => {
  const acts = ENDPOINTS.filter(({ access }) => access.mailCode !== undefined);

  it('SEC-862 a code can be mailed for each of them, and is bound to every field that says what is done', () => {
    expect([...ACTS.keys()].toSorted()).toEqual(acts.map(({ path }) => path).toSorted());
    for (const { path, access, fields } of acts) {
      const names = Object.keys((fields as z.ZodMiniObject).shape).filter((name) => !UNBOUND.has(name));
      expect([...(access.mailCodeBinds ?? [])].toSorted(), path).toEqual(names.toSorted());
    }
  });

  it('SEC-862 what it is bound to differs by call and by field', () => {
    const place = { currency: 'USDT', network: 'TRC20', address: 'T1' };
    const texts = [
      actText(addAddress, place),
      actText(addAddress, { ...place, address: 'T2' }),
      actText(addAddress, { ...place, memo: 'T1' }),
      actText(setWhitelist, { on: true }),
      actText(setWhitelist, { on: false }),
      actText(unbindGoogle, {}),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(actText(addAddress, { ...place, remark: 'x', code: '1' })).toBe(texts[0]);
  });
});
