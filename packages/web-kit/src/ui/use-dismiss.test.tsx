import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { windowForRouter } from './overlay-history.ts';
import { useDismiss } from './use-dismiss.ts';

/** A test button with a menu; the menu's panel is elsewhere in the page, as panels of the UI library are. */
function Menu() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useDismiss({ isOpen, onDismiss: () => setOpen(false), areas: [button, panel], button });
  return (
    <>
      <button ref={button} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        menu
      </button>
      <button type="button">elsewhere</button>
      <div ref={panel} hidden={!isOpen}>
        <p>text</p>
        <button type="button">choice</button>
      </div>
    </>
  );
}

const button = () => screen.getByText('menu');
const isOpen = () => button().getAttribute('aria-expanded') === 'true';
/** Opens the menu as Safari does, in which a pressed button does not get the focus. */
function openWithoutFocus(): void {
  fireEvent.pointerDown(button());
  fireEvent.click(button());
  expect([isOpen(), document.activeElement]).toEqual([true, document.body]);
}
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

let router: ReturnType<typeof createBrowserRouter>;
beforeEach(() => {
  window.history.pushState(null, '', '/menus');
  router = createBrowserRouter([{ path: '*', element: <Menu /> }], { window: windowForRouter() });
  render(<RouterProvider router={router} />);
});
afterEach(() => {
  cleanup();
  router.dispose();
});

it('WEB-936 a press elsewhere closes a menu that never had the focus', () => {
  openWithoutFocus();
  fireEvent.pointerDown(screen.getByText('text'));
  expect(isOpen()).toBe(true);
  fireEvent.pointerDown(screen.getByText('elsewhere'));
  expect(isOpen()).toBe(false);
  openWithoutFocus();
  fireEvent.pointerDown(button());
  fireEvent.click(button());
  expect(isOpen()).toBe(false);
});

it('WEB-936 Escape closes a menu that never had the focus, and focuses its button', () => {
  openWithoutFocus();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect([isOpen(), document.activeElement]).toEqual([false, button()]);
});

it('WEB-936 closes when the focus moves on, and stays when it goes nowhere', async () => {
  openWithoutFocus();
  const choice = screen.getByText('choice');
  choice.focus();
  fireEvent.focusOut(choice, { relatedTarget: null });
  await settle();
  expect(isOpen()).toBe(true);
  fireEvent.focusOut(choice, { relatedTarget: screen.getByText('elsewhere') });
  await settle();
  expect(isOpen()).toBe(false);
});

it('WEB-933 Back closes a menu and stays on the screen', async () => {
  const entries = window.history.length;
  openWithoutFocus();
  await settle();
  expect(window.history.length).toBe(entries + 1);
  await act(async () => window.history.back());
  await settle();
  expect([isOpen(), window.location.pathname]).toEqual([false, '/menus']);
});
