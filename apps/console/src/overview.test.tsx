import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Overview } from './overview.tsx';

const row = (asset: string, state: string, more: Record<string, string> = {}) => ({
  ...{ asset, state, owedToUsers: '1234.5', held: '', coveragePercent: '', difference: '', ...more },
});
const COVERAGE = {
  ...{ isUp: false, reason: 'ETH: 9 held for 10 owed, 1 missing', facts: { covered: '1 of 3 coins' } },
  rows: [
    row('ETH', 'short', { owedToUsers: '10', held: '9', coveragePercent: '90', difference: '-1' }),
    row('USDT', 'not known', { note: 'TRC20 is looked at by people' }),
    row('BTC', 'covered', { held: '2469', coveragePercent: '200', difference: '1234.5' }),
  ],
};

it('OPS-075 what is owed and held is a table across the page, each coin with its state in words and colour', () => {
  const parts = [['coverage', COVERAGE] as const, ['disk', { isUp: true, facts: {} }] as const];
  render(<Overview waiting={{ queues: [], parts, at: 1, error: '', look: () => undefined }} />);
  const tile = screen.getByText('ETH: 9 held for 10 owed, 1 missing').closest('li')!;
  expect(tile.className).toContain('wide');
  const table = within(tile).getByRole('table');
  const cells = within(table)
    .getAllByRole('row')
    .map((one) => within(one).getAllByRole(one.closest('thead') ? 'columnheader' : 'cell'));
  const texts = cells.map((of) => of.map(({ textContent }) => textContent));
  expect(texts[0]).toEqual(['Asset', 'State', 'Owed to users', 'Held', 'Coverage %', 'Difference', 'Note']);
  expect(texts.slice(1)).toEqual([
    ['ETH', 'short', '10', '9', '90', '-1', ''],
    ['USDT', 'not known', '1,234.5', '', '', '', 'TRC20 is looked at by people'],
    ['BTC', 'covered', '1,234.5', '2,469', '200', '1,234.5', ''],
  ]);
  const tones = cells.slice(1).map(([, state]) => state!.querySelector('.pill')!.className);
  expect(tones).toEqual(['pill bad', 'pill waits', 'pill good']);
  // However the server names them, the table comes last.
  const names = [...document.querySelectorAll('.part strong')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Disk', 'Coverage']);
  expect(screen.getByText('Disk').closest('li')!.className).not.toContain('wide');
});
