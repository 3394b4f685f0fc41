import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setStage } from '../../testing/stage.tsx';
import { paths } from '../paths.ts';
import { TopBar } from './top-bar.tsx';

setStage();

it('FIN-215 the top bar leads to the products that are open, Earn after spot trading', () => {
  draw(<TopBar />, paths.finance.record);
  const links = within(screen.getByRole('navigation', { name: 'Main navigation' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Markets', paths.market],
    ['Spot', paths.trade],
    ['Seconds', paths.seconds],
    ['Earn', paths.finance.list],
    ['Launchpad', paths.subscribe.list],
    ['Mining', paths.mining.list],
    ['Funds', paths.fund.list],
    ['Assets', paths.account.assets],
    ['Account', paths.setting.security],
  ]);
  expect(links.filter((link) => link.dataset['active'] === 'true').map((link) => link.textContent)).toEqual([
    'Earn',
  ]);
});
