import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CallRefused } from '../api/client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { Toaster } from '../ui/toast.tsx';
import { useForm } from './use-form.ts';

beforeEach(() => loadAllWords());
afterEach(cleanup);

/** A form that renders the error of its field `amount`, but not the error of its field `memo`. */
function TransferForm({ refusedField }: { readonly refusedField: string }) {
  const form = useForm({ amount: '1', memo: '' }, () => ({}));
  const error = form.errorOf('amount');
  return (
    <form>
      <input aria-label="Amount" aria-invalid={error !== undefined} defaultValue="1" />
      <p>{error}</p>
      <button
        type="button"
        onClick={() =>
          form.refuse(new CallRefused(-1, 'It is too long.', undefined, { field: refusedField }))
        }
      >
        Send
      </button>
      <Toaster />
    </form>
  );
}

it('WEB-1100 a refusal is shown at its field, which gets the focus, and by no notice', () => {
  render(<TransferForm refusedField="amount" />);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(screen.getAllByText('It is too long.')).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByLabelText('Amount'));
});

it('WEB-1100 a refusal of a field that shows no errors becomes a notice', async () => {
  render(<TransferForm refusedField="memo" />);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('It is too long.')).toBeTruthy();
});
