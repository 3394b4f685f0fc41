import { expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import { needsRecipient, recipientProblem } from './recipient.ts';

it('TRE-055 a withdrawal needs a recipient from the bound on, and none without a bound', () => {
  const bound = Decimal.parse('1000');
  expect(needsRecipient(Decimal.parse('1000'), bound)).toBe(true);
  expect(needsRecipient(Decimal.parse('999.99999999'), bound)).toBe(false);
  expect(needsRecipient(Decimal.parse('1000000'), undefined)).toBe(false);
});

it('TRE-056 a recipient is the owner, or another person with a full name', () => {
  const problemOf = (isOwn: boolean, name: string, provider = '') => {
    const problem = recipientProblem({ isOwn, name, provider });
    return problem && `${problem.key} ${problem.parameters['field']}`;
  };
  expect(problemOf(true, '')).toBeUndefined();
  expect(problemOf(false, 'Ada Lovelace', 'Some exchange')).toBeUndefined();
  expect(problemOf(false, '张三')).toBeUndefined();
  expect(problemOf(false, '  ')).toBe('l.recipient_required recipientName');
  expect(problemOf(false, '12')).toBe('l.recipient_name_format recipientName');
  expect(problemOf(false, 'a'.repeat(500))).toBe('l.field_too_long recipientName');
  expect(problemOf(true, '', 'x'.repeat(101))).toBe('l.field_too_long recipientProvider');
});
