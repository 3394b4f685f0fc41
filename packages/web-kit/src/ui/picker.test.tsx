import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import type { OverlayLook } from './overlay.tsx';
import type { PickerChoice } from './picker-list.tsx';
import { Picker } from './picker.tsx';

const CHOICES = [
  { key: 'a', text: 'Apple red', row: 'Apple' },
  { key: 'b', text: 'Banana yellow', row: 'Banana', isDisabled: true },
  { key: 'c', text: 'Cherry red', row: 'Cherry' },
];
const ELDER = { key: 'd', text: 'Elder black', row: 'Elder' };

beforeAll(() => loadAllWords());

function show(look: OverlayLook = 'floating', choices: readonly PickerChoice[] = CHOICES) {
  const change = vi.fn<(key: string) => void>();
  render(
    <Providers>
      <Picker
        label="Fruit"
        face="Apple"
        faceText="Apple"
        look={look}
        choices={choices}
        value="a"
        onChange={change}
        closeLabel="Close"
        searchLabel="Search fruit"
        emptyText="No fruit"
      />
    </Providers>,
  );
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Fruit: Apple' });
  const open = async () => {
    await user.click(button);
    return screen.findByRole('combobox', { name: 'Search fruit' });
  };
  return { user, button, change, open };
}
const names = () => screen.getAllByRole('option').map((option) => option.textContent);
/**
 * Returns the text of the highlighted option of the list, which `aria-activedescendant` names for screen
 * readers.
 */
const marked = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent;

describe.each(['floating', 'sheet'] as const)('a picker that is %s', (look) => {
  it('WEB-300 opens a searchable list; arrow keys move the highlight and Enter selects', async () => {
    const { user, button, change, open } = show(look);
    expect(screen.queryByRole('listbox')).toBeNull();
    const box = await open();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const list = screen.getByRole('listbox', { name: 'Fruit' });
    expect(box.getAttribute('aria-controls')).toBe(list.id);
    expect(within(list).getByRole('option', { selected: true }).textContent).toBe('Apple');
    await user.click(box);
    expect(marked(box)).toBe('Apple');
    await user.keyboard('{ArrowDown}');
    expect(marked(box)).toBe('Cherry');
    await user.keyboard('{ArrowDown}');
    expect(marked(box)).toBe('Apple');
    await user.keyboard('{ArrowUp}{Enter}');
    expect(change.mock.calls).toEqual([['c']]);
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  });

  it('WEB-300 shows disabled options without selecting them', async () => {
    const { user, change, open } = show(look);
    await open();
    const barred = screen.getByRole('option', { name: 'Banana' });
    expect(barred.getAttribute('aria-disabled')).toBe('true');
    await user.click(barred);
    expect(change).not.toHaveBeenCalled();
    await user.click(screen.getByRole('option', { name: 'Cherry' }));
    expect(change.mock.calls).toEqual([['c']]);
  });
});

it('WEB-300 matches any part of the search text, shows an empty result, and Escape keeps the selection', async () => {
  const { user, button, change, open } = show('floating', [...CHOICES, ELDER]);
  const box = await open();
  await waitFor(() => expect(document.activeElement).toBe(box));
  await user.keyboard('RED');
  expect(names()).toEqual(['Apple', 'Cherry']);
  await user.clear(box);
  await user.keyboard('y');
  expect(names()).toEqual(['Banana', 'Cherry']);
  await user.clear(box);
  await user.keyboard('e');
  expect(names()).toEqual(['Elder', 'Apple', 'Banana', 'Cherry']);
  await user.keyboard('{ArrowDown}x');
  expect(screen.queryAllByRole('option')).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('No fruit');
  await user.keyboard('{Enter}');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  expect(change).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(button));
});
