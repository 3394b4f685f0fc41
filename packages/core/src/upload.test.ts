import { describe, expect, it } from 'vitest';
import { sizeProblem } from './upload.ts';

describe('upload rules', () => {
  it('FILE-003 check the shorter side and the number of pixels of a picture', () => {
    expect(sizeProblem({ width: 400, height: 400 }, 'identity')).toBeUndefined();
    expect(sizeProblem({ width: 4_000, height: 399 }, 'identity')).toEqual({
      kind: 'small',
      limit: 400,
      value: 399,
    });
    expect(sizeProblem({ width: 399, height: 399 }, 'proof')).toBeUndefined();
    expect(sizeProblem({ width: 8_000, height: 5_000 }, 'identity')).toBeUndefined();
    expect(sizeProblem({ width: 8_001, height: 5_000 }, 'identity')).toMatchObject({ kind: 'pixels' });
  });
});
