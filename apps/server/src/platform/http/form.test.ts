import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeForm, decodeFormText, FORM_LIMITS } from './form.ts';

const fieldsOf = (text: string) => {
  const result = decodeFormText(text);
  return result.ok ? { ...result.value } : result.refusal.key;
};

describe('form decoding', () => {
  it('reads names and values, plus signs as spaces, and empty fields as absent', () => {
    expect(fieldsOf('a=1&b=x+y%20z&c=&d&=&&e=%E4%BD%A0')).toEqual({
      a: '1',
      b: 'x y z',
      c: undefined,
      d: undefined,
      '': undefined,
      e: '你',
    });
    expect(fieldsOf('a=b=c')).toEqual({ a: 'b=c' });
    expect(fieldsOf('')).toEqual({});
  });

  it('EDGE-010 a repeated field is refused, also when one of the values is empty', () => {
    expect(fieldsOf('amount=1&amount=2')).toBe('l.field_repeated');
    expect(fieldsOf('amount=&amount=2')).toBe('l.field_repeated');
    expect(fieldsOf('am%6Funt=1&amount=1')).toBe('l.field_repeated');
  });

  it('EDGE-011 invalid escapes, invalid UTF-8 and NUL are refused', () => {
    for (const text of [
      'a=%FF',
      'a=%',
      'a=%2',
      'a=%zz',
      '%FF=1',
      'a=%ED%A0%80',
      'a=%C0%80',
      'a=%00',
      'a=\0',
    ]) {
      expect(fieldsOf(text)).toBe('l.body_encoding');
    }
    expect(decodeForm(Buffer.from([0x61, 0x3d, 0xff])).ok).toBe(false);
    expect(decodeForm(Buffer.from('a=你')).ok).toBe(true);
  });

  it('EDGE-012 at most 64 KiB and 50 fields are accepted', () => {
    const many = Array.from({ length: FORM_LIMITS.fields }, (_, n) => `f${n}=1`).join('&');
    expect(Object.keys(fieldsOf(many))).toHaveLength(50);
    expect(fieldsOf(`${many}&one=1`)).toBe('l.body_too_large');
    expect(decodeForm(Buffer.alloc(FORM_LIMITS.bodyBytes + 1, 'a')).ok).toBe(false);
    expect(decodeForm(Buffer.alloc(FORM_LIMITS.bodyBytes, 'a')).ok).toBe(true);
  });

  it('EDGE-013 names of the prototype chain are ordinary names', () => {
    const result = decodeFormText('__proto__=1&constructor=2&toString=3&__proto__[x]=4');
    if (!result.ok) throw new Error(result.refusal.key);
    expect(Object.keys(result.value)).toEqual(['__proto__', 'constructor', 'toString', '__proto__[x]']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('reads back whatever a browser would send', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'));
    const fields = fc.dictionary(names, names, { maxKeys: 20 });
    fc.assert(
      fc.property(fields, (sent) => {
        expect(fieldsOf(new URLSearchParams(sent).toString())).toEqual({ ...sent });
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof decodeForm(Buffer.from(bytes)).ok).toBe('boolean');
      }),
    );
  });
});
