import { INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { draw, setStage } from '../../testing/stage.tsx';
import { FilterBar } from './filter-bar.tsx';

setStage();
const chosen: HistoryForm[] = [];

function Records() {
  const [form, setForm] = useState(INITIAL_HISTORY);
  const choose = (next: HistoryForm): void => {
    chosen.push(next);
    setForm(next);
  };
  return <FilterBar form={form} onChange={choose} hasOutcome />;
}

describe('the filters of records', () => {
  it('DESK-123 narrow by side, type, outcome and days, and are cleared at once', async () => {
    const user = draw(<Records />);
    await user.selectOptions(screen.getByLabelText('Side'), '2');
    await user.selectOptions(screen.getByLabelText('Type'), 'trailing');
    await user.selectOptions(screen.getByLabelText('Status'), 'cancelled');
    await user.selectOptions(screen.getByLabelText('Period'), 'week');
    expect(chosen.at(-1)).toMatchObject({ side: '2', type: 'trailing', ended: 'cancelled' });
    expect(chosen.at(-1)?.from).not.toBe('');

    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(chosen.at(-1)).toEqual(INITIAL_HISTORY);
    expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('all');
  });

  it('WEB-143 mark days of which the last lies before the first', async () => {
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
