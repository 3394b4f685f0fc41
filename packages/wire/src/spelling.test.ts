import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { ENDPOINTS } from './catalogue.ts';
import { keepCompatibilityForms, fieldNormaliser } from './spelling.ts';

it('EDGE-810 fields are normalised to NFKC, secrets and prose only to NFC', () => {
  const normalise = fieldNormaliser(
    z.object({
      amount: z.string(),
      name: z.optional(z.string()),
      password: keepCompatibilityForms(z.string()),
      remark: z.optional(keepCompatibilityForms(z.string())),
    }),
  );
  expect(
    normalise({
      amount: '１２．５',
      name: '山田　太郎',
      password: 'a１e\u0301',
      remark: '① ㎏ e\u0301',
      absent: undefined,
    }),
  ).toEqual({
    amount: '12.5',
    name: '山田 太郎',
    password: 'a１\u00e9',
    remark: '① ㎏ \u00e9',
    absent: undefined,
  });
});

it('EDGE-810 every endpoint keeps passwords and prose as typed, and normalises codes and numbers', () => {
  for (const { path, fields } of ENDPOINTS) {
    const normalise = fieldNormaliser(fields);
    const { shape } = fields as z.ZodMiniObject;
    for (const name of Object.keys(shape)) {
      const isSecret = /^(?:old|new|confirm)?password$/i.test(name);
      const isProse = name === 'remark' || name === 'content';
      expect([path, name, normalise({ [name]: '１' })[name]]).toEqual([
        path,
        name,
        isSecret || isProse ? '１' : '1',
      ]);
    }
  }
});
