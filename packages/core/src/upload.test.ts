import { describe, expect, it } from 'vitest';
import { fileProblem, sizeProblem, UPLOAD_BYTES_MAX } from './upload.ts';

describe('rules of uploads', () => {
  it('FILE-003 judge a file by its bytes and its type, up to the very byte', () => {
    const jpeg = { size: UPLOAD_BYTES_MAX, type: 'image/jpeg' };
    expect(fileProblem(jpeg)).toBeUndefined();
    expect(fileProblem({ ...jpeg, size: UPLOAD_BYTES_MAX + 1 })).toEqual({
      kind: 'tooLarge',
      limit: UPLOAD_BYTES_MAX,
    });
    expect(fileProblem({ ...jpeg, size: 0 })).toEqual({ kind: 'empty' });
    for (const type of ['image/svg+xml', 'image/gif', 'image/heic', 'application/pdf', ''])
      expect(fileProblem({ size: 1, type })).toEqual({ kind: 'type' });
  });

  it('FILE-003 judge a picture by its shorter side and by all its pixels', () => {
    expect(sizeProblem({ width: 400, height: 400 }, 'identity')).toBeUndefined();
    expect(sizeProblem({ width: 4_000, height: 399 }, 'identity')).toEqual({
      ...{ kind: 'small', limit: 400, value: 399 },
    });
    expect(sizeProblem({ width: 399, height: 399 }, 'proof')).toBeUndefined();
    expect(sizeProblem({ width: 8_000, height: 5_000 }, 'identity')).toBeUndefined();
    expect(sizeProblem({ width: 8_001, height: 5_000 }, 'identity')).toMatchObject({ kind: 'pixels' });
  });
});
