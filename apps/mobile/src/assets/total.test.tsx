import { startWords } from '@exchange/web-kit/i18n/words.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { Total } from './total.tsx';

beforeAll(() => startWords());
afterEach(cleanup);

it('MOB-152 a total that could not be loaded says so and is asked for again, instead of loading for ever', async () => {
  let asked = 0;
  const refetch = () => {
    asked += 1;
    return Promise.resolve();
  };
  render(<Total overview={{ data: undefined, isPending: false, error: new Error('no'), refetch }} />);
  expect(screen.getByRole('alert')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(asked).toBe(1);
});
