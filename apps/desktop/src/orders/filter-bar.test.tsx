import { INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { FilterBar } from './filter-bar.tsx';

setUpFixtures();
const forms: HistoryForm[] = [];

function Records() {
  const [form, setForm] = useState(INITIAL_HISTORY);
  const choose = (nextForm: HistoryForm): void => {
    forms.push(nextForm);
    setForm(nextForm);
  };
  return <FilterBar form={form} onChange={choose} hasOutcome />;
}

describe('filters of records', () => {
  it('DESK-123 filter by side, type, outcome and period, and can be reset', async () => {
    const user = draw(<Records />);
    await user.selectOptions(screen.getByLabelText('Side'), '2');
    await user.selectOptions(screen.getByLabelText('Type'), 'trailing');
    await user.selectOptions(screen.getByLabelText('Status'), 'cancelled');
    await user.selectOptions(screen.getByLabelText('Period'), 'week');
    expect(forms.at(-1)).toMatchObject({ side: '2', type: 'trailing', ended: 'cancelled' });
    expect(forms.at(-1)?.from).not.toBe('');

    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(forms.at(-1)).toEqual(INITIAL_HISTORY);
    expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('all');
  });

  it('WEB-143 mark an end date before the start date as invalid', async () => {
    const user = draw(<Records />);
    await user.selectOptions(screen.getByLabelText('Period'), 'own');
    const days = () => ['From', 'To'].map((name) => screen.getByLabelText(name).getAttribute('aria-invalid'));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-21' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-20' } });
    expect(days()).toEqual(['true', 'true']);
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-21' } });
    expect(days()).toEqual(['false', 'false']);
  });
});
