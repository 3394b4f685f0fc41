import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DecimalField } from './decimal-field.tsx';

let handedOn: string[] = [];
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
  await user.type(field, keys);
  return { user, field };
}

describe('a decimal field', () => {
  it('WEB-042 takes a grouped number key by key', async () => {
    const { field } = await type('95,000.5');
    expect(field.value).toBe('95000.5');
    expect(handedOn.at(-1)).toBe('95000.5');
  });

  it('WEB-042 shows the number that counts once it is left', async () => {
    const { user, field } = await type('1,5');
    expect(field.value).toBe('1,5');
    expect(handedOn.at(-1)).toBe('1.5');
    await user.tab();
    expect(field.value).toBe('1.5');
  });
});
