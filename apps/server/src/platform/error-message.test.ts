import { describe, expect, it } from 'vitest';
import { errorMessage } from './error-message.ts';

describe('errorMessage', () => {
  it('is the message of an error, and the text of anything else', () => {
    expect(errorMessage(new TypeError('no such coin'))).toBe('no such coin');
    expect(errorMessage('a text')).toBe('a text');
    expect(errorMessage(undefined)).toBe('undefined');
  });

  it('names what failed if the error itself says nothing', () => {
    const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
    expect(errorMessage(new AggregateError([refused('::1'), refused('127.0.0.1'), refused('::1')]))).toBe(
      'connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1',
    );
    expect(errorMessage(Object.assign(new Error(''), { code: 'EPIPE' }))).toBe('EPIPE');
    expect(errorMessage(new RangeError(''))).toBe('RangeError');
  });
});
