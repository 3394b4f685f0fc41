import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { Footer } from './footer.tsx';

setUpFixtures();

it('DESK-190 the footer links to products, support, company and terms above the risk notice', () => {
  draw(<Footer />, '/market');
  const foot = screen.getByRole('contentinfo');
  const leads = (column: string) =>
    within(within(foot).getByRole('navigation', { name: column }))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
  expect(leads('Products')).toContain('/fund/list');
  expect(leads('Support')).toEqual(
    expect.arrayContaining(['/about/connect', '/about/announcements', '/docs/api', '/status?lang=en-US']),
  );
  expect(leads('Company')).toEqual(
    expect.arrayContaining(['/about/us', '/about/proofs', '/about/withdrawals']),
  );
  expect(leads('Legal')).toEqual(['/about/protocol', '/about/policy', '/about/legal']);
  expect(foot.textContent).toContain('Crypto prices can fall to zero.');
});
