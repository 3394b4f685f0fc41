import { expect, it } from 'vitest';
import { failureOf } from './failure.ts';

it.each([
  [{ responseCode: 550, message: '550 <x@example.com> no' }, 'it refuses the mail (SMTP 550)'],
  [{ responseCode: 451 }, 'it takes no mail for now (SMTP 451)'],
  [{ responseCode: 535, code: 'EAUTH' }, 'it refuses the user or password of SMTP_URL (SMTP 535)'],
  [
    { code: 'ESOCKET', syscall: 'connect', message: 'connect ECONNREFUSED 127.0.0.1:25' },
    'nothing answers at its address and port (ECONNREFUSED)',
  ],
  [{ code: 'ETIMEDOUT' }, 'it does not answer in time (ETIMEDOUT)'],
  [{ code: 'EDNS', syscall: 'getaddrinfo' }, 'its name cannot be looked up (EDNS)'],
  [{ code: 'ENEW' }, 'the connection to it fails (ENEW)'],
  [new Error('mail to x@example.com failed'), 'an error'],
])('EDGE-201 a failure of the mail server is described in words and without addresses', (error, words) => {
  expect(failureOf(error)).toBe(words);
});
