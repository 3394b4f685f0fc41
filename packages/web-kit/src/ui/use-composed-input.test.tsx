import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { DecimalField } from '../form/decimal-field.tsx';
import { loadAllWords } from '../i18n/words.ts';
import { CodeField } from './text-field.tsx';

beforeAll(() => loadAllWords());
afterEach(() => cleanup());

let lastTyped = '';

function Fields() {
  const [amount, setAmount] = useState('');
  const [code, setCode] = useState('');
  const change = (set: (text: string) => void) => (text: string) => {
    lastTyped = text;
    set(text);
  };
  return (
    <>
      <DecimalField label="Amount" value={amount} onChange={change(setAmount)} places={8} />
      <CodeField label="Code" value={code} onChange={change(setCode)} resend={null} />
    </>
  );
}

/**
 * Simulates an input method that sets the input's text to each of `steps`; returns the displayed text after
 * each step and, as the last item, after the end of the composition.
 */
function compose(label: string, steps: readonly string[]): readonly string[] {
  render(<Fields />);
  const input = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.focus(input);
  fireEvent.compositionStart(input);
  const displayed = steps.map((text) => {
    fireEvent.input(input, { target: { value: text }, isComposing: true });
    return input.value;
  });
  fireEvent.compositionEnd(input);
  return [...displayed, input.value];
}

it('WEB-1001 an amount shows the raw composition until it ends, and its value counts at once', () => {
  expect(compose('Amount', ['０', '０．', '０．５'])).toEqual(['０', '０．', '０．５', '0.5']);
  expect(lastTyped).toBe('0.5');
});

it('WEB-1001 a code shows the raw composition until it ends', () => {
  expect(compose('Code', ['１２３', '１２３４５６'])).toEqual(['１２３', '１２３４５６', '123456']);
  expect(lastTyped).toBe('123456');
});

it.each([
  ['１２３４．５', '1234.5'],
  ['１２、３４５。５', '12345.5'],
  ['　０．５　', '0.5'],
  ['１，２３４', '1234'],
])('WEB-1000 %j typed without composition yields the amount %s', (typed, value) => {
  render(<Fields />);
  fireEvent.input(screen.getByLabelText('Amount'), { target: { value: typed } });
  expect(lastTyped).toBe(value);
});

it('WEB-1000 a full-width code is pasted completely, including separators', () => {
  render(<Fields />);
  fireEvent.input(screen.getByLabelText('Code'), { target: { value: '１２３　４５６' } });
  expect(lastTyped).toBe('123456');
});
