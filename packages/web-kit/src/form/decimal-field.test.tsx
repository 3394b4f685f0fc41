import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { loadAllWords } from '../i18n/words.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DecimalField } from './decimal-field.tsx';

let handedOn: string[] = [];
beforeAll(() => loadAllWords());
afterEach(() => {
  cleanup();
  handedOn = [];
});

function Amount() {
  const [value, setValue] = useState('');
  const take = (next: string) => {
    handedOn.push(next);
    setValue(next);
  };
  return <DecimalField label="Amount" value={value} onChange={take} places={2} />;
}

async function type(keys: string) {
  render(<Amount />);
  const field = screen.getByLabelText<HTMLInputElement>('Amount');
  const user = userEvent.setup();
  if (keys !== '') await user.type(field, keys);
  return { user, field };
}

describe('a decimal field', () => {
  it('WEB-042 accepts a grouped number key by key', async () => {
    const { field } = await type('95,000.5');
    expect(field.value).toBe('95000.5');
    expect(handedOn.at(-1)).toBe('95000.5');
  });

  it('WEB-042 shows the parsed number on blur', async () => {
    const { user, field } = await type('1,5');
    expect(field.value).toBe('1,5');
    expect(handedOn.at(-1)).toBe('1.5');
    await user.tab();
    expect(field.value).toBe('1.5');
  });

  it.each(['-1', '1e3', '1.500,5', '0.001'])(
    'WEB-214 keeps %j, marks it as invalid and explains why',
    async (keys) => {
      const { user, field } = await type(keys);
      await user.tab();
      expect(field.value).toBe(keys);
      expect(field.getAttribute('aria-invalid')).toBe('true');
      const sentence = screen.getByRole('alert');
      expect(field.getAttribute('aria-describedby')).toBe(sentence.id);
      expect(sentence.textContent).toBe(
        {
          '-1': 'Amount must be greater than zero.',
          '0.001': 'Amount can have at most 2 decimals. You entered 0.001.',
        }[keys] ?? 'Amount must be a plain number.',
      );
    },
  );

  it('WEB-214 a number that is completely selected on focus is replaced by typing', async () => {
    const { user, field } = await type('96500.1');
    await user.tab();
    expect(field.value).toBe('96,500.1');
    field.focus();
    field.select();
    await waitFor(() => expect(field.value).toBe('96500.1'));
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 7]);
    await user.keyboard('90000');
    expect(field.value).toBe('90000');
    expect(handedOn.at(-1)).toBe('90000');
  });

  it('WEB-214 accepts a pasted price with its currency sign and groups it on blur', async () => {
    const { user, field } = await type('');
    await user.click(field);
    await user.paste('$96,500.00');
    expect(field.value).toBe('96500.00');
    expect(handedOn.at(-1)).toBe('96500.00');
    await user.tab();
    expect(field.value).toBe('96,500.00');
    await user.click(field);
    await waitFor(() => expect(field.value).toBe('96500.00'));
  });
});
