import { sendEmailCode, sendForgetCode } from '@exchange/wire/user.ts';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, { readonly post: { readonly description?: string; readonly requestBody: unknown } }>
  >;
}

describe('the API document', () => {
  it('ID-920 the document describes the fields of a challenge without example values', () => {
    const document = openApiDocument({ version: '1', endpoints: [sendEmailCode, sendForgetCode], now: 0 });
    const { paths } = JSON.parse(JSON.stringify(document)) as OpenApiDocument;
    const calls = Object.values(paths).map(({ post }) => JSON.stringify(post));
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call).toMatch(/"challenge":\{[^}]*"maxLength":120/);
      expect(call).toMatch(/"solution":\{[^}]*"maxLength":32/);
      expect(call).not.toContain('0000107422');
    }
    expect(calls[0]).toContain('SHA-256');
  });
});
