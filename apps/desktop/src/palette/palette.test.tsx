import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { draw, MOMENT, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';
import { TicketForm } from '../trade/ticket-form.tsx';
import { PaletteButton } from './palette-button.tsx';

const fixtures = setUpFixtures();
const options = () =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent.trim().replaceAll('\u00A0', ' '));

function Place() {
  const { pathname, search } = useLocation();
  return <output aria-label="place">{pathname + search}</output>;
}
const place = () => screen.getByLabelText('place').textContent;

/**
 * Renders the command palette and a buy ticket, and opens the palette with its keyboard shortcut. Returns the
 * simulated user and the palette's input.
 */
async function open() {
  fixtures.answers(({ path }) => (path.endsWith(spotBasics.path) ? [LISTED] : {}));
  const user = draw(
    <>
      <PaletteButton className="" />
      <Place />
      <TicketForm side="buy" kind="limit" moment={MOMENT} taken={undefined} />
    </>,
  );
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: /^Search pages/ });
  await waitFor(() => expect(options().join()).toContain(`${PAIR.base}/${PAIR.quote}`));
  return { user, box };
}

it('DESK-027 opens every screen and pair by its name', async () => {
  const { user, box } = await open();
  await user.type(box, 'tax');
  expect(options()).toEqual(['Tax report']);
  await user.keyboard('{Enter}');
  expect(place()).toBe('/account/tax');
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.keyDown(document, { key: 'K', metaKey: true });
  await user.type(await screen.findByRole('combobox', { name: /^Search pages/ }), PAIR.base.toLowerCase());
  await user.keyboard('{Enter}');
  expect(place()).toBe(`/trade?symbol=${PAIR.base}_${PAIR.quote}`);
});

it('DESK-027 fills the ticket from a typed order and places nothing', async () => {
  const { user, box } = await open();
  await user.type(box, `buy 0.5 ${PAIR.base} 98.5`);
  expect(options()[0]).toContain(`Buy 0.5 ${PAIR.base} of ${PAIR.base}/${PAIR.quote} at 98.5 ${PAIR.quote}`);
  await user.keyboard('{Enter}');
  expect(place()).toBe(`/trade?symbol=${PAIR.base}_${PAIR.quote}`);
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('0.5'));
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('98.5');
  expect(fixtures.received.filter(({ path }) => /order/i.test(path) && path.includes('create'))).toEqual([]);
  // The palette's order is written into the ticket only once, so the user can change it afterwards.
  await user.clear(screen.getByLabelText('Amount'));
  await user.type(screen.getByLabelText('Amount'), '0.7');
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('0.7');
});

it('DESK-027 is not opened by its keys while a dialog is open', async () => {
  draw(
    <>
      <PaletteButton className="" />
      <div role="dialog" aria-label="another" />
    </>,
  );
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('combobox')).toBeNull();
});
