import { answerRequest } from '@exchange/wire/console/desk.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Fields } from './form-fields.tsx';

const draw = (locale: string) =>
  render(
    <form>
      <Fields
        operation={offeredOperation(answerRequest)}
        entered={[]}
        row={{ locale }}
        filled={{}}
        refused={undefined}
      />
    </form>,
  );

it('OPS-1163 usual answers are written in the language of the customer, where they can be edited', () => {
  for (const [locale, answer] of [
    ['ko-KR', /TxID/],
    ['fr-FR', /transaction ID/],
  ] as const) {
    const { unmount } = draw(locale);
    const select = screen.getByLabelText<HTMLSelectElement>(/^Usual answers/);
    fireEvent.change(select, { target: { value: 'Transfer: details needed' } });
    expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toMatch(answer);
    unmount();
  }
});
